"""From the bytes of a text file to its characters."""

from __future__ import annotations

import codecs

from octavo.document import PageWarning
from octavo.errors import UnreadableError

_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),  # before UTF-16, whose mark it begins with
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)


def decode(content: bytes, name: str) -> tuple[str, list[PageWarning]]:
    """The text of a file, line ends as line feeds, and a warning where its encoding had to be guessed.

    Raises UnreadableError for bytes that are no text in any encoding we know.
    """
    text, found = _decoded(content, name)
    return text.replace("\r\n", "\n").replace("\r", "\n"), found


def _decoded(content: bytes, name: str) -> tuple[str, list[PageWarning]]:
    encoding = next((known for mark, known in _MARKS if content.startswith(mark)), "utf-8")
    try:
        return content.decode(encoding), []
    except UnicodeDecodeError as fault:
        place = fault.start
    if encoding != "utf-8":
        raise UnreadableError(f"{name} begins like {encoding.upper()} text but is none from byte {place} on")
    try:
        text = content.decode("cp1252")
    except UnicodeDecodeError:
        raise UnreadableError(f"{name} is neither UTF-8 nor Windows-1252 text; save it as UTF-8") from None
    message = f"{name} is not UTF-8 (byte {place}) and was read as Windows-1252; save it as UTF-8 if letters are wrong"
    return text, [PageWarning("encoding-guessed", message)]
