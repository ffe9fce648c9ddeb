#!/usr/bin/python3
"""A PostgreSQL server of its own for tests, as Debian packages it.

    server.py start FOLDER    makes a cluster and starts it; FOLDER/url says how to reach it
    server.py stop FOLDER     ends it and removes all of it
    server.py crash FOLDER    ends it at once, without a word to its clients; keeps its data
    server.py resume FOLDER   starts it again, at the same address

FOLDER/url is reached through a socket and needs no password; FOLDER/tcp_url needs the one that it names. Where no
server is installed, FOLDER/reason says so, and there is no FOLDER/url.
"""

import json
import os
import pwd
import re
import shutil
import socket
import subprocess
import sys
import tempfile
from pathlib import Path

USER = "jouletree"
PASSWORD = "a:b@c/d?e"
SETTINGS = {
    "fsync": "off",
    "full_page_writes": "off",
    "shared_buffers": "32MB",
    "max_connections": "40",
    "listen_addresses": "127.0.0.1",
    "logging_collector": "off",
    "lc_messages": "C",
}


def programs():
    """The folder of the newest server, or None."""
    folders = [path.parent for path in Path("/usr/lib/postgresql").glob("*/bin/initdb")]
    if folders:
        return max(folders, key=lambda folder: int(re.sub(r"\D", "", folder.parent.name) or 0))
    found = shutil.which("initdb")
    return Path(found).resolve().parent if found else None


def as_user():
    """What comes before a command: PostgreSQL refuses to run as root."""
    if os.geteuid() != 0:
        return []
    name = "postgres" if any(entry.pw_name == "postgres" for entry in pwd.getpwall()) else "nobody"
    user = pwd.getpwnam(name)
    return ["setpriv", f"--reuid={user.pw_uid}", f"--regid={user.pw_gid}", "--clear-groups"]


def run(*command):
    # A file and no pipe: the server would hold a pipe open.
    with tempfile.TemporaryFile("w+") as output:
        result = subprocess.run(
            [*as_user(), *map(str, command)],
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=output,
            check=False,
            timeout=120,
            cwd="/",
        )
        if result.returncode != 0:
            output.seek(0)
            raise OSError(f"{Path(command[0]).name} failed: {output.read().strip()}")


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def launch(home, port):
    options = " ".join(f"-c {name}={value}" for name, value in SETTINGS.items())
    run(
        programs() / "pg_ctl",
        *("start", "-w", "-t", "60", "-s", "-D", home / "data", "-l", home / "log"),
        *("-o", f"-p {port} -k {home} {options}"),
    )


def start(folder):
    stop(folder)
    folder.mkdir(parents=True)
    if not programs():
        (folder / "reason").write_text("there is no PostgreSQL server here; install postgresql-15")
        return
    # Short, because the name of a socket is, and where other users may go.
    home = Path(tempfile.mkdtemp(prefix="jouletree-pg."))
    password = home / "password"
    password.write_text(PASSWORD + "\n")
    if as_user():
        owner = int(as_user()[1].partition("=")[2])
        for path in (home, password):
            os.chown(path, owner, -1)
    (folder / "server.json").write_text(json.dumps({"home": str(home)}))
    run(
        programs() / "initdb",
        *("-D", home / "data", "-U", USER, "-E", "UTF8", "--locale=C", "--no-sync"),
        *("--auth-local=trust", "--auth-host=scram-sha-256", f"--pwfile={password}"),
    )
    for attempts_left in (2, 1, 0):
        port = free_port()
        try:
            launch(home, port)
            break
        except OSError:
            # Somebody else may have taken the port meanwhile.
            if not attempts_left:
                raise
    (folder / "server.json").write_text(json.dumps({"home": str(home), "port": port}))
    (folder / "tcp_url").write_text(f"postgresql://{USER}:a%3Ab%40c%2Fd%3Fe@127.0.0.1:{port}/postgres")
    (folder / "url").write_text(f"postgresql://{USER}@/postgres?host={home}&port={port}")


def known(folder):
    try:
        return json.loads((folder / "server.json").read_text())
    except FileNotFoundError:
        return None


def crash(folder):
    home = Path(known(folder)["home"])
    run(programs() / "pg_ctl", "stop", "-s", "-m", "immediate", "-D", home / "data")


def resume(folder):
    server = known(folder)
    launch(Path(server["home"]), server["port"])


def stop(folder):
    server = known(folder)
    if server:
        home = Path(server["home"])
        if (home / "data/postmaster.pid").exists():
            crash(folder)
        shutil.rmtree(home, ignore_errors=True)
    shutil.rmtree(folder, ignore_errors=True)


def main():
    actions = {"start": start, "stop": stop, "crash": crash, "resume": resume}
    if len(sys.argv) != 3 or sys.argv[1] not in actions:
        sys.exit(__doc__)
    try:
        actions[sys.argv[1]](Path(sys.argv[2]).resolve())
    except (OSError, subprocess.SubprocessError) as problem:
        sys.exit(f"server.py: {problem}")


if __name__ == "__main__":
    main()
