"""A CSV that grows by whole sets of rows: all rows of a model at one size, or none of them."""

from __future__ import annotations

import csv
import fcntl
import io
import os
from collections.abc import Iterable, Sequence
from pathlib import Path
from types import TracebackType

Row = dict[str, object]
Key = tuple[str, ...]


class CannotUse(Exception):
    """The file is something else, or somebody else writes it."""


class RowSets:
    """A file is replaced as a whole, so that it is complete whenever somebody reads it or the
    program is killed. Only one program at a time may add to it."""

    def __init__(self, path: Path, columns: Sequence[str], key: Sequence[str]) -> None:
        self._path = path
        self._columns = list(columns)
        self._key = list(key)
        self._lock_path = path.with_name(f".{path.name}.lock")
        self._lock = -1
        self._text = ""
        self.finished: set[Key] = set()

    def __enter__(self) -> RowSets:
        while self._lock < 0:
            self._take_lock()
        try:
            self._read()
        except BaseException:
            self.__exit__(None, None, None)
            raise
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        problem: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._lock_path.unlink(missing_ok=True)
        os.close(self._lock)

    def add(self, rows: Iterable[Row]) -> None:
        """Appends a set. After a crash of the machine, too, the file has all of it or nothing."""
        listed = list(rows)
        text = io.StringIO()
        writer = csv.DictWriter(text, self._columns, lineterminator="\n", restval="")
        if not self._text:
            writer.writeheader()
        writer.writerows(listed)
        self._text += text.getvalue()
        partial = self._path.with_name(f".{self._path.name}.partial")
        with partial.open("w", encoding="utf-8", newline="") as file:
            file.write(self._text)
            file.flush()
            os.fsync(file.fileno())
        partial.replace(self._path)
        self.finished |= {tuple(str(row[name]) for name in self._key) for row in listed}

    def _take_lock(self) -> None:
        try:
            lock = os.open(self._lock_path, os.O_CREAT | os.O_RDWR, 0o644)
        except OSError as problem:
            raise CannotUse(
                f"{self._path}: cannot be written ({problem.strerror}); name another file with -o"
            ) from problem
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            # Whoever had it before may have deleted it in between.
            if os.fstat(lock).st_nlink > 0:
                self._lock = lock
        except OSError as problem:
            raise CannotUse(
                f"{self._path}: another program is writing it; wait, or name another file with -o"
            ) from problem
        finally:
            if self._lock < 0:
                os.close(lock)

    def _read(self) -> None:
        if not self._path.exists():
            return
        try:
            self._text = self._path.read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as problem:
            raise CannotUse(
                f"{self._path}: cannot be read ({problem}); name another file with -o"
            ) from problem
        reader = csv.DictReader(io.StringIO(self._text))
        if self._text and reader.fieldnames != self._columns:
            raise CannotUse(
                f"{self._path}: has other columns than this program writes; name another file"
                " with -o"
            )
        for row in reader:
            self.finished.add(tuple(row[name] for name in self._key))
