from __future__ import annotations

import io
from pathlib import Path

import numpy as np
import pytest
from PIL import Image, ImageFile

from octavo.errors import DecompressionBombError, ImageTooLargeError, UnreadableError
from octavo.intake import open_source
from octavo.settings import Settings

RED, WHITE, BLACK = [255, 0, 0], [255, 255, 255], [0, 0, 0]


def saved(path: Path, image: Image.Image, **options: object) -> Path:
    image.save(path, **options)
    return path


def pixels(path: Path, number: int = 1) -> np.ndarray:
    return open_source(path, Settings()).page(number).render(1)


def corner() -> Image.Image:
    """A white picture of 40 x 20 with a red field in its upper left."""
    image = Image.new("RGB", (40, 20), "white")
    image.paste("red", (0, 0, 16, 8))
    return image


@pytest.mark.parametrize(
    ("name", "media_type"),
    [("a.png", "image/png"), ("a.tif", "image/tiff"), ("a.bmp", "image/bmp"), ("a.gif", "image/gif"),
     ("a.jp2", "image/jp2"), ("a.webp", "image/webp"), ("a.jpg", "image/jpeg")],
)  # fmt: skip
def test_formats(tmp_path: Path, name: str, media_type: str) -> None:
    options = {"lossless": True} if name == "a.webp" else {"quality": 100, "subsampling": 0} if name == "a.jpg" else {}
    opened = open_source(saved(tmp_path / name, corner(), **options), Settings())
    page = opened.page(1)
    assert (opened.source.media_type, opened.source.pages) == (media_type, 1)
    assert (page.number, page.width, page.height, page.unit, page.text_layer) == (1, 40, 20, "px", None)
    first, second = page.render(200), page.render(72)
    assert first.shape == (20, 40, 3)
    assert first.dtype == np.uint8
    assert np.abs(first[3, 5].astype(int) - RED).max() <= 4
    assert np.abs(first[15, 30].astype(int) - WHITE).max() <= 4
    assert np.array_equal(first, second)


@pytest.mark.parametrize("orientation", range(1, 9))
def test_photographs_are_turned_as_their_exif_says(tmp_path: Path, orientation: int) -> None:
    turn_back = {2: 0, 3: 3, 4: 1, 5: 5, 6: 2, 7: 6, 8: 4}  # transpositions that make the stored from the shown
    stored = corner()
    if orientation in turn_back:
        stored = stored.transpose(Image.Transpose(turn_back[orientation]))
    exif = Image.Exif()
    exif[0x0112] = orientation
    for name in ("a.png", "a.tif"):
        page = open_source(saved(tmp_path / name, stored, exif=exif), Settings()).page(1)
        assert (page.width, page.height) == (40, 20)
        assert page.render(1)[3, 5].tolist() == RED
        assert page.render(1)[15, 5].tolist() == WHITE


def test_every_frame_of_a_tiff_is_a_page_of_its_own_kind(tmp_path: Path) -> None:
    frames = [Image.new("1", (30, 10), 1), Image.new("CMYK", (20, 10), (0, 255, 255, 0)), Image.new("L", (10, 10), 7)]
    path = saved(tmp_path / "a.tif", frames[0], save_all=True, append_images=frames[1:])
    opened = open_source(path, Settings())
    assert opened.source.pages == 3
    assert opened.page(2).render(1)[5, 5].tolist() == RED
    assert (opened.page(1).width, opened.page(1).render(1)[5, 5].tolist()) == (30, WHITE)
    assert opened.page(3).render(1)[5, 5].tolist() == [7, 7, 7]


def test_deep_greys_keep_their_shades(tmp_path: Path) -> None:
    sixteen = np.array([[0, 257 * 100, 65535]], np.uint16)
    floats = np.array([[-1.0, 0.0, 1.0]], np.float32)
    assert pixels(saved(tmp_path / "a.tif", Image.fromarray(sixteen)))[0, :, 0].tolist() == [0, 100, 255]
    assert pixels(saved(tmp_path / "a.png", Image.fromarray(sixteen)))[0, :, 0].tolist() == [0, 100, 255]
    assert pixels(saved(tmp_path / "b.tif", Image.fromarray(floats)))[0, :, 0].tolist() == [0, 128, 255]


def test_transparency_lies_on_white(tmp_path: Path) -> None:
    clear = Image.new("RGBA", (4, 4), (0, 0, 0, 0))
    clear.putpixel((1, 1), (0, 0, 0, 255))
    palette = Image.new("P", (4, 4), 0)
    palette.putpalette([0, 0, 0, 255, 0, 0])
    palette.putpixel((1, 1), 1)
    grey = Image.new("LA", (4, 4), (0, 0))
    found = [pixels(saved(tmp_path / "a.png", clear)), pixels(saved(tmp_path / "b.png", palette, transparency=0))]
    found.append(pixels(saved(tmp_path / "c.png", grey)))
    assert [one[0, 0].tolist() for one in found] == [WHITE, WHITE, WHITE]
    assert [one[1, 1].tolist() for one in found] == [BLACK, RED, WHITE]


