from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from octavo.engines.identification import assigned, languages_of, of_lines, ranked, script_name
from octavo.engines.writing import script_of

TEXTS = {
    "en": "All human beings are born free and equal in dignity and rights. They are endowed with reason.",
    "de": "Alle Menschen sind frei und gleich an Würde und Rechten geboren. Sie sind mit Vernunft begabt.",
    "fr": "Tous les êtres humains naissent libres et égaux en dignité et en droits. Ils sont doués de raison.",
    "es": "Todos los seres humanos nacen libres e iguales en dignidad y derechos y, dotados como están de razón",
    "cs": "Všichni lidé rodí se svobodní a sobě rovní co do důstojnosti a práv. Jsou nadáni rozumem a svědomím.",
    "pl": "Wszyscy ludzie rodzą się wolni i równi pod względem swej godności i swych praw.",
    "vi": "Tất cả mọi người sinh ra đều được tự do và bình đẳng về nhân phẩm và quyền lợi.",
    "ru": "Все люди рождаются свободными и равными в своём достоинстве и правах. Они наделены разумом.",
    "uk": "Всі люди народжуються вільними і рівними у своїй гідності та правах. Вони наділені розумом.",
    "bg": "Всички хора се раждат свободни и равни по достойнство и права. Те са надарени с разум.",
    "sr": "Сва људска бића рађају се слободна и једнака у достојанству и правима.",
    "el": "Όλοι οι άνθρωποι γεννιούνται ελεύθεροι και ίσοι στην αξιοπρέπεια και τα δικαιώματα.",
    "ar": "يولد جميع الناس أحرارا متساوين في الكرامة والحقوق وقد وهبوا عقلا وضميرا",
    "fa": "تمام افراد بشر آزاد به دنیا می‌آیند و از لحاظ حیثیت و حقوق با هم برابرند",
    "ur": "تمام انسان آزاد اور حقوق و عزت کے اعتبار سے برابر پیدا ہوئے ہیں۔",
    "he": "כל בני האדם נולדו בני חורין ושווים בערכם ובזכויותיהם",
    "hi": "सभी मनुष्यों को गौरव और अधिकारों के मामले में जन्मजात स्वतन्त्रता और समानता प्राप्त है",
    "mr": "सर्व मनुष्यजात जन्मतःच स्वतंत्र आहे व सर्वजणांना समान प्रतिष्ठा व समान अधिकार आहेत",
    "ne": "सबै व्यक्तिहरू जन्मजात स्वतन्त्र हुन् ती सबैको समान अधिकार र महत्व छ",
    "bn": "সমস্ত মানুষ স্বাধীনভাবে সমান মর্যাদা এবং অধিকার নিয়ে জন্মগ্রহণ করে",
    "th": "มนุษย์ทั้งหลายเกิดมามีอิสระและเสมอภาคกันในเกียรติศักดิ์และสิทธิ",
    "ko": "모든 인간은 태어날 때부터 자유로우며 그 존엄과 권리에 있어 동등하다",
    "ja": "すべての人間は、生まれながらにして自由であり、かつ、尊厳と権利とについて平等である",
    "zh-hans": "人人生而自由，在尊严和权利上一律平等。他们赋有理性和良心",
    "zh-hant": "人人生而自由，在尊嚴和權利上一律平等。他們賦有理性和良心",
    "ka": "ყველა ადამიანი იბადება თავისუფალი და თანასწორი",
}


@pytest.mark.parametrize("code", TEXTS)
def test_a_sentence_is_enough(code: str) -> None:
    assert languages_of(TEXTS[code]) == (code,)


def test_vietnamese_is_known_by_what_a_network_without_its_marks_makes_of_it() -> None:
    read = "Sau khi cài đt xong, bn cūng có kh năng cãu hình h thng d s dng IDSN và PPP."
    assert of_lines(["The system can be installed from a disk or over the network.", read]) == ["en", "vi"]


def test_the_most_used_language_comes_first() -> None:
    assert languages_of("\n".join([TEXTS["ru"]] * 4 + [TEXTS["en"]] * 3)) == ("ru", "en")


@pytest.mark.parametrize("text", ["", "12.50\n3 + 4", "σ² = μ + α\nβ ≤ γ", "S0.46 GST\n/usr/bin/x_y.conf"])
def test_what_is_in_no_language(text: str) -> None:
    assert languages_of(text) == ()


def test_commands_and_addresses_do_not_count() -> None:
    line = "apt-get install x11-xserver-utils /var/lib/dpkg/info/package_name.conf"
    assert languages_of("\n".join([TEXTS["de"], line, line, line])) == ("de",)


def test_han_lines_between_japanese_ones_are_japanese() -> None:
    assert of_lines([TEXTS["ja"], "世界人権宣言", "第一条"]) == ["ja"] * 3


def test_told_languages_are_not_doubted() -> None:
    assert of_lines([TEXTS["uk"], TEXTS["en"]], ("ru", "en")) == ["ru", "en"]
    assert of_lines(["Всі люди", "12"], ("ru",)) == ["ru", ""]


def test_assigning_goes_by_the_script() -> None:
    lines = [TEXTS["ru"], "Linux kernel", "2026", "世界", "שלום"]
    assert assigned(lines, ("ru", "en", "ja")) == ["ru", "en", "", "ja", ""]


def test_rarely_used_languages_are_left_out() -> None:
    assert ranked(Counter({"en": 95, "de": 5, "fr": 3, "": 50})) == ("en", "de")


@pytest.mark.parametrize(
    ("code", "name"),
    [("en", "Latin"), ("zh", "Han"), ("zh-hant", "Han"), ("sr", "Cyrillic"), ("de-fraktur", "Fraktur")],
)
def test_the_script_of_a_language(code: str, name: str) -> None:
    assert script_name(code) == name


@given(st.lists(st.text(max_size=40), max_size=6))
def test_every_line_gets_a_code_or_none(lines: list[str]) -> None:
    codes = of_lines(lines)
    assert len(codes) == len(lines)
    assert all(not code for line, code in zip(lines, codes, strict=True) if not any(map(script_of, line)))
