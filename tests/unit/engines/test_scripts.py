"""Who reads which lines, told by stand-ins for the network and for Tesseract."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import pytest

from octavo.engines import tesseract_program as program
from octavo.engines.pipeline import readers, scripts, sheet
from octavo.engines.pipeline.detection import Found
from octavo.engines.pipeline.page_lines import PageLines, trust
from octavo.engines.pipeline.recognition import Reading
from octavo.engines.pipeline.scripts import NETWORK, Survey, data_for, data_of, survey
from octavo.engines.pipeline.sheet import SheetLine, SheetWord
from octavo.engines.tesseract_program import Look
from octavo.engines.writing import BY_NAME
from octavo.errors import LanguageMissingError

ENGLISH = "All human beings are born free and equal in dignity and rights"
RUSSIAN = "Все люди рождаются свободными и равными в своём достоинстве"
ARABIC = "يولد جميع الناس أحرارا متساوين في الكرامة والحقوق"
GEORGIAN = "ყველა ადამიანი იბადება თავისუფალი და თანასწორი"
VIETNAMESE = "Tất cả mọi người sinh ra đều được tự do và bình đẳng"


def reading(text: str, confidence: float) -> Reading:
    return Reading(text, confidence, tuple(i / max(1, len(text)) for i in range(len(text))), (confidence,) * len(text))


@dataclass
class Network:
    """Reads line `n`, whose picture is of the shade `n`; upside down as `turned` says."""

    texts: list[tuple[str, float]]
    turned: list[tuple[str, float]] = field(default_factory=list)

    def read(self, picture: np.ndarray) -> Reading:
        upright = picture[0, 0, 1] == 0
        return reading(*(self.texts if upright else self.turned or [("", 0.0)] * 99)[int(picture[0, 0, 0])])


@dataclass
class Tesseract:
    """Answers by the data's name with the texts of the lines; `seen` is what it takes the script for."""

    seen: Look | None
    texts: dict[str, list[tuple[str, float]]] = field(default_factory=dict)
    turned: dict[str, list[tuple[str, float]]] = field(default_factory=dict)
    asked: list[tuple[str, int]] = field(default_factory=list)

    def read(self, pictures: list[np.ndarray], names: str) -> list[SheetLine]:
        if pictures:
            self.asked.append((names, len(pictures)))
        return [self._line(picture, names) for picture in pictures]

    def _line(self, picture: np.ndarray, names: str) -> SheetLine:
        known = self.texts if picture[0, 0, 1] == 0 else self.turned
        text, confidence = known.get(names, [("§", 0.1)] * 99)[int(picture[0, 0, 0])]
        words = text.split()
        return SheetLine(tuple(SheetWord(w, i / len(words), 1.0, confidence) for i, w in enumerate(words)))


def page(network: Network, length: float = 30.0) -> PageLines:
    """Lines below each other; each shows its number, and which way up it is."""
    count = len(network.texts)
    pixels = np.zeros((60 * count, int(20 * length) + 40, 3), np.uint8)
    found = []
    for n in range(count):
        top = 60.0 * n + 20
        pixels[60 * n : 60 * n + 60, :, 0] = n
        pixels[60 * n + 30 : 60 * n + 60, :, 1] = 9  # what is at the top when it is turned round
        right = 20 + 20 * length
        found.append(Found(np.array(((20, top), (right, top), (right, top + 20), (20, top + 20)), np.float32), 1.0))
    return PageLines(network, pixels, found)  # type: ignore[arg-type]


@pytest.fixture
def installed(monkeypatch: pytest.MonkeyPatch) -> set[str]:
    """Names of the data that Tesseract is said to have."""
    names = {"osd", "eng", "Cyrillic", "Arabic", "rus", "ukr"}
    monkeypatch.setattr(program, "found", lambda: True)
    monkeypatch.setattr(program, "installed", lambda: names)
    return names


def use(monkeypatch: pytest.MonkeyPatch, tesseract: Tesseract) -> Tesseract:
    monkeypatch.setattr(sheet, "read", tesseract.read)
    monkeypatch.setattr(sheet, "look", lambda _: tesseract.seen)
    return tesseract


def test_what_the_network_knows_starts_no_process(monkeypatch: pytest.MonkeyPatch, installed: set[str]) -> None:
    monkeypatch.setattr(sheet, "look", lambda _: pytest.fail("a process was started"))
    lines = page(Network([(ENGLISH, 0.98)] * 9))
    assert survey(lines, "standard") == NETWORK
    read = readers.read(lines, NETWORK, (), "standard")
    assert [line.text for line in read.lines] == [ENGLISH] * 9
    assert read.languages == ("en",)
    assert not read.warnings


