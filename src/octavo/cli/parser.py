"""A command line parser whose errors are UsageErrors that name the nearest command or flag."""

from __future__ import annotations

import argparse
import difflib
import re
from collections.abc import Iterable, Sequence
from typing import Any, NoReturn

from octavo.errors import UsageError

_CHOICE = re.compile(r"argument (?P<argument>.*?): invalid choice: '?(?P<given>.*?)'? \(choose from (?P<known>.*)\)")


class Parser(argparse.ArgumentParser):
    """`argparse` without abbreviated flags; parsers of commands made from it behave alike."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**{"allow_abbrev": False, **options})

    def parse_known_args(  # type: ignore[override]  # the overloads of its stub say no more than this
        self, args: Sequence[str] | None = None, namespace: Any = None
    ) -> tuple[Any, list[str]]:
        """Refuses what is left over in the parser that met it, a command's own too: it knows which flag was meant."""
        known, left = super().parse_known_args(args, namespace)
        if left:
            flags = re.findall(r"(?<![\w-])--?[a-z][a-z-]*", self.format_help())
            raise UsageError(f"unknown argument {left[0]!r}{self._near(left[0].partition('=')[0], flags)}")
        return known, left

    def error(self, message: str) -> NoReturn:
        if choice := _CHOICE.search(message):
            known = [name.strip("' ") for name in choice["known"].split(",")]
            what = "command {!r}" if choice["argument"] == "COMMAND" else f"value {{!r}} for {choice['argument']}"
            raise UsageError(f"unknown {what.format(choice['given'])}{self._near(choice['given'], known)}")
        raise UsageError(f"{message}; `{self.prog} --help` tells more")

    def _near(self, given: str, known: Iterable[str]) -> str:
        near = difflib.get_close_matches(given, known, n=1, cutoff=0.5)
        return f"; did you mean {near[0]!r}?" if near else f"; `{self.prog} --help` tells more"
