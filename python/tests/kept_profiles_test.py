"""Profiles in databases: what they know is not measured again, and predicts other models."""

from __future__ import annotations

import pathlib
import warnings
from typing import Any

import pytest

import jouletree as jt

# Only what reached the asked precision is taken from a database.
QUICK: dict[str, Any] = {"budget": "2s", "baseline": 0, "modules": False, "precision": "50%"}
SMALL: dict[str, Any] = {"dims": {"batch": 1, "sequence": 8}, **QUICK}


@pytest.fixture(scope="module")
def kept(
    small_bert: str, tmp_path_factory: pytest.TempPathFactory
) -> tuple[jt.Profile, jt.Database]:
    database = jt.Database(tmp_path_factory.mktemp("database") / "measured.sqlite")
    return jt.profile(small_bert, **{**SMALL, "budget": "5s"}, db=database), database


def reused(profile: jt.Profile) -> int:
    return sum(operator.reused_from is not None for operator in profile.operators)


def test_a_profile_and_its_operators_are_kept(kept: tuple[jt.Profile, jt.Database]) -> None:
    profile, database = kept
    assert reused(profile) == 0
    assert "small-bert" in {model["name"] for model in database.models}
    assert len(database.runs) == 1
    assert len(database.operators) >= len(profile.operators)


def test_a_second_profile_takes_what_is_known(
    kept: tuple[jt.Profile, jt.Database], small_bert: str
) -> None:
    database = kept[1]

    again = jt.profile(small_bert, **SMALL, db=pathlib.Path(database.location))

    assert reused(again) > 0
    assert any("fresh=True measures" in note for note in again.notes)
    assert "--fresh" not in str(again)
    assert len(database.runs) == 2


def test_a_fresh_one_measures_anew(kept: tuple[jt.Profile, jt.Database], small_bert: str) -> None:
    location = f"sqlite:{kept[1].location}"
    assert reused(jt.profile(small_bert, **SMALL, db=location, fresh=True)) == 0