def test_of_an_animation_the_first_picture_is_read_and_a_warning_tells(tmp_path: Path) -> None:
    frames = [Image.new("RGB", (8, 8), "red"), Image.new("RGB", (8, 8), "blue")]
    path = saved(tmp_path / "a.gif", frames[0], save_all=True, append_images=frames[1:])
    opened = open_source(path, Settings())
    page = opened.page(1)
    assert opened.source.pages == 1
    assert [warning.code for warning in page.warnings] == ["animation"]
    assert page.render(1)[0, 0].tolist() == RED


def test_what_a_cut_file_still_holds_is_read(tmp_path: Path) -> None:
    noise = np.random.default_rng(1).integers(0, 255, (400, 400, 3), np.uint8)
    path = saved(tmp_path / "a.jpg", Image.fromarray(noise))
    whole = pixels(path)
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])
    page = open_source(path, Settings()).page(1)
    assert [warning.code for warning in page.warnings] == ["damaged-image"]
    assert np.array_equal(page.render(1)[:150], whole[:150])
    assert ImageFile.LOAD_TRUNCATED_IMAGES is False


def test_a_damaged_frame_costs_only_its_page(tmp_path: Path) -> None:
    frames = [Image.new("L", (64, 64), shade) for shade in (10, 20, 30)]
    path = saved(tmp_path / "a.tif", frames[0], save_all=True, append_images=frames[1:], compression="tiff_deflate")
    content = path.read_bytes()
    with Image.open(path) as image:
        image.seek(1)
        offset, count = image.tag_v2[273][0], image.tag_v2[279][0]
    path.write_bytes(content[:offset] + b"\xff" * count + content[offset + count :])
    opened = open_source(path, Settings())
    assert opened.source.pages == 3
    with pytest.raises(UnreadableError, match=r"page 2 of a\.tif"):
        opened.page(2)
    assert [opened.page(number).render(1)[0, 0, 0] for number in (1, 3)] == [10, 30]


def test_a_chain_of_frames_that_leads_nowhere_is_a_lost_page_not_a_silent_end(tmp_path: Path) -> None:
    path = saved(tmp_path / "a.tif", Image.new("L", (8, 8)), save_all=True, append_images=[Image.new("L", (8, 8))])
    content = bytearray(path.read_bytes())
    with Image.open(path) as image:
        image.seek(1)
        second = image._frame_pos[1]
    place = content.index(second.to_bytes(4, "little"))
    content[place : place + 4] = (len(content) - 3).to_bytes(4, "little")
    path.write_bytes(content)
    opened = open_source(path, Settings())
    assert opened.source.pages == 2
    opened.page(1)
    with pytest.raises(UnreadableError, match="page 2"):
        opened.page(2)


def test_limits_are_taken_from_the_header(tmp_path: Path) -> None:
    path = saved(tmp_path / "a.png", Image.new("1", (3000, 500)))
    with pytest.raises(ImageTooLargeError, match="max_image_side"):
        open_source(path, Settings(max_image_side=2999))
    with pytest.raises(ImageTooLargeError, match="max_image_mpx"):
        open_source(path, Settings(max_image_mpx=1))
    assert open_source(path, Settings(max_image_side=3000, max_image_mpx=2)).source.pages == 1


def test_a_bomb_is_told_from_a_large_blank_page(tmp_path: Path) -> None:
    blank_fax = saved(tmp_path / "a.tif", Image.new("1", (5000, 7000), 1), compression="group4")
    assert blank_fax.stat().st_size < 10_000
    assert open_source(blank_fax, Settings()).page(1).width == 5000
    header = io.BytesIO()
    Image.new("L", (1, 1)).save(header, "GIF")
    bomb = tmp_path / "b.gif"
    content = bytearray(header.getvalue())
    content[6:10] = b"\x10\x27\x10\x27"  # 10,000 x 10,000
    bomb.write_bytes(content)
    with pytest.raises(DecompressionBombError, match="max_unpack_ratio"):
        open_source(bomb, Settings())


def test_bytes_that_only_begin_like_an_image_are_unreadable(tmp_path: Path) -> None:
    path = tmp_path / "a.png"
    path.write_bytes(b"\x89PNG\r\n\x1a\n" + b"nothing more")
    with pytest.raises(UnreadableError, match=r"a\.png"):
        open_source(path, Settings())
