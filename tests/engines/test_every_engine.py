"""What every engine owes: real weights, real pages, and results that say where things stand on the page."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import msgspec
import numpy as np
import pytest
from drawn import PROSE, RUSSIAN, Drawn, alike, dejavu, draw, text_of
from loaded import SORTS, loaded, needs_tesseract, settings_of
from PIL import Image

from octavo.document import Box, Page, PageResult, PageStatus
from octavo.engines import engine as engines
from octavo.engines.engine import Engine, Task
from octavo.errors import ImageTooLargeError, LanguageMissingError, UsageError

PROSE_PAGE = draw()


def read(engine: Engine, page: Page, **task: object) -> PageResult:
    (result,) = engine.recognize([page], Task(**task))  # type: ignore[arg-type]
    return result


def boxes(result: PageResult) -> Iterator[Box]:
    for block in result.blocks:
        yield block.box
        yield from (cell.box for cell in block.cells)
        for line in block.lines:
            yield from (line.box, *(word.box for word in line.words))


def inside(box: Box, outer: Box, slack: float) -> bool:
    return all(a >= b - slack for a, b in zip(box[:2], outer[:2], strict=True)) and all(
        a <= b + slack for a, b in zip(box[2:], outer[2:], strict=True)
    )


def assert_sound(result: PageResult, page: Page) -> None:
    """What holds for every result, whatever was on the page."""
    assert (result.page, result.width, result.height, result.unit) == (page.number, page.width, page.height, page.unit)
    assert result.rotation in (0, 90, 180, 270)
    assert result.stamp is not None
    assert result.usage.seconds >= 0
    assert msgspec.json.decode(msgspec.json.encode(result), type=PageResult) == result
    slack = 0.01 * max(page.width, page.height)  # lines are grown a little by the detection
    assert all(inside(box, (0, 0, page.width, page.height), slack) for box in boxes(result))
    assert all(x0 <= x1 and y0 <= y1 for x0, y0, x1, y1 in boxes(result))
    scores = [result.confidence]
    for block in result.blocks:
        scores.append(block.confidence)
        for line in block.lines:
            assert line.text.strip()
            assert inside(line.box, block.box, 1)
            assert alike("".join(word.text for word in line.words), line.text) == 1
            scores += [line.confidence, *(word.confidence for word in line.words)]
            assert all(inside(word.box, line.box, 1) for word in line.words)
    assert all(0 <= score <= 1 for score in scores)


def assert_reads(result: PageResult, drawn: Drawn, per_unit: float = 1.0) -> None:
    """The text is what was drawn, and its words stand where they were drawn; `per_unit` is pixels per page unit."""
    assert result.status is PageStatus.OK
    assert result.text_source == "ocr"
    assert alike(text_of(result), drawn.text) > 0.97
    told = {word.text.strip(".,"): word.box for b in result.blocks for line in b.lines for word in line.words}
    times = Counter(text.strip(".,") for _, text, _ in drawn.words)
    once = [(text.strip(".,"), box) for _, text, box in drawn.words if times[text.strip(".,")] == 1]
    found = [(text, told[text], box) for text, box in once if text in told]
    assert len(found) > 0.6 * len(once)
    for text, box, (x0, y0, x1, y1) in found:
        x, y = (box[0] + box[2]) / 2 * per_unit, (box[1] + box[3]) / 2 * per_unit
        assert x0 - 12 <= x <= x1 + 12, (text, box)
        assert y0 - 12 <= y <= y1 + 12, (text, box)


# ---- what is on the page, and where


@pytest.mark.parametrize("dpi", [0, 150])
def test_a_plain_page(engine: Engine, dpi: int) -> None:
    page = PROSE_PAGE.page(7, dpi)
    result = read(engine, page)
    assert_sound(result, page)
    assert_reads(result, PROSE_PAGE, dpi / 72 if dpi else 1.0)
    assert (result.rotation, result.skew) == (0, 0)
    assert result.confidence > 0.8


@pytest.mark.parametrize("degrees", [90, 180, 270])
def test_a_page_that_lies(engine: Engine, degrees: int) -> None:
    drawn = PROSE_PAGE.turned(degrees)
    result = read(engine, drawn.page())
    assert_sound(result, drawn.page())
    assert_reads(result, drawn)
    assert result.rotation == 360 - degrees


@pytest.mark.parametrize("degrees", [2, -3])
def test_a_skewed_page(engine: Engine, degrees: float) -> None:
    drawn = PROSE_PAGE.skewed(degrees)
    result = read(engine, drawn.page())
    assert_sound(result, drawn.page())
    assert_reads(result, drawn)
    assert result.rotation == 0
    assert result.skew == pytest.approx(degrees, abs=0.6)


def test_a_page_larger_than_the_engine_takes_at_once(engine: Engine) -> None:
    lines = [f"station {chr(97 + i) * 3} of the long line" for i in range(18)]
    drawn = draw(lines, (800, 9000), step=500, at=(60, 60))
    result = read(engine, drawn.page())
    assert_sound(result, drawn.page())
    assert_reads(result, drawn)
    told = [line.text.split()[1] for block in result.blocks for line in block.lines]
    assert len(told) == len(lines), "each line once"
    assert alike("".join(told), "".join(line.split()[1] for line in lines)) > 0.9, "in order"


# ---- nothing to read


@pytest.mark.parametrize("size", [(1000, 700), (1, 1), (3, 2000), (2000, 2)])
def test_a_blank_page(engine: Engine, size: tuple[int, int]) -> None:
    page = Drawn(Image.new("RGB", size, "white")).page()
    result = read(engine, page)
    assert_sound(result, page)
    assert result.status is PageStatus.BLANK
    assert (text_of(result), result.text_source, result.error) == ("", "none", None)


def test_noise_is_not_made_into_text(engine: Engine) -> None:
    dots = np.random.default_rng(1).integers(0, 256, (600, 800, 3), dtype=np.uint8)
    result = read(engine, Drawn(Image.fromarray(dots)).page())
    assert result.error is None
    assert len(text_of(result)) <= 30, "a few specks may look like signs, not like words"


# ---- many pages, bad pages


def failing(number: int, fault: Exception) -> Page:
    def render(_: float) -> np.ndarray:
        raise fault

    return Page(number, 100, 100, "px", render)


def test_pages_out_are_pages_in_and_a_bad_one_costs_only_itself(engine: Engine) -> None:
    small = draw(["first", "second"], (300, 200))
    pages = [
        small.page(3),
        failing(4, ImageTooLargeError("the page is too large; raise max_image_mpx")),
        failing(8, MemoryError()),
        failing(9, RuntimeError("a secret of the code")),
        Drawn(Image.new("RGB", (50, 50), "white")).page(12),
        small.page(1),
    ]
    results = list(engine.recognize(iter(pages), Task()))
    assert sorted(result.page for result in results) == sorted(page.number for page in pages)
    by_page = {result.page: result for result in results}
    for page in pages:
        assert_sound(by_page[page.number], page)
    codes = {number: result.error.code for number, result in by_page.items() if result.error}
    assert codes == {4: "image-too-large", 8: "out-of-memory", 9: "internal"}
    assert all(by_page[number].status is PageStatus.FAILED and not by_page[number].blocks for number in codes)
    assert "max_image_mpx" in str(by_page[4].error)
    assert "secret" not in str(by_page[9].error)
    assert by_page[12].status is PageStatus.BLANK
    assert text_of(by_page[3]) == text_of(by_page[1]) != ""


# ---- languages


def test_russian_is_read_by_tesseract_whatever_the_engine(engine: Engine) -> None:
    needs_tesseract("rus", "eng")
    drawn = draw(RUSSIAN, (900, 300), font=dejavu())
    result = read(engine, drawn.page(), lang=("ru",))
    assert_sound(result, drawn.page())
    assert_reads(result, drawn)
    both = read(engine, draw(["Москва and London"], (700, 200), font=dejavu()).page(), lang=("ru", "en"))
    assert alike(text_of(both), "Москва and London") == 1


def test_a_language_without_data_fails_and_names_the_package(engine: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    needs_tesseract("eng")
    monkeypatch.setattr("octavo.engines.tesseract_program.installed", lambda: frozenset({"eng"}))
    result = read(engine, PROSE_PAGE.page(), lang=("am",))
    assert result.error is not None
    assert result.error.code == LanguageMissingError.code
    assert "apt-get install tesseract-ocr-amh" in result.error.message


def test_an_unknown_language_is_told(engine: Engine) -> None:
    result = read(engine, PROSE_PAGE.page(), lang=("klingon",))
    assert result.error is not None
    assert result.error.code == UsageError.code
    assert "klingon" in result.error.message


# ---- stamps


@pytest.mark.parametrize("sort", SORTS)
def test_the_stamp_is_told_without_loading_and_is_the_engines_own(sort: str, models_dir: Path) -> None:
    if sort == "tesseract":
        needs_tesseract("eng")
    settings = settings_of(sort, models_dir)
    assert engines.stamp(settings) == engines.stamp(settings_of(sort, models_dir)) == loaded(sort, models_dir).stamp


def test_stamps_differ_where_answers_may(models_dir: Path) -> None:
    made = [
        engines.stamp(settings_of(sort, models_dir, runtime=runtime))
        for sort in ("standard", "fast")
        for runtime in ("onnxruntime", "openvino")
        if find_spec(runtime)
    ]
    assert len({msgspec.json.encode(stamp) for stamp in made}) == len(made) >= 2
    assert {stamp.engine for stamp in made} == {"pipeline"}


def test_both_runtimes_read_the_same_text(models_dir: Path) -> None:
    if not find_spec("openvino"):
        pytest.skip("OpenVINO is not installed")
    other = engines.create(settings_of("fast", models_dir, runtime="onnxruntime"))
    assert other.stamp.runtime.startswith("onnxruntime ")
    for drawn in (PROSE_PAGE, PROSE_PAGE.turned(90)):
        one, two = (read(engine, drawn.page()) for engine in (loaded("fast", models_dir), other))
        assert one.stamp != two.stamp
        assert one.rotation == two.rotation
        assert alike(text_of(one), text_of(two)) > 0.99


def test_a_column_of_two_is_read_to_its_end(engine: Engine) -> None:
    left, right = draw(PROSE, (900, 460), at=(40, 60)), draw(PROSE[::-1], (900, 460), at=(40, 60))
    image = Image.new("RGB", (1800, 460), "white")
    image.paste(left.image, (0, 0))
    image.paste(right.image, (900, 0))
    result = read(engine, Drawn(image).page())
    assert alike(text_of(result), f"{left.text} {right.text}") > 0.95