def test_the_network_reads_each_line_once(monkeypatch: pytest.MonkeyPatch, installed: set[str]) -> None:
    network = Network([(ENGLISH, 0.98)] * 9)
    calls = []
    plain = network.read
    monkeypatch.setattr(network, "read", lambda picture: calls.append(1) or plain(picture))
    lines = page(network)
    found = survey(lines, "standard")
    readers.read(lines.parted(lines.found), found, (), "standard")
    assert len(calls) == 9


def test_few_characters_on_a_long_line_are_not_believed() -> None:
    assert trust(reading(", ,", 0.97), 30) < 0.2
    assert trust(reading(ENGLISH, 0.97), 30) == pytest.approx(0.97)
    assert trust(reading("人" * 20, 0.97), 20) == pytest.approx(0.97)


def test_a_script_is_named_confirmed_and_read(monkeypatch: pytest.MonkeyPatch, installed: set[str]) -> None:
    tesseract = use(monkeypatch, Tesseract(Look("Cyrillic", 0, 4.0), {"Cyrillic": [(RUSSIAN, 0.95)] * 9}))
    lines = page(Network([(", ,", 0.9)] * 9))
    found = survey(lines, "standard")
    assert found == Survey("Cyrillic", "Cyrillic", "ru")
    read = readers.read(lines, found, (), "standard")
    assert [line.text for line in read.lines] == [RUSSIAN] * 9
    assert {line.lang for line in read.lines} == {"ru"}
    assert {line.reader for line in read.lines} == {"tesseract"}
    assert tesseract.asked == [("Cyrillic", 4), ("Cyrillic", 9)]


def test_a_name_that_the_trial_does_not_bear_out_counts_for_nothing(
    monkeypatch: pytest.MonkeyPatch, installed: set[str]
) -> None:
    use(monkeypatch, Tesseract(Look("Cyrillic", 0, 4.0), {"Cyrillic": [("Тhе гоад то", 0.3)] * 9}))
    assert survey(page(Network([("The road to", 0.8)] * 9)), "standard") == NETWORK


def test_another_scripts_letters_are_no_proof(monkeypatch: pytest.MonkeyPatch, installed: set[str]) -> None:
    use(monkeypatch, Tesseract(Look("Cyrillic", 0, 4.0), {"Cyrillic": [(ENGLISH, 0.95)] * 9}))
    assert survey(page(Network([(ENGLISH, 0.8)] * 9)), "standard") == NETWORK


def test_greek_that_the_network_writes_is_looked_into(monkeypatch: pytest.MonkeyPatch, installed: set[str]) -> None:
    greek = "Όλοι οι άνθρωποι γεννιούνται ελεύθεροι και ίσοι στην αξιοπρέπεια"
    installed.add("ell")
    use(monkeypatch, Tesseract(Look("Cyrillic", 0, 4.0), {"ell": [(greek, 0.9)] * 9}))
    assert survey(page(Network([("λοι ι ρωποι ενιο", 0.8)] * 9)), "standard") == Survey("ell", "Greek", "el")


def test_a_page_upside_down_is_found_out(monkeypatch: pytest.MonkeyPatch, installed: set[str]) -> None:
    use(monkeypatch, Tesseract(Look("Arabic", 180, 5.0), turned={"Arabic": [(ARABIC, 0.9)] * 9}))
    assert survey(page(Network([("", 0.0)] * 9)), "standard") == Survey("Arabic", "Arabic", "ar", 180)


def test_an_unsure_turn_is_tried_both_ways(monkeypatch: pytest.MonkeyPatch, installed: set[str]) -> None:
    look = Look("Arabic", 0, 0.4)
    use(monkeypatch, Tesseract(look, turned={"Arabic": [(ARABIC, 0.9)] * 9}))
    assert survey(page(Network([("", 0.0)] * 9)), "standard").turn == 180
    use(monkeypatch, Tesseract(look, {"Arabic": [(ARABIC, 0.9)] * 9}))
    assert survey(page(Network([("", 0.0)] * 9)), "standard").turn == 0


def test_english_upside_down_stays_with_the_network(monkeypatch: pytest.MonkeyPatch, installed: set[str]) -> None:
    tesseract = use(monkeypatch, Tesseract(Look("Latin", 180, 5.0)))
    lines = page(Network([("sʇɥƃıɹ", 0.4)] * 9, turned=[(ENGLISH, 0.97)] * 9))
    assert survey(lines, "standard") == Survey(turn=180)
    assert tesseract.asked == []


