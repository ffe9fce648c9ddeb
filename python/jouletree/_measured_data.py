"""Measured data that predictors learn from, and what is said about them."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from jouletree import _core
from jouletree._arguments import kind_of, path_of
from jouletree._names import called
from jouletree._warnings import warn
from jouletree.database import Database, named_database
from jouletree.errors import BadInput
from jouletree.profiles import Profile

Data = str | os.PathLike[str] | Profile | Database
"""A tree file, a per-operator CSV, a folder of profiles or above them, a profile or a database."""
_DATA = (
    "at least one tree file, per-operator CSV, folder of profiles or above them, profile or "
    "database"
)


class PredictionWarning(UserWarning):
    """What the reader of predicted numbers must know."""


def settings_texts(settings: Mapping[str, int | str] | None) -> list[str]:
    return [f"{key}={value}" for key, value in (settings or {}).items()]


@contextmanager
def files_of(data: Data | Sequence[Data]) -> Iterator[list[str]]:
    """Data as paths; profiles that are only in memory are written for the moment."""
    listed = _listed(data)
    with tempfile.TemporaryDirectory(prefix="jouletree-") as folder:
        paths: list[str] = []
        names: dict[str, str] = {}
        for place, one in enumerate(listed):
            if isinstance(one, Profile):
                paths.append(str(one.save(Path(folder) / str(place))))
                names[paths[-1]] = f"the profile of {one.name}"
            else:
                paths.append(named_database(one) or path_of("data", one, _DATA))
        with called(names):
            yield paths


def _listed(data: Any) -> list[Data]:
    """One or several, all of which can be learned from."""
    if isinstance(data, (str, os.PathLike, Profile, Database)):
        return [data]
    if not isinstance(data, Iterable):
        raise BadInput(f"data is {kind_of(data)}: give {_DATA}")
    listed = list(data)
    for place, one in enumerate(listed):
        if not isinstance(one, (Profile, Database)):
            path_of(f"data[{place}]", one, _DATA)
    if not listed:
        raise BadInput(f"data is empty: give {_DATA}")
    return listed


def tell(sentences: list[str]) -> None:
    for sentence in sentences:
        warn(_core.python_words(sentence), PredictionWarning)
