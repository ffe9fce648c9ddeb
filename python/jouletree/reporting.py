"""The page of ``jouletree report``, of results in memory."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from jouletree import _core, _engines
from jouletree._arguments import checked_call, kind_of, path_of
from jouletree._warnings import warn
from jouletree.database import Database, StoredModel
from jouletree.errors import BadInput

Subject = (
    str
    | tuple[str, str]
    | tuple[
        _core.CountedModel | _core.ProfiledModel | _core.KeptModel, str, Sequence[_core.OwnMetric]
    ]
)


class ReportWarning(UserWarning):
    """Something could not be put on a page."""


class Reported:
    """A result that a page can show."""

    def _subjects(self) -> list[Subject]:
        raise NotImplementedError

    def report(self, file: str | os.PathLike[str]) -> Path:
        """Writes the page that ``jouletree report`` writes: one HTML file that shows the result in
        a browser, without a network. ``jouletree.report`` puts several results on one page."""
        return report(self, file)


@checked_call
def report(results: Any, file: str | os.PathLike[str]) -> Path:
    """Writes one HTML file that shows results in a browser, without a network.

    Results are what the functions of the package return (inspections, profiles, comparisons,
    studies, predictions, cross-validations, models of databases), and what the command takes:
    folders of profiles and of sweeps, files of predictions, ``"lab.sqlite#resnet-18"``, models.
    Several profiles or models stand side by side, and a prediction beside what was measured of the
    same model. What cannot be read is named on the page, and in a ``jouletree.ReportWarning``.

    >>> jouletree.report([before, after, prediction], "report.html")
    """
    target = Path(path_of("file", file, "the path of an HTML file"))
    text, problems = page_of(_subjects_of(results))
    _core.write_file(str(target), text)
    for problem in problems:
        warn(_core.python_words(problem), ReportWarning)
    return target


def page_of(subjects: list[Subject]) -> tuple[str, list[str]]:
    """The page as text, and what is not on it."""
    _engines.announce()
    return _core.page_of(subjects)


def _subjects_of(results: Any) -> list[Subject]:
    is_one = isinstance(results, (str, os.PathLike, Reported, StoredModel, Database))
    given = [results] if is_one or not isinstance(results, Iterable) else list(results)
    if not given:
        raise BadInput("report: give at least one result, folder or file")
    return [subject for one in given for subject in _subjects_of_one(one)]


def _subjects_of_one(given: Any) -> list[Subject]:
    if isinstance(given, Reported):
        return given._subjects()
    if isinstance(given, StoredModel):
        return [(given._kept, given.name, given._own_now())]
    if isinstance(given, Database):
        return [given._full]
    if isinstance(given, (str, os.PathLike)):
        return [os.fspath(given)]
    raise BadInput(
        f"report: cannot show {kind_of(given)}; give results of jouletree, folders of profiles or "
        "sweeps, or files that the command takes"
    )