def test_a_script_that_osd_does_not_know_is_found_blindly(monkeypatch: pytest.MonkeyPatch, installed: set[str]) -> None:
    installed |= {"Georgian", "Khmer"}
    texts = {"Georgian+Khmer": [(GEORGIAN, 0.9)] * 9, "Georgian": [(GEORGIAN, 0.95)] * 9}
    use(monkeypatch, Tesseract(Look("Arabic", 0, 4.0), texts))
    assert survey(page(Network([("x", 0.5)] * 9)), "standard") == Survey("Georgian", "Georgian", "ka")


def test_missing_data_is_told_with_its_package(monkeypatch: pytest.MonkeyPatch, installed: set[str]) -> None:
    installed.clear()
    installed |= {"osd", "eng"}
    use(monkeypatch, Tesseract(Look("Cyrillic", 0, 4.0)))
    lines = page(Network([(", ,", 0.9)] * 8 + [(ENGLISH, 0.98)]))
    found = survey(lines, "standard")
    assert found == Survey(missing="Cyrillic")
    read = readers.read(lines, found, (), "standard")
    assert [line.text for line in read.lines] == [ENGLISH]
    (warning,) = read.warnings
    assert warning.code == "language-missing"
    assert "Cyrillic" in warning.message
    assert warning.message.endswith("apt-get install tesseract-ocr-script-cyrl")


