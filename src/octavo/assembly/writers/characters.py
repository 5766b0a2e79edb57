"""Text as it may stand in a text file."""

from __future__ import annotations

import re

_LINE_ENDS = re.compile("\r\n|[\r\v\f\x1c-\x1e\x85\u2028\u2029]")
# What no text format may hold (controls, halves of surrogate pairs, non-characters), and the byte order mark.
_FORBIDDEN = re.compile("[\0-\x08\x0e-\x1f\x7f-\x9f\ud800-\udfff\ufdd0-\ufdef\ufeff\ufffe\uffff]")


def clean(text: str) -> str:
    """`text` with line feeds as its only line ends, spaces for tabs, and no characters that files must not hold."""
    return _FORBIDDEN.sub("", _LINE_ENDS.sub("\n", text)).replace("\t", " ")


def clean_code(text: str) -> str:
    """Like `clean`, but tabs stay, and empty lines at both ends go."""
    lines = [_FORBIDDEN.sub("", line).rstrip() for line in _LINE_ENDS.sub("\n", text).split("\n")]
    return "\n".join(lines).strip("\n")


def lines_of(text: str) -> list[str]:
    """The lines of `text` that are not empty, cleaned and without the white space around them."""
    return [line for line in (part.strip() for part in clean(text).split("\n")) if line]


def one_line(text: str) -> str:
    """`text`, cleaned, on one line."""
    return " ".join(lines_of(text))
