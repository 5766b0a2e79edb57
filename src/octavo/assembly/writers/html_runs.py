"""Runs of styled text in HTML, with links between footnotes and their marks."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from itertools import groupby
from urllib.parse import quote

from octavo.assembly.notes import MARK, NOTE
from octavo.assembly.writers.runs import Run

_TAGS = {"b": "strong", "i": "em", "m": "code", "s": "sup", "u": "sub"}  # the outermost first


def inline(line: Sequence[Run]) -> str:
    """A line of runs as the content of an element."""
    parts = []
    for link, group in groupby(line, key=lambda run: run.link if _target(run) else ""):
        runs = list(group)
        inside = "".join(map(_styled, runs))
        parts.append(f"<a{_target(runs[0])}>{inside}</a>" if link else inside)
    return "".join(parts)


def _styled(run: Run) -> str:
    text = escape(run.text)
    for letter in reversed(_TAGS):
        if letter in run.style:
            text = f"<{_TAGS[letter]}>{text}</{_TAGS[letter]}>"
    return text


def _target(run: Run) -> str:
    """The attributes of a link, empty where the run has none that may be followed."""
    if run.link.startswith(NOTE):
        place = run.link.removeprefix(NOTE)
        return f' id="mark-{place}" href="#note-{place}"'
    if run.link.startswith(MARK):
        return f' href="#mark-{run.link.removeprefix(MARK)}"'
    if run.address:
        return f' href="{escape(quote(run.address, safe="!#$%&*+,-./:;=?@_~[]()"))}"'
    return ""
