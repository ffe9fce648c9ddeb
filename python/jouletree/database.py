"""Databases of measurements: ask, fill, look at."""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

from jouletree import _core, _engines
from jouletree._arguments import kind_of, path_of
from jouletree._html import page, rows_table
from jouletree._sources import need
from jouletree.errors import BadInput, Error
from jouletree.metrics import Metrics, own_metrics

if TYPE_CHECKING:
    import pandas as pd

Row = dict[str, Any]
_PLACES = "'sqlite:FILE', a path or 'postgresql://USER@HOST/NAME'"
_AT_ONCE = 1000


class DatabaseWarning(UserWarning):
    """A profile could not be kept in its database."""


class QueryResult(list[Row]):
    """Rows of a query, each a dict by column."""

    def __init__(self, columns: list[str], rows: Iterator[Row]) -> None:
        super().__init__(rows)
        self.columns = columns

    def to_pandas(self) -> pd.DataFrame:
        """The rows as a table of pandas."""
        return _frame(list(self), self.columns)


class DatabaseTable:
    """A table of a database. Iterating reads its rows piece by piece, each as a dict by column."""

    def __init__(self, database: Database, name: str) -> None:
        self._database = database
        self._name = name

    def __iter__(self) -> Iterator[Row]:
        yield from self._database._rows(f"SELECT * FROM {self._name}")[1]

    def __len__(self) -> int:
        return int(self._database.query(f"SELECT count(*) AS rows FROM {self._name}")[0]["rows"])

    def __repr__(self) -> str:
        return f"<{self._name} of {self._database.location}>"

    def to_pandas(self) -> pd.DataFrame:
        """All rows as a table of pandas."""
        return self._database.query(f"SELECT * FROM {self._name}").to_pandas()


class StoredModel:
    """A model as a database has it: its newest measurement. ``jouletree.compare`` takes it.

    >>> jouletree.Database("lab.sqlite")["resnet-18@batch=8"].metrics["energy_j"]
    """

    def __init__(self, kept: _core.KeptModel) -> None:
        self._kept = kept

    @property
    def name(self) -> str:
        """Of the model; with size and date where it is there with several sizes."""
        return self._kept.label

    @property
    def date(self) -> str | None:
        """When it was measured, UTC; None where nobody said."""
        return self._kept.date or None

    @property
    def place(self) -> str:
        """What names exactly this measurement: ``lab.sqlite#resnet-18@source=42``."""
        return self._kept.place

    @property
    def notes(self) -> list[str]:
        """What else the database has of it."""
        return self._kept.notes

    @cached_property
    def metrics(self) -> Metrics:
        """What is known of the whole model, by the name of the metric."""
        return Metrics(json.loads(self._kept.metrics()))

    def __repr__(self) -> str:
        return f"<{self.name} of {self.place}>"

    def _own_now(self) -> list[_core.OwnMetric]:
        """With all metrics that are defined at present."""
        return own_metrics(self, lambda: json.loads(self._kept.metrics()))


