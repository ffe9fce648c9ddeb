#!/usr/bin/python3
"""docs/database.md lists every table and column of a database, in their order.

    database_page_test.py JOULETREE PAGE
"""

import re
import sqlite3
import subprocess
import sys
import tempfile
from pathlib import Path

TYPES = {
    "BIGINT": "integer",
    "SMALLINT": "integer",
    "TEXT": "text",
    "DOUBLE PRECISION": "number",
    "BLOB": "bytes",
}


def tables_of_page(text):
    tables = {}
    for part in re.split(r"^### ", text, flags=re.MULTILINE)[1:]:
        name = re.match(r"`(\w+)`", part)
        tables[name[1]] = re.findall(r"^\| `(\w+)` \| (\w+) \|", part, flags=re.MULTILINE)
    return tables


def tables_of_database(program):
    with tempfile.TemporaryDirectory() as folder:
        table = Path(folder) / "models.csv"
        table.write_text("model,time_s\na,1\n")
        file = Path(folder) / "new.sqlite"
        subprocess.run([program, "db", "import", table, "--db", file], check=True, stdout=subprocess.DEVNULL)
        database = sqlite3.connect(file)
        names = [
            name
            for (name,) in database.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
            if name != "jouletree_schema" and not name.startswith("sqlite_")
        ]
        return {
            name: [(row[1], TYPES[row[2]]) for row in database.execute(f"PRAGMA table_info({name})")]
            for name in names
        }


def main(program, page):
    shown = tables_of_page(Path(page).read_text())
    real = tables_of_database(program)
    for name in sorted({*shown, *real}):
        if shown.get(name) != real.get(name):
            sys.exit(f"{page}: table {name}: the page has {shown.get(name)}, the database {real.get(name)}")
    print(f"{len(real)} tables")


if __name__ == "__main__":
    main(*sys.argv[1:])
