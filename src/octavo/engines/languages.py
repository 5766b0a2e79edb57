"""Languages by their codes, and which reader knows their letters."""

from __future__ import annotations

import difflib

from octavo.errors import UsageError

AUTO = "auto"

# ISO 639-1, or 639-3 where that has none, with a script where one language has two; the name Tesseract gives its data.
TESSERACT = {
    "af": "afr", "am": "amh", "ar": "ara", "as": "asm", "az": "aze", "az-cyrl": "aze_cyrl", "be": "bel", "bg": "bul",
    "bn": "ben", "bo": "bod", "br": "bre", "bs": "bos", "ca": "cat", "ceb": "ceb", "chr": "chr", "co": "cos",
    "cs": "ces", "cy": "cym", "da": "dan", "de": "deu", "de-fraktur": "frk", "dv": "div", "dz": "dzo", "el": "ell",
    "en": "eng", "eo": "epo", "es": "spa", "et": "est", "eu": "eus", "fa": "fas", "fi": "fin", "fo": "fao",
    "fr": "fra", "fy": "fry", "ga": "gle", "gd": "gla", "gl": "glg", "grc": "grc", "gu": "guj", "he": "heb",
    "hi": "hin", "hr": "hrv", "ht": "hat", "hu": "hun", "hy": "hye", "id": "ind", "is": "isl", "it": "ita",
    "iu": "iku", "ja": "jpn", "jv": "jav", "ka": "kat", "kk": "kaz", "km": "khm", "kn": "kan", "ko": "kor",
    "ku": "kmr", "ky": "kir", "la": "lat", "lb": "ltz", "lo": "lao", "lt": "lit", "lv": "lav", "mi": "mri",
    "mk": "mkd", "ml": "mal", "mn": "mon", "mr": "mar", "ms": "msa", "mt": "mlt", "my": "mya", "ne": "nep",
    "nl": "nld", "no": "nor", "oc": "oci", "or": "ori", "pa": "pan", "pl": "pol", "ps": "pus", "pt": "por",
    "qu": "que", "ro": "ron", "ru": "rus", "sa": "san", "sd": "snd", "si": "sin", "sk": "slk", "sl": "slv",
    "sq": "sqi", "sr": "srp", "sr-latn": "srp_latn", "su": "sun", "sv": "swe", "sw": "swa", "syr": "syr", "ta": "tam",
    "te": "tel", "tg": "tgk", "th": "tha", "ti": "tir", "tl": "fil", "to": "ton", "tr": "tur", "tt": "tat",
    "ug": "uig", "uk": "ukr", "ur": "urd", "uz": "uzb", "uz-cyrl": "uzb_cyrl", "vi": "vie", "yi": "yid", "yo": "yor",
    "zh": "chi_sim", "zh-hans": "chi_sim", "zh-hant": "chi_tra",
}  # fmt: skip

_OTHER_NAMES = {
    "nb": "no", "nn": "no", "zh-cn": "zh-hans", "zh-sg": "zh-hans", "zh-tw": "zh-hant", "zh-hk": "zh-hant",
    "zh-mo": "zh-hant",
} | {name.replace("_", "-"): code for code, name in reversed(TESSERACT.items())}  # fmt: skip

# Languages whose letters PP-OCRv6 has and reads: on pangrams set in four fonts it got every letter right somewhere,
# save a few rare ones (Czech d and t with caron, g with cedilla). Esperanto, Welsh and Slovak are not among them: the
# network's alphabet has their letters, but it reads none of ĉ ĝ ĥ ĵ ŝ ŭ ŵ ŷ ĺ ŕ and few ľ. Nor is Fraktur: the letters
# are known, the typeface is not.
_SMALL = frozenset({
    "af", "az", "br", "bs", "ca", "ceb", "co", "cs", "da", "de", "en", "es", "et", "eu", "fi", "fo", "fr", "fy", "ga",
    "gd", "gl", "hr", "ht", "hu", "id", "is", "it", "ja", "jv", "ku", "la", "lb", "lt", "lv", "mi", "ms", "mt", "nl",
    "no", "oc", "pl", "pt", "qu", "ro", "sl", "sq", "sr-latn", "su", "sv", "sw", "tl", "tr", "uz", "zh", "zh-hans",
    "zh-hant",
})  # fmt: skip
# The tiny network lacks kana and ə ș ț, and never got ė õ þ ű İ right, nor most of ı ķ ņ. It also lacks a third of the
# common traditional Chinese characters (嚴 讓 說), and yet reads such pages better than Tesseract does: 0.95 of the
# characters of three pages, where that gets 0.85.
_TINY = _SMALL - {"az", "et", "hu", "is", "ja", "lt", "lv", "ro", "tr"}
_BY_TIER = {"standard": _SMALL, "fast": _TINY}
_SCRIPTS = {
    "standard": frozenset({"Latin", "Han", "Japanese", "Fraktur"}),
    "fast": frozenset({"Latin", "Han", "Fraktur"}),
}


def parse(text: str) -> tuple[str, ...]:
    """`auto`, or codes joined by `+` or `,` such as `ru+en`; Tesseract's own names (`rus`) are understood too.

    Raises UsageError for a code that is not known.
    """
    if text.strip().lower() == AUTO:
        return (AUTO,)
    return known(tuple(text.replace(",", "+").split("+")))


def known(codes: tuple[str, ...]) -> tuple[str, ...]:
    """The codes as `TESSERACT` spells them, each once; `auto` stays. Raises UsageError for one that is not known."""
    return tuple(dict.fromkeys(_code(part) for part in codes))


def told(codes: tuple[str, ...]) -> tuple[str, ...]:
    """The languages that were told, as `known` gives them; none where they are to be found (`auto`)."""
    found = known(codes)
    return () if AUTO in found else found


def beyond_pp_ocr(codes: tuple[str, ...], tier: str) -> bool:
    """Whether one of the languages has letters that the tier's recognition network cannot read.

    Raises UsageError for a code that is not known.
    """
    return any(code not in _BY_TIER[tier] for code in known(codes) if code != AUTO)


def scripts_of(tier: str) -> frozenset[str]:
    """Names of the scripts that the tier's recognition network reads.

    Fraktur is among them although it doesn't know the typeface: Tesseract's data for it reads no better.
    """
    return _SCRIPTS[tier]


def _code(given: str) -> str:
    code = given.strip().lower().replace("_", "-")
    code = _OTHER_NAMES.get(code, code)
    language, _, region = code.partition("-")
    if code not in TESSERACT and len(region) == 2 and language in TESSERACT:  # en-US: the letters are those of en
        code = language
    if code == AUTO or code in TESSERACT:
        return code
    near = difflib.get_close_matches(code, [*TESSERACT, *_OTHER_NAMES], n=1)
    hint = f"; did you mean {near[0]!r}?" if near else "; use ISO 639-1 codes such as en, zh, ru, joined by +"
    raise UsageError(f"unknown language {given.strip()!r}{hint}")
