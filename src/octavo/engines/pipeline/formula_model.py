"""Formulas in LaTeX by a network of the user's own, where there is one. docs/formulas.md states what it must be."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import cv2
import numpy as np
from numpy.typing import NDArray

from octavo.errors import EngineError, ModelDamagedError
from octavo.models import supplied
from octavo.settings import Settings

if TYPE_CHECKING:
    from octavo.document import Pixels

NAME = supplied.FORMULAS.name
_MEAN, _STD = 0.7931, 0.1738  # of UniMERNet's training pictures, which PP-FormulaNet took over
_INK = 200  # shade, after stretching from 0 to 255, below which a pixel is no margin
_END = "</s>"
_SPECIAL = re.compile(r"<[^<>\s]*>")
_LONGEST = 10_000  # characters of LaTeX; more is a network that goes in circles


class FormulaModel:
    """`run` takes 1xCxHxW float32 and gives the token ids; `size` is the network's width and height in pixels."""

    def __init__(
        self,
        run: Callable[[NDArray[np.float32]], NDArray[np.int64]],
        size: tuple[int, int],
        channels: int,
        tokens: tuple[str, ...],
    ) -> None:
        self._run = run
        self._size = size
        self._channels = channels
        self._tokens = tokens

    def latex(self, pixels: Pixels) -> str:
        """The formula in a picture (HxWx3) without dollar signs; empty where the network wrote nothing of use.

        Raises EngineError where the network fails.
        """
        picture = prepared(pixels, self._size)
        if picture is None:
            return ""
        try:
            ids = self._run(np.repeat(picture[None, None], self._channels, axis=1))
        except Exception as fault:
            raise EngineError(f"the model {NAME} failed on a formula: {fault}") from fault
        return written(ids, self._tokens)


def load(settings: Settings) -> FormulaModel | None:
    """The user's model; None where there is none.

    Raises ModelDamagedError where files are missing or are not what docs/formulas.md asks for.
    """
    paths = supplied.present(supplied.FORMULAS, settings)
    if not paths:
        return None
    network, tokens = paths
    try:
        listed = tuple(tokens.read_text(encoding="utf-8").rstrip("\n").split("\n"))
    except (OSError, UnicodeDecodeError) as fault:
        raise ModelDamagedError(f"{tokens} cannot be read as UTF-8 text: {fault}; see docs/formulas.md") from fault
    if _END not in listed:
        raise ModelDamagedError(f"{tokens} lists no {_END}, which ends a formula; see docs/formulas.md")
    run, shape = _session(network)
    found = FormulaModel(run, (shape[3], shape[2]), shape[1], listed)
    found.latex(np.zeros((8, 32, 3), np.uint8))  # a network that takes no such picture is found out now, not on a page
    return found


def _session(path: Path) -> tuple[Callable[[NDArray[np.float32]], NDArray[np.int64]], tuple[int, int, int, int]]:
    """The network and the shape of its input. The loop in which it writes its tokens is one that OpenVINO cannot
    convert, so it runs in ONNX Runtime, on one thread."""
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.log_severity_level = 3
    try:
        session = onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
    except Exception as fault:
        raise ModelDamagedError(f"{path} is no network that ONNX Runtime can load: {fault}") from fault
    inputs, outputs = session.get_inputs(), session.get_outputs()
    shape = inputs[0].shape if len(inputs) == 1 else []
    sizes = shape[1:] if len(shape) == 4 else []
    fits = len(sizes) == 3 and all(isinstance(side, int) and side > 0 for side in sizes) and sizes[0] in (1, 3)
    if not fits or inputs[0].type != "tensor(float)" or outputs[0].type not in ("tensor(int64)", "tensor(int32)"):
        raise ModelDamagedError(
            f"{path} takes {[(i.name, i.type, i.shape) for i in inputs]} and gives "
            f"{[(o.name, o.type, o.shape) for o in outputs]}; docs/formulas.md says what it must take and give"
        )
    name, wanted = inputs[0].name, outputs[0].name

    def run(x: NDArray[np.float32]) -> NDArray[np.int64]:
        return np.asarray(session.run([wanted], {name: x})[0], np.int64)

    return run, (1, sizes[0], sizes[1], sizes[2])


def prepared(pixels: Pixels, size: tuple[int, int]) -> NDArray[np.float32] | None:
    """A picture (HxWx3) as the network saw them in training, height x width of `size`; None where nothing is on it.

    Grey, without margins, as large as fits, in the middle of black, less the mean and over the deviation.
    """
    if pixels.size == 0:
        return None
    grey = cv2.cvtColor(np.ascontiguousarray(pixels), cv2.COLOR_RGB2GRAY)
    low, high = int(grey.min()), int(grey.max())
    if low < high:
        rows, columns = np.nonzero((grey.astype(np.float32) - low) * (255 / (high - low)) < _INK)
        grey = grey[rows.min() : rows.max() + 1, columns.min() : columns.max() + 1]
    width, height = size
    scale = min(width / grey.shape[1], height / grey.shape[0])
    inner = (max(1, round(grey.shape[1] * scale)), max(1, round(grey.shape[0] * scale)))
    small = cv2.resize(grey, inner, interpolation=cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR)
    out = np.zeros((height, width), np.float32)
    x, y = (width - inner[0]) // 2, (height - inner[1]) // 2
    out[y : y + inner[1], x : x + inner[0]] = small
    return (out / np.float32(255) - np.float32(_MEAN)) / np.float32(_STD)


def written(ids: NDArray[np.int64], tokens: tuple[str, ...]) -> str:
    """The LaTeX that token ids (any shape, one formula) stand for; empty where it cannot be LaTeX.

    Tokens in angle brackets are signals: the first run of them opens, `</s>` then ends. "Ġ" is how byte-level
    tokenizers write a space, "Ċ" a line feed.
    """
    out: list[str] = []
    for index in ids.reshape(-1).tolist():
        token = tokens[index] if 0 <= index < len(tokens) else ""
        if _SPECIAL.fullmatch(token):
            if token == _END and out:
                break
            continue
        out.append(token)
    text = " ".join("".join(out).replace("Ġ", " ").replace("Ċ", " ").replace("$", "").split())
    return text if len(text) <= _LONGEST and _balanced(text) else ""


def _balanced(text: str) -> bool:
    depth = 0
    for brace in re.findall(r"(?<!\\)(?:\\\\)*([{}])", text):
        depth += 1 if brace == "{" else -1
        if depth < 0:
            return False
    return depth == 0