def test_the_users_own_database_and_scores(
    small_bert: str, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    score = jt.score(lambda x: x, [[0.1, 0.9], [0.8, 0.2]], [1, 1], metric="top1")

    jt.profile(small_bert, **SMALL, db=True, score=score)

    database = jt.Database()
    assert database.location == str(tmp_path / "jouletree/jouletree.sqlite")
    kept = database.query("SELECT metric, value FROM scores")
    assert {"metric": "top1", "value": 0.5} in kept


def test_models_without_a_file_that_lasts_have_lasting_names(tmp_path: pathlib.Path) -> None:
    profile = jt.profile("mixed-blocks", db=tmp_path / "db.sqlite", **QUICK)
    folder = profile.save(tmp_path / "profile")
    assert '"zoo: mixed-blocks"' in (folder / "environment.json").read_text()


def test_what_cannot_be_used_is_named(tmp_path: pathlib.Path) -> None:
    with pytest.raises(jt.BadInput, match="what a database knows; it needs db"):
        jt.profile("resnet-18", fresh=True)
    with pytest.raises(jt.BadInput, match="fresh is 1: give True or False"):
        jt.profile("resnet-18", fresh=1)  # type: ignore[arg-type]
    with pytest.raises(jt.BadInput, match="db is an int: give True for your own database"):
        jt.profile("resnet-18", db=3)
    with pytest.raises(jt.BadInput, match="db is empty"):
        jt.profile("resnet-18", db="")
    with pytest.raises(jt.BadInput, match="'mysql://host/x' is not a database"):
        jt.profile("resnet-18", db="mysql://host/x")
    with pytest.raises(jt.BadInput, match="is a folder, not a database"):
        jt.profile("resnet-18", db=tmp_path)


def test_a_profile_that_cannot_be_kept_is_not_lost(
    small_bert: str, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Failing:
        """A database that fails at last."""

        def __init__(self, profiled: Any) -> None:
            self._profiled = profiled

        def __getattr__(self, name: str) -> Any:
            return getattr(self._profiled, name)

        def keep(self, database: str) -> None:
            raise jt.Failed(f"{database}: the disk is full")

    class FailingProfile(jt.Profile):
        def __init__(self, profiled: Any) -> None:
            super().__init__(Failing(profiled))  # type: ignore[arg-type]

    monkeypatch.setattr("jouletree.profiling.Profile", FailingProfile)
    with pytest.warns(jt.DatabaseWarning, match="not in the database: .*the disk is full"):
        profile = jt.profile(small_bert, **SMALL, db=tmp_path / "db.sqlite")
    assert profile.time.value is not None


@pytest.mark.parametrize("mode", ["inference", "train"])
def test_live_modules_are_kept_and_reused(mode: str, tmp_path: pathlib.Path) -> None:
    torch = pytest.importorskip("torch", reason="PyTorch is not installed: pip install torch")
    nn = torch.nn
    net = nn.Linear(64, 8)
    how: dict[str, Any] = {**QUICK, "budget": 3, "db": tmp_path / "live.sqlite", "mode": mode}
    if mode == "train":
        how |= {"loss": nn.functional.cross_entropy, "target": torch.zeros(16, dtype=torch.long)}
    x = torch.randn(16, 64)

    assert reused(jt.profile(net, x, **how)) == 0
    assert reused(jt.profile(net, x, **how)) > 0
    assert len(jt.Database(tmp_path / "live.sqlite").runs) == 2


def test_a_database_predicts_with_what_was_measured(
    kept: tuple[jt.Profile, jt.Database], small_bert: str
) -> None:
    location = f"sqlite:{kept[1].location}"
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", jt.PredictionWarning)
        known = jt.predict(location, small_bert, dims={"batch": 1, "sequence": 8})
        counted = jt.inspect(small_bert, dims={"batch": 1, "sequence": 8})
        same = jt.predict(kept[1], counted, engine="onnx")
        other = jt.predict(location, small_bert, dims={"batch": 1, "sequence": 11})

    assert 0.5 < known.measured_share <= 1
    assert "were measured on" in str(known)
    operators = [node for node in known.nodes if node.level == "ml"]
    measured = [node for node in operators if node.measured_share == 1]
    assert measured and all(node.time.provenance == "measured" for node in measured)
    assert same.time == known.time
    assert other.measured_share < known.measured_share
    assert "<td>Time</td>" in known._repr_html_()


def test_a_database_answers_for_the_engine_that_would_run_the_model(
    small_bert: str, tmp_path: pathlib.Path
) -> None:
    torch = pytest.importorskip("torch", reason="PyTorch is not installed: pip install torch")
    net, x, database = torch.nn.Linear(64, 8), torch.randn(16, 64), tmp_path / "both.sqlite"
    jt.profile(net, x, db=database, **QUICK)
    jt.profile(small_bert, db=database, **SMALL)

    location = f"sqlite:{database}"
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", jt.PredictionWarning)
        live = jt.predict(location, net, x)
        file = jt.predict(location, small_bert, dims=SMALL["dims"])
        of_zoo = jt.predict(location, "resnet-18")

    assert "with PyTorch" in str(live) and live.measured_share > 0
    assert "with ONNX Runtime" in str(file) and file.measured_share > 0
    assert of_zoo.time.value is not None


def test_a_database_is_learned_from(kept: tuple[jt.Profile, jt.Database]) -> None:
    database = kept[1]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", jt.PredictionWarning)
        predictor = jt.train(database, engine="onnx")
        assert predictor.models == jt.train(f"sqlite:{database.location}").models
    assert predictor.models
    with pytest.raises(jt.BadInput, match="nothing was measured on a machine like 'cray'"):
        jt.train(database, machine="cray")
    with pytest.raises(jt.BadInput, match="nothing was measured on a machine like 'cray'"):
        jt.crossvalidate(database, machine="cray")
    with pytest.raises(jt.BadInput, match="nothing was measured on a machine like 'cray'"):
        jt.predict(database, "resnet-18", machine="cray")
    with pytest.raises(jt.BadInput, match="machine and engine choose in a database"):
        jt.predict(predictor, "resnet-18", machine="cray")


def test_a_database_that_is_not_there_is_named(tmp_path: pathlib.Path) -> None:
    with pytest.raises(jt.BadInput, match="there is no database"):
        jt.predict(f"sqlite:{tmp_path / 'none.sqlite'}", "resnet-18")