class Database:
    """A database of measurements: a file of SQLite, or ``postgresql://USER@HOST/NAME``. Without a
    location it is that of the user, as for ``jouletree db``.

    >>> database = jouletree.Database("measured.sqlite")
    >>> database.import_files("runs.jsonl", "operators.csv")
    >>> database.query("SELECT op, count(*) AS n FROM operators GROUP BY op").to_pandas()
    """

    def __init__(self, location: str | os.PathLike[str] | None = None) -> None:
        _engines.announce()
        given = "" if location is None else path_of("location", location, _PLACES)
        if location is not None and not given:
            raise BadInput(f"location is empty: give {_PLACES}, or nothing for your own database")
        self._opened = _core.OpenedDatabase(given)
        #: For the library: names a database even where there is no file yet.
        self._full = given if _core.names_database(given) else f"sqlite:{self._opened.place}"

    @property
    def location(self) -> str:
        """Where it is, without a password."""
        return self._opened.place

    @property
    def machines(self) -> DatabaseTable:
        """What was measured on."""
        return DatabaseTable(self, "machines")

    @property
    def operators(self) -> DatabaseTable:
        """Operators with their shapes and counts."""
        return DatabaseTable(self, "operators")

    @property
    def models(self) -> DatabaseTable:
        """Models, each at one size of its inputs."""
        return DatabaseTable(self, "models")

    @property
    def measurements(self) -> DatabaseTable:
        """What was measured of operators, modules and models; seconds and joules."""
        return DatabaseTable(self, "measurements")

    @property
    def runs(self) -> DatabaseTable:
        """Models that were run, node by node."""
        return DatabaseTable(self, "runs")

    def __getitem__(self, model: str) -> StoredModel:
        """The newest measurement of a model: ``database["resnet-18"]``, or of one of its sizes:
        ``database["resnet-18@batch=8"]``."""
        if not isinstance(model, str) or not model:
            raise BadInput(f"{model!r} names no model: give a text such as 'resnet-18'")
        return StoredModel(self._opened.kept_models(model)[0])

    def query(self, sql: str) -> QueryResult:
        """The rows that SQL asks for. Nothing can be changed by it."""
        columns, rows = self._rows(sql)
        return QueryResult(columns, rows)

    def import_files(
        self,
        *paths: str | os.PathLike[str] | Sequence[str | os.PathLike[str]],
        origin: str = "",
        machine: str = "",
        engine: str = "",
    ) -> list[Row]:
        """Adds files and folders of measurements, or lists of them, as ``jouletree db import``
        does; makes the database where there is none. What machine and engine are is said here for
        files that do not say it. Returns what became of each."""
        given = [
            one for path in paths for one in (path if isinstance(path, (list, tuple)) else [path])
        ]
        names = [path_of("paths", path, "files or folders of measurements") for path in given]
        imported = json.loads(self._opened.import_paths(names, origin, machine, engine))
        return list(imported["imports"])

    def stats(self) -> dict[str, Any]:
        """How much it holds, as ``jouletree db stats --format json`` prints it."""
        return dict(json.loads(self._opened.statistics()))

    def __repr__(self) -> str:
        return f"Database({self.location!r})"

    def _repr_html_(self) -> str:
        try:
            rows = self.stats()["tables"]
        except Error as error:
            return page(self.location, "", notes=[str(error)])
        return page(
            self.location,
            rows_table((name, f"{count:,}", "rows") for name, count in rows.items() if count),
        )

    def _rows(self, sql: str) -> tuple[list[str], Iterator[Row]]:
        if not isinstance(sql, str):
            raise BadInput(f"sql is {kind_of(sql)}: give a text such as 'SELECT op FROM operators'")
        fetched = _core.FetchedRows(self._opened, sql)
        columns = fetched.columns
        for name, times in Counter(columns).items():
            if times > 1:
                raise BadInput(
                    f"two columns of the result are called {name}; give them names with AS"
                )

        def rows() -> Iterator[Row]:
            while batch := fetched.next(_AT_ONCE):
                for cells in batch:
                    yield dict(zip(columns, cells, strict=True))

        return columns, rows()


def location_of(db: Any) -> str | None:
    """What `db` of `jouletree.profile` names, for the library; nothing where it is left out."""
    if db is None or db is False:
        return None
    if db is True:
        return Database()._full
    if isinstance(db, Database):
        return db._full
    given = path_of("db", db, f"True for your own database, {_PLACES}")
    if not given:
        raise BadInput(f"db is empty: give True for your own database, {_PLACES}")
    return Database(given)._full


def named_database(given: Any) -> str | None:
    """The location of what is a database, not a file of another kind."""
    if isinstance(given, Database):
        return given._full
    if not isinstance(given, (str, os.PathLike)) or not _core.names_database(os.fspath(given)):
        return None
    _engines.announce()
    return os.fspath(given)


def stored_models(given: Any) -> list[StoredModel] | None:
    """The models that ``"lab.sqlite#resnet-18"``, a database or its location stand for; nothing
    where that is something else."""
    if isinstance(given, StoredModel):
        return [given]
    if isinstance(given, Database):
        return [StoredModel(kept) for kept in given._opened.kept_models("")]
    if not isinstance(given, (str, os.PathLike)):
        return None
    _engines.announce()
    kept = _core.kept_models_of(os.fspath(given))
    return None if kept is None else [StoredModel(one) for one in kept]


def _frame(rows: list[Row], columns: list[str]) -> pd.DataFrame:
    need("pandas", "pandas", "to_pandas()")
    import pandas as pd

    frame = pd.DataFrame(rows, columns=columns, dtype=object)
    for column in columns:
        # As floating point, keys of 63 bits beside an empty cell would become other keys.
        if pd.api.types.infer_dtype(frame[column], skipna=True) == "integer":
            frame[column] = frame[column].astype("Int64" if frame[column].hasnans else "int64")
    return frame.infer_objects()
