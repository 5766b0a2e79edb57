"""The measuring programs: that they count what they say, on small inputs."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from benchmarks import evaluate, evaluation_report, sections  # noqa: E402  # the path comes first
from benchmarks.bench_pages import BenchPage, bench_pages  # noqa: E402
from benchmarks.bench_report import Measured  # noqa: E402
from benchmarks.evaluation_report import Evaluated  # noqa: E402
from benchmarks.evaluation_run import Run, read_cases  # noqa: E402
from benchmarks.evaluation_set import Case  # noqa: E402
from benchmarks.long_scan import Template  # noqa: E402
from benchmarks.memory_log import Log, Sample, convert_watched  # noqa: E402
from benchmarks.peer import Peer, Reading  # noqa: E402
from benchmarks.scan_file import ScanFile  # noqa: E402
from benchmarks.system_child import Loaded  # noqa: E402
from benchmarks.words import word_f1, words  # noqa: E402

from octavo.intake import open_source  # noqa: E402
from octavo.settings import Settings  # noqa: E402


@pytest.mark.parametrize(
    ("text", "bag"),
    [
        ("Paper, paper! ﬁne", {"paper": 2, "fine": 1}),
        ("# A *bold* move (1784)", {"a": 1, "bold": 1, "move": 1, "1784": 1}),
        ("mak-\ners well-made", {"makers": 1, "well": 1, "made": 1}),
        ("<table><tr><td>a</td><td>b &amp; c</td></tr></table><!-- page 2 -->", {"a": 1, "b": 1, "c": 1}),
        ("纸张and纸", {"纸": 2, "张": 1, "and": 1}),
        ("Straße STRASSE", {"strasse": 2}),
        ("— * |", {}),
    ],
)
def test_words_of_a_text(text: str, bag: dict[str, int]) -> None:
    assert dict(words(text)) == bag


def test_word_f1_counts_words_missed_and_words_made_up() -> None:
    assert word_f1("one two three", "two one four") == pytest.approx(2 * 2 / 6)
    assert word_f1("one one", "one") == pytest.approx(2 * 1 / 3)
    assert word_f1("", "one") == 0
    assert word_f1("", "") == 1


def test_optional_words_are_neither_asked_for_nor_wrong() -> None:
    assert word_f1("Page 7 one two", "one two", optional="Page 7") == 1
    assert word_f1("one two", "one two", optional="Page 7") == 1
    assert word_f1("Page 7 8 one two", "one two", optional="Page 7") == pytest.approx(2 * 2 / 5)


@given(st.lists(st.text("abcde", min_size=1), min_size=1), st.randoms(use_true_random=False))
def test_the_order_of_words_does_not_count(some: list[str], random: object) -> None:
    shuffled = list(some)
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    assert word_f1(" ".join(shuffled), " ".join(some)) == 1


def test_a_section_is_replaced_and_the_rest_stays(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("top\n<!-- generated: a -->\nold\n<!-- end: a -->\nbottom\n", encoding="utf-8")
    sections.replace("a", "new\n", page)
    assert page.read_text(encoding="utf-8") == "top\n<!-- generated: a -->\nnew\n<!-- end: a -->\nbottom\n"
    with pytest.raises(ValueError, match="exactly one <!-- generated: b -->"):
        sections.replace("b", "new", page)


@pytest.mark.parametrize("name", ["bench", "evaluation", "evaluation-told", "long-document"])
def test_the_page_has_every_section(name: str, tmp_path: Path) -> None:
    copy = tmp_path / "benchmarks.md"
    copy.write_text(sections.PAGE.read_text(encoding="utf-8"), encoding="utf-8")
    sections.replace(name, "measured", copy)
    assert "measured" in copy.read_text(encoding="utf-8").splitlines()


def test_scores_have_three_places() -> None:
    assert [sections.score(value) for value in (None, 0.0, 0.9494, 0.99949, 0.9996, 1.0)] == [
        "–", ".000", ".949", ".999", "1.0", "1.0",
    ]  # fmt: skip


def test_no_evaluation_set_is_no_error_unless_it_was_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(evaluate, "DEV", tmp_path / "dev")
    assert evaluate.main([]) == 0
    assert "No evaluation set" in capsys.readouterr().err
    assert evaluate.main(["--data", str(tmp_path)]) == 2


def test_cases_are_read_and_what_is_not_is_named(models_dir: Path, tmp_path: Path) -> None:
    good = Case("good", "text", "en", 6, ROOT / "examples/report-digital.pdf", "", ())
    gone = Case("gone", "text", "de", 1, tmp_path / "gone.pdf", "", ())
    run = read_cases([gone, good], "fast", tmp_path, told=True, seconds=120)
    assert run.pages == {"good": 6}
    assert run.by_text_layer == 6
    assert "From Rags to Reams" in (tmp_path / "good.md").read_text(encoding="utf-8")
    assert [line.partition(":")[0] for line in run.failures] == ["gone"]
    assert 0 < run.cpu_seconds["good"] < run.all_cpu_seconds


def test_cases_that_the_time_does_not_reach_are_named(tmp_path: Path) -> None:
    case = Case("late", "text", "en", 6, ROOT / "examples/report-digital.pdf", "", ())
    run = read_cases([case], "fast", tmp_path, told=False, seconds=0)
    assert run.failures == ["late: not read, the time was over"]
    assert not list(tmp_path.glob("*.md"))


def test_the_evaluation_is_held_against_the_better_baseline() -> None:
    cases = [Case(name, "photo", "en", 1, Path("x.png"), "", ()) for name in ("a", "b")]
    run = Run(pages={"a": 1, "b": 3}, cpu_seconds={"a": 2.0, "b": 4.0})
    scores = {
        "headline": 0.9,
        "kinds": {"photo": {"overall": 0.9, "text": 0.8, "order": None, "teds": 0.25}},
        "cases": {"a": {"overall": 0.88, "text": 0.8}, "b": {"overall": 0.92, "text": None}},
    }
    one = {"kinds": {"photo": {"overall": 0.89, "text": 0.7}}, "cases": {"a": {"kind": "photo", "overall": 0.89}}}
    two = {
        "kinds": {"photo": {"overall": 0.87, "text": 0.9}},
        "cases": {"a": {"kind": "photo", "overall": 0.84}, "b": {"kind": "photo", "overall": 0.9}},
    }
    text = evaluation_report.section(
        cases, {"standard": Evaluated(run, scores)}, {"tesseract": one, "rapidocr": two}, told=False, minutes=1
    )
    assert "| photo | 2 | 2 | **.900** .800 / – / .250 | **.890** .700 (1) | **.870** .900 | 1.50 |" in text
    # Against the one that read a single case, only that case counts: better on average is not better on the same.
    assert "| photo: the better baseline, on its cases | .880 | .890 | **no** |" in text
    assert "| mean over kinds | .900 | .850 | yes |" in text


def test_languages_are_reported_where_there_is_a_transcription() -> None:
    cases = [Case(name, "photo", lang, 1, Path("x.png"), "text", ()) for name, lang in (("a", "de"), ("b", "el"))]
    scores = {"headline": 0.9, "kinds": {}, "cases": {"a": {"text": 0.5}, "b": {"text": None}}}
    text = evaluation_report.section(cases, {"standard": Evaluated(Run(), scores)}, {}, told=True, minutes=1)
    assert "| de | 1 | .500 |" in text
    assert "| el | 1 | – |" in text


def test_a_page_counts_with_its_median_and_networks_with_their_share() -> None:
    rounds = [[Reading(cpu, cpu, cpu * 0.9, 1.0), Reading(10.0, 10.0, 9.0, 0.5)] for cpu in (2.0, 90.0, 4.0)]
    measured = Measured("octavo fast", Loaded(), 0, rounds)
    assert measured.cpu == pytest.approx(7.0)
    assert measured.f1 == pytest.approx(0.75)
    assert measured.outside == pytest.approx(0.1)


def example_page(scratch: Path) -> BenchPage:
    return bench_pages(scratch, data=scratch / "absent")[0]


def test_octavo_is_measured_in_a_process_of_its_own(models_dir: Path, tmp_path: Path) -> None:
    with Peer("octavo fast") as peer:
        reading = peer.read(example_page(tmp_path))
    assert reading.f1 > 0.95
    assert 0 < reading.networks < reading.cpu
    assert peer.peak > 100_000_000  # the networks alone


@pytest.mark.skipif(shutil.which("tesseract") is None, reason="Tesseract is not installed")
def test_a_program_is_measured_with_what_it_holds(tmp_path: Path) -> None:
    with Peer("Tesseract") as peer:
        reading = peer.read(example_page(tmp_path))
    assert reading.f1 > 0.95
    assert reading.cpu > 0.05
    assert peer.peak > 20_000_000


def test_a_scan_file_is_a_pdf_with_a_picture_on_each_page(tmp_path: Path) -> None:
    path = tmp_path / "scan.pdf"
    levels = (40, 120, 200)
    with ScanFile(path) as file:
        for level in levels:
            done, jpeg = cv2.imencode(".jpg", np.full((300, 200), level, np.uint8))
            assert done
            file.add(jpeg.tobytes(), 200, 300, dpi=100)
    opened = open_source(path, Settings())
    assert opened.source.pages == 3
    for number, level in enumerate(levels, 1):
        page = opened.page(number)
        assert (page.width, page.height) == (144, 216)
        assert np.abs(page.render(100).astype(int) - level).max() <= 2
    opened.close()


def test_no_two_pages_of_a_long_scan_are_the_same_picture() -> None:
    template = Template(np.full((64, 64), 128, np.uint8), 80)
    variants = [template.variant(number) for number in range(20)]
    assert len(set(variants)) == 20
    assert template.variant(7) == variants[7]


def test_memory_at_a_page_is_the_median_just_before_it() -> None:
    log = Log([Sample(pages, 100, (pages, 1000 * (pages == 190))) for pages in range(0, 400, 10)])
    assert log.tree_at(200) == 100 + 190 + 10  # of 180, 190 with its peak, and 200
    assert log.tree_at(5) == 100
    assert log.tree_at(395) == 100 + 385


def test_a_conversion_is_watched_to_its_end(models_dir: Path, tmp_path: Path) -> None:
    settings = Settings(models_dir=str(models_dir), data_dir=str(tmp_path), tier="fast", workers=1)
    out = tmp_path / "out.md"
    log = convert_watched(ROOT / "examples/report-digital.pdf", [out], settings, 6)
    assert log.exit_status == 0
    assert log.numbers == [1, 2, 3, 4, 5, 6]
    assert dict(log.statuses) == {"ok": 6}
    assert out.exists()
    assert any(sample.children and sample.tree > sample.parent > 0 for sample in log.samples)