def test_without_tesseract_garbage_is_still_not_text(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(program, "found", lambda: False)
    lines = page(Network([(", ,", 0.9)] * 9))
    found = survey(lines, "standard")
    assert found == Survey(missing="unknown")
    read = readers.read(lines, found, (), "standard")
    assert read.lines == []
    (warning,) = read.warnings
    assert warning.code == "language-missing"
    assert "tesseract-ocr-" in warning.message


def test_bad_print_is_no_unknown_script(monkeypatch: pytest.MonkeyPatch, installed: set[str]) -> None:
    use(monkeypatch, Tesseract(None))
    assert survey(page(Network([(ENGLISH, 0.7)] * 9)), "standard") == NETWORK


def test_a_line_in_another_script_goes_to_another_reader(monkeypatch: pytest.MonkeyPatch, installed: set[str]) -> None:
    russian = [("", 0.0)] * 3 + [(RUSSIAN, 0.95)] + [("", 0.0)] * 5
    tesseract = use(monkeypatch, Tesseract(Look("Cyrillic", 0, 4.0), {"Cyrillic": russian}))
    texts = [(ENGLISH, 0.98)] * 9
    texts[3] = ("Bce nuo", 0.6)
    lines = page(Network(texts))
    read = readers.read(lines, survey(lines, "standard"), (), "standard")
    assert [line.text for line in read.lines] == [ENGLISH] * 3 + [RUSSIAN] + [ENGLISH] * 5
    assert read.languages == ("en", "ru")
    assert read.lines[3].lang == "ru"
    assert all(count == 1 for _, count in tesseract.asked)


def test_lines_that_nothing_reads_are_left_out_of_a_page_that_is_known(
    monkeypatch: pytest.MonkeyPatch, installed: set[str]
) -> None:
    installed.remove("Arabic")
    use(monkeypatch, Tesseract(Look("Arabic", 0, 4.0)))
    lines = page(Network([(ENGLISH, 0.98)] * 7 + [("9mっ罚9", 0.6)] * 3))
    read = readers.read(lines, survey(lines, "standard"), (), "standard")
    assert [line.text for line in read.lines] == [ENGLISH] * 7
    assert [warning.message.rpartition(" ")[2] for warning in read.warnings] == ["tesseract-ocr-script-arab"]


def test_english_words_in_a_russian_line_are_read_with_english_data(
    monkeypatch: pytest.MonkeyPatch, installed: set[str]
) -> None:
    mixed = "Пакет postfix доступен в Debian для всех систем"
    texts = {
        "Cyrillic": [(RUSSIAN, 0.95)] * 8 + [("Пакет розИх доступен в ОеЫап для всех систем", 0.7)],
        "Cyrillic+eng": [("", 0.0)] * 8 + [(mixed, 0.93)],
    }
    tesseract = use(monkeypatch, Tesseract(Look("Cyrillic", 0, 4.0), texts))
    lines = page(Network([(", ,", 0.9)] * 9))
    read = readers.read(lines, Survey("Cyrillic", "Cyrillic", "ru"), (), "standard")
    assert read.lines[8].text == mixed
    assert tesseract.asked == [("Cyrillic", 9), ("Cyrillic+eng", 1)]


def test_a_number_that_only_the_network_reads_is_kept(monkeypatch: pytest.MonkeyPatch, installed: set[str]) -> None:
    use(monkeypatch, Tesseract(None, {"Cyrillic": [(RUSSIAN, 0.95)] * 8 + [("15", 0.4)]}))
    lines = page(Network([(", ,", 0.9)] * 8 + [("2026 0000 1111 2222", 0.99)]))
    read = readers.read(lines, Survey("Cyrillic", "Cyrillic", "ru"), ("ru",), "standard")
    assert read.lines[8].text == "2026 0000 1111 2222"
    assert read.lines[8].reader == "network"


def test_letters_that_the_network_leaves_out_are_read_by_tesseract(
    monkeypatch: pytest.MonkeyPatch, installed: set[str]
) -> None:
    without = "Tt c mi ngi sinh ra đu đưc t do và bình đng v nhân phm và quyn li"
    lines = page(Network([(ENGLISH, 0.99)] * 5 + [(without, 0.97)] * 4))
    tesseract = use(monkeypatch, Tesseract(None, {"vie": [("", 0.0)] * 5 + [(VIETNAMESE, 0.92)] * 4}))
    read = readers.read(lines, NETWORK, (), "standard")
    assert [line.text for line in read.lines] == [ENGLISH] * 5 + [without] * 4
    assert [warning.message.rpartition(" ")[2] for warning in read.warnings] == ["tesseract-ocr-vie"]
    installed.add("vie")
    read = readers.read(lines, NETWORK, (), "standard")
    assert [line.text for line in read.lines] == [ENGLISH] * 5 + [VIETNAMESE] * 4
    assert not read.warnings
    assert tesseract.asked == [("vie", 4)]


@pytest.mark.parametrize(
    ("script", "language", "vertical", "names", "wanted"),
    [
        ("Cyrillic", "uk", False, {"Cyrillic", "ukr"}, "Cyrillic"),
        ("Cyrillic", "uk", False, {"rus", "ukr"}, "ukr"),
        ("Cyrillic", "bg", False, {"rus", "ukr", "bel"}, "rus+ukr"),
        ("Cyrillic", "", False, {"eng"}, ""),
        ("Hangul", "ko", False, {"Hangul", "kor"}, "kor"),
        ("Bengali", "bn", False, {"Bengali"}, "Bengali"),
        ("Japanese", "ja", True, {"jpn", "jpn_vert", "Japanese_vert"}, "jpn_vert"),
        ("Japanese", "ja", True, {"jpn"}, "jpn"),
        ("Han", "zh-hant", False, {"HanS", "HanT"}, "HanT"),
    ],
)
def test_the_data_that_reads_best(
    monkeypatch: pytest.MonkeyPatch, script: str, language: str, vertical: bool, names: set[str], wanted: str
) -> None:
    monkeypatch.setattr(program, "installed", lambda: names)
    assert data_for(BY_NAME[script], language, vertical=vertical) == wanted


def test_told_languages_need_their_own_data(installed: set[str]) -> None:
    assert data_of(("ru",)) == "Cyrillic"
    assert data_of(("ru", "en")) == "rus+eng"
    with pytest.raises(LanguageMissingError, match="tesseract-ocr-kor"):
        data_of(("ko",))
    installed.remove("Cyrillic")
    with pytest.raises(LanguageMissingError, match="tesseract-ocr-bul"):
        data_of(("bg",))


def test_the_sample_is_of_long_lines_from_all_over_the_page() -> None:
    lines = page(Network([(ENGLISH, 0.9)] * 40))
    sample = lines.sample(8)
    assert len(sample) == 8
    assert sample == sorted(sample)
    assert lines.sample(8, [3, 5]) == [3, 5]
    assert page(Network([])).sample(8) == []


def test_turning_by_trial_asks_for_few_processes(monkeypatch: pytest.MonkeyPatch, installed: set[str]) -> None:
    installed |= {"Georgian"}
    tesseract = use(monkeypatch, Tesseract(Look("Arabic", 0, 0.2)))
    assert scripts.survey(page(Network([("x", 0.3)] * 30)), "standard") == Survey(missing="unknown")
    assert [names for names, _ in tesseract.asked] == ["Arabic", "Georgian"]
