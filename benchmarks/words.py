"""Word F1: how many words of a page were read, whatever their order."""

from __future__ import annotations

import html
import re
import unicodedata
from collections import Counter

_TAG = re.compile(r"</?[a-zA-Z][^<>]*>|<!--.*?-->", re.DOTALL)
_BROKEN_WORD = re.compile(r"(?<=[^\W\d_])[-\u2010\u00ad\u00ac]\s*\n\s*(?=[^\W\d_])")
# A CJK character is a word of its own: these scripts are written without spaces.
_WORD = re.compile(
    r"[\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]|(?:(?![\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff])[^\W_])+"
)


def words(text: str) -> Counter[str]:
    """The bag of words of a text, plain or Markdown.

    Tags and comments are dropped, a word broken by a hyphen at a line's end is joined, and what is left is brought to
    NFKC and casefolded. A word is a run of letters and digits, so punctuation and Markdown's signs separate words and
    count for nothing; a Chinese or Japanese character is a word by itself.
    """
    plain = _BROKEN_WORD.sub("", html.unescape(_TAG.sub(" ", text)))
    return Counter(_WORD.findall(unicodedata.normalize("NFKC", plain).casefold()))


def word_f1(read: str, truth: str, optional: str = "") -> float:
    """The harmonic mean of precision and recall of the bag of words of `read` against that of `truth`, 0 to 1.

    Words of `optional` (running headers, page numbers) that were read beyond `truth` count neither way. Two texts
    without words are equal.
    """
    found, wanted = words(read), words(truth)
    surplus = (found - wanted) - words(optional)
    hits = (found & wanted).total()
    total = 2 * hits + surplus.total() + (wanted - found).total()
    return 2 * hits / total if total else 1.0
