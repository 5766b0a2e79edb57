from __future__ import annotations

import re

import pytest

from octavo.errors import UsageError
from octavo.models import CATALOGUE as REAL
from octavo.models import catalogue


def test_every_record_of_the_real_catalogue_is_complete() -> None:
    assert len({model.name for model in REAL}) == len(REAL) == 7
    for model in REAL:
        assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", model.name)
        assert model.files[0].file.endswith(".onnx")
        assert len({member.file for member in model.files}) == len(model.files)
        assert model.licence == "Apache-2.0"
        assert model.purpose
        for member in model.files:
            assert re.fullmatch(r"[0-9a-f]{64}", member.sha256)
            assert member.bytes > 0


def test_unknown_model_names_the_nearest() -> None:
    with pytest.raises(UsageError, match="there is no model 'model-aa'; did you mean 'model-a'"):
        catalogue.find("model-aa")
    with pytest.raises(UsageError, match="known models: model-a, model-b, model-c"):
        catalogue.find("zzzzz")


def test_select_keeps_the_order_and_takes_each_once() -> None:
    assert [model.name for model in catalogue.select(["model-c", "model-a", "model-c"])] == ["model-a", "model-c"]
    assert len(catalogue.select()) == 3
