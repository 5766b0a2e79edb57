"""How the text of one fragment goes on that of the one before: with a space, without, or without its hyphen."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Literal

from msgspec.structs import replace

from octavo.document import Block, Span

Join = Literal["", "space", "none", "hyphen", "rows", "line"]

_SOFT = "\u00ad¬⸗"  # never anything but a syllable break; the last two as Fraktur has it, and as it is misread
_HYPHENS = "-‐‑" + _SOFT
# Words after which a hyphen stands for what the next word ends in: "Haupt- und Nebenfach".
_SHARING = {
    "de": {"und", "oder", "bzw", "sowie", "noch", "aber"},
    "en": {"and", "or", "to", "but", "nor"},
    "nl": {"en", "of"},
    "sv": {"och", "eller"},
    "da": {"og", "eller"},
    "no": {"og", "eller"},
    "fi": {"ja", "tai"},
    "et": {"ja", "või"},
    "hu": {"és", "vagy"},
    "pl": {"i", "lub"},
}
# What English writes with a hyphen before nearly any word, and the little words inside its longer compounds. "ex" and
# "mid" are not among them: "ex-ample" and "mid-dle" are far more common at a line's end.
_PREFIXES = {"self", "non", "quasi", "all", "half", "well", "cross", "vice"}
_FUSED = re.compile("non(?:sens|chal|pareil|plus)")
_INNER = {"of", "the", "in", "to", "and", "a", "an", "on", "by", "up", "or", "at", "for", "de", "la", "le", "du"}
_WORD = re.compile(r"[^\W_]+(?:[-‐‑'’][^\W_]+)*")
_LAST = re.compile(r"[^\W_]+(?:[-‐‑'’][^\W_]+)*$")


def join_of(before: str, after: str, languages: Sequence[str] = (), near: Iterable[str] = ()) -> Join:
    """The join of two texts that are one, parted only by a line's end.

    `languages` are codes, `near` texts of the same document whose words tell how it writes what is parted here.
    """
    if not before or not after or before[-1].isspace() or after[0].isspace():
        return "none"
    if before[-1] in _HYPHENS and len(before) > 1 and before[-2].isalnum():
        return _hyphen(before, after, languages, near)
    if (spaceless(before[-1]) and spaceless(after[0])) or before[-1] in "/⁄—" or before[-2:] == "--":
        return "none"
    return "space"


def _hyphen(before: str, after: str, languages: Sequence[str], near: Iterable[str]) -> Join:
    if before[-1] in _SOFT:
        return "hyphen"
    if after[0] in _HYPHENS:  # Polish and others say it twice: "biało-", "-czerwony"
        return "hyphen"
    first, last = _WORD.match(after), _LAST.search(before[:-1])
    if not after[0].isalpha() or first is None or last is None or before[-2].isdigit():
        return "none"
    left, right = last[0], first[0]
    if any(right in _SHARING.get(language[:2], ()) for language in languages or ("de", "en")):
        return "space"
    if right[0].isupper() and not (left.isupper() and right.isupper() and len(left) > 1 and len(right) > 1):
        return "none"  # "Baden-Württemberg", "US-Regierung"
    known = {word.casefold() for text in near for word in _WORD.findall(text)}
    if (left + right).casefold() in known:
        return "hyphen"
    if f"{left}-{right}".casefold() in known:
        return "none"
    is_english = "en" in languages or (not languages and " the " in before.casefold())
    return "none" if is_english and _is_compound(left.casefold(), right.casefold()) else "hyphen"


def _is_compound(left: str, right: str) -> bool:
    """Whether the hyphen between is one that English writes within a line too."""
    part = re.split("[-‐‑]", left)[-1]
    if (left in _PREFIXES and not _FUSED.match(left + right)) or (left == "co" and right.startswith("o")):
        return True
    return (part != left and part in _INNER) or re.split("[-‐‑]", right)[0] in _INNER - {right}


def spaceless(character: str) -> bool:
    """Whether words of this character's script are written without spaces between them."""
    return (
        "\u2e80" <= character <= "\ua4cf"
        or "\uf900" <= character <= "\uffef"
        or "\u0e00" <= character <= "\u109f"  # Thai, Lao, Tibetan, Burmese
        or "\u1780" <= character <= "\u17ff"  # Khmer
        or "\U00020000" <= character <= "\U0003ffff"
    )


def glued(before: str, after: str, join: Join) -> str:
    """The text of two fragments; what `FlowItem` promises to readers of its JSON."""
    match join:
        case "space":
            return f"{before} {after}"
        case "hyphen":
            return before[:-1] + after
        case "line" | "rows":
            return f"{before}\n{after}"
        case _:
            return before + after


def joined(blocks: Sequence[Block], joins: Sequence[Join]) -> Block:
    """Blocks of text as one, in the kind and the place of the first; the first of the joins is not looked at."""
    text, spans = blocks[0].text, list(blocks[0].spans)
    for block, join in zip(blocks[1:], joins[1:], strict=True):
        text = glued(text, block.text, join)
        offset = len(text) - len(block.text)
        if spans and spans[-1].end > offset:  # its hyphen was dropped
            spans[-1] = replace(spans[-1], end=offset)
        for span in block.spans:
            moved = replace(span, start=span.start + offset, end=span.end + offset)
            before = spans[-1] if spans else None
            alike = before is not None and (before.style, before.link) == (moved.style, moved.link) and not moved.latex
            if before is not None and alike and not before.latex and not text[before.end : moved.start].strip(" "):
                spans[-1] = replace(before, end=moved.end)
            else:
                spans.append(moved)
    kept: tuple[Span, ...] = tuple(span for span in spans if span.end > span.start)
    lines = () if text else tuple(line for block in blocks for line in block.lines)
    confidence = min(block.confidence for block in blocks)
    return replace(blocks[0], text=text, spans=kept, lines=lines, confidence=confidence)
