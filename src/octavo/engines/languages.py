"""Languages by their codes, and which reader knows their letters."""

from __future__ import annotations

from octavo.errors import UsageError

# ISO 639-1 (with a script where one language has two), the name Tesseract gives its data.
TESSERACT = {
    "af": "afr", "am": "amh", "ar": "ara", "as": "asm", "az": "aze", "be": "bel", "bg": "bul", "bn": "ben",
    "bo": "bod", "br": "bre", "bs": "bos", "ca": "cat", "cs": "ces", "cy": "cym", "da": "dan", "de": "deu",
    "dv": "div", "dz": "dzo", "el": "ell", "en": "eng", "eo": "epo", "es": "spa", "et": "est", "eu": "eus",
    "fa": "fas", "fi": "fin", "fo": "fao", "fr": "fra", "fy": "fry", "ga": "gle", "gd": "gla", "gl": "glg",
    "gu": "guj", "he": "heb", "hi": "hin", "hr": "hrv", "ht": "hat", "hu": "hun", "hy": "hye", "id": "ind",
    "is": "isl", "it": "ita", "iu": "iku", "ja": "jpn", "jv": "jav", "ka": "kat", "kk": "kaz", "km": "khm",
    "kn": "kan", "ko": "kor", "ku": "kmr", "ky": "kir", "la": "lat", "lb": "ltz", "lo": "lao", "lt": "lit",
    "lv": "lav", "mi": "mri", "mk": "mkd", "ml": "mal", "mn": "mon", "mr": "mar", "ms": "msa", "mt": "mlt",
    "my": "mya", "ne": "nep", "nl": "nld", "no": "nor", "oc": "oci", "or": "ori", "pa": "pan", "pl": "pol",
    "ps": "pus", "pt": "por", "qu": "que", "ro": "ron", "ru": "rus", "sa": "san", "sd": "snd", "si": "sin",
    "sk": "slk", "sl": "slv", "sq": "sqi", "sr": "srp", "su": "sun", "sv": "swe", "sw": "swa", "ta": "tam",
    "te": "tel", "tg": "tgk", "th": "tha", "ti": "tir", "tl": "fil", "to": "ton", "tr": "tur", "tt": "tat",
    "ug": "uig", "uk": "ukr", "ur": "urd", "uz": "uzb", "vi": "vie", "yi": "yid", "yo": "yor",
    "zh": "chi_sim", "zh-hans": "chi_sim", "zh-hant": "chi_tra", "de-fraktur": "frk",
}  # fmt: skip

# Languages whose letters PP-OCRv6 small has all of; tiny has them too, but no kana.
_PP_OCR = frozenset(
    "af br bs ca cs cy da de en eo es et eu fi fo fr fy ga gd gl hr ht hu id is it ja jv ku la lb lt lv mi ms mt nl no "
    "oc pl pt qu ro sk sl sq su sv sw tl tr uz zh zh-hans zh-hant de-fraktur".split()
)
_NOT_TINY = frozenset({"ja"})


def parse(text: str) -> tuple[str, ...]:
    """`auto`, or codes joined by `+` or `,` such as `ru+en`; Tesseract's own names (`rus`) are understood too.

    Raises UsageError for a code that is not known.
    """
    if text.strip().lower() == "auto":
        return ("auto",)
    by_tesseract = {name: code for code, name in reversed(TESSERACT.items())}
    codes = []
    for part in text.replace(",", "+").split("+"):
        code = part.strip().lower().replace("_", "-") if part.strip() not in by_tesseract else by_tesseract[part.strip()]
        if code not in TESSERACT:
            raise UsageError(f"unknown language {part.strip()!r}; use ISO 639-1 codes such as en, zh, ru, joined by +")
        codes.append(code)
    return tuple(dict.fromkeys(codes))


def beyond_pp_ocr(codes: tuple[str, ...], tier: str) -> bool:
    """Whether one of the languages has letters that the tier's recognition network lacks."""
    return any(c != "auto" and (c not in _PP_OCR or (tier == "fast" and c in _NOT_TINY)) for c in codes)
