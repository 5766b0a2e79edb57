from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from octavo.engines.pipeline import networks
from octavo.engines.pipeline.runtime import Network, choose
from octavo.engines.pipeline.slots import Slot
from octavo.engines.pipeline.table_structure import parse, structure
from octavo.settings import Settings

TOKENS = ("<thead>", "</thead>", "<tr>", "</tr>", "<td", ">", "</td>", ' colspan="2"', ' rowspan="2"', "<td></td>")
BOX = (0.0, 0.0, 1.0, 1.0)


def placed(tokens: list[str]) -> list[tuple[int, int, int, int, bool]]:
    slots = parse(tokens, [BOX] * len(tokens))
    return [(s.row, s.column, s.row_span, s.column_span, s.header) for s in slots]


def test_rows_of_plain_cells() -> None:
    tokens = [
        "<thead>",
        "<tr>",
        "<td></td>",
        "<td></td>",
        "</tr>",
        "</thead>",
        "<tr>",
        "<td></td>",
        "<td></td>",
        "</tr>",
    ]
    assert placed(tokens) == [(0, 0, 1, 1, True), (0, 1, 1, 1, True), (1, 0, 1, 1, False), (1, 1, 1, 1, False)]


def test_spans_push_the_cells_of_the_rows_below_aside() -> None:
    tokens = [
        *("<tr>", "<td", ' rowspan="2"', ">", "</td>", "<td", ' colspan="2"', ">", "</td>", "</tr>"),
        *("<tr>", "<td></td>", "<td></td>", "</tr>"),
    ]
    assert placed(tokens) == [(0, 0, 2, 1, False), (0, 1, 1, 2, False), (1, 1, 1, 1, False), (1, 2, 1, 1, False)]


def test_the_box_of_a_cell_is_that_of_the_token_that_begins_it() -> None:
    tokens = ["<tr>", "<td", ' colspan="2"', ">", "</td>", "<td></td>", "</tr>"]
    slots = parse(tokens, [(float(i), 0.0, i + 1.0, 1.0) for i in range(len(tokens))])
    assert [slot.box[0] for slot in slots] == [1, 5]


def test_tokens_that_make_no_sense_are_survived() -> None:
    assert placed(["</td>", "<td></td>", ">", "</tr>", "</thead>"]) == [(0, 0, 1, 1, False), (0, 1, 1, 1, False)]
    assert parse([], []) == ()


def scripted(tokens: list[str], corners: list[tuple[float, ...]], seen: list[NDArray[np.float32]]) -> Network:
    """A network that writes these tokens with these corners, and then the end."""

    def run(x: NDArray[np.float32]) -> list[NDArray[np.float32]]:
        seen.append(x)
        scores = np.zeros((1, len(tokens) + 1, len(TOKENS) + 2), np.float32)
        for place, token in enumerate(tokens):
            scores[0, place, 1 + TOKENS.index(token)] = 0.8
        scores[0, -1, -1] = 1.0
        return [np.array([[*corners, (0.0,) * 8]], np.float32), scores]

    return Network(run, "\n".join(TOKENS))


def test_the_picture_is_scaled_padded_and_its_cells_scaled_back() -> None:
    seen: list[NDArray[np.float32]] = []
    corners = [(0.0,) * 8, (0.25, 0.05, 0.5, 0.05, 0.5, 0.1, 0.25, 0.1), (0.5, 0.05, 1.1, 0.05, 1.1, 0.1, 0.5, 0.1)]
    network = scripted(["<tr>", "<td></td>", "<td></td>"], corners, seen)
    found = structure(network, np.full((244, 976, 3), 255, np.uint8))
    (picture,) = seen
    assert picture.shape == (1, 3, 488, 488)
    assert picture[0, :, :122].min() > 2  # white, normalised
    assert not picture[0, :, 122:].any()  # padding
    boxes = [tuple(round(value) for value in slot.box) for slot in found.slots]
    assert boxes == [(244, 49, 488, 98), (488, 49, 976, 98)]
    assert round(found.score, 3) == 0.8


def test_a_network_that_sees_nothing_finds_nothing() -> None:
    found = structure(scripted([], [], []), np.zeros((10, 10, 3), np.uint8))
    assert found.slots == ()
    assert found.score == 0


def test_the_real_network_sees_a_drawn_table(models_dir: Path) -> None:
    page = np.full((220, 700, 3), 255, np.uint8)
    rows = [("Year", "Apples", "Pears"), ("2019", "110", "48"), ("2020", "95", "51"), ("2021", "130", "40")]
    for y, row in zip(range(45, 220, 45), rows, strict=True):
        for x, text in zip((30, 280, 520), row, strict=True):
            cv2.putText(page, text, (x, y), cv2.FONT_HERSHEY_SIMPLEX, 0.8, (0, 0, 0), 2, cv2.LINE_AA)
    for y in (12, 60, 205):
        page[y : y + 2, 10:690] = 0
    loaded = networks.load(Settings(models_dir=str(models_dir)), choose("onnxruntime"))
    network = loaded.tables()
    assert network is not None
    assert loaded.tables() is network, "loaded once"
    found = structure(network, page)
    assert [(s.row, s.column, s.row_span, s.column_span) for s in found.slots] == [
        (row, column, 1, 1) for row in range(4) for column in range(3)
    ]
    assert found.score > 0.95
    for slot, text_y in zip(found.slots[::3], range(45, 220, 45), strict=True):
        assert slot.box[1] < text_y - 8 < slot.box[3]


def test_a_slot_knows_its_places() -> None:
    assert Slot(1, 2, 2, 1, False, BOX).places == [(1, 2), (2, 2)]
