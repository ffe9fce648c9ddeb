#!/usr/bin/python3
"""The server as a command: what it shows of folders, databases and what goes on in them.

    serve_test.py PROGRAM PROFILES FOLDER_OF_POSTGRESQL
"""

import json
import re
import signal
import socket
import sqlite3
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from served import Server, all_files, copy_profile, embedded, run

POWER = {"power_w": 12.5, "energy_j": 12.5, "level": "package", "provenance": "measured"}
LINE = {
    "date": "2026-11-19 04:00:00.000000+00:00",
    "metrics": {"cpu": {"busy_cpus": 1.0}},
    "run": 1,
    "duration_s": 1,
    "energy": {
        "total_j": 12.5, "total_w": 12.5, "provenance": "measured", "summed": ["rapl:package-0"],
        "domains": {"rapl:package-0": POWER},
    },
}  # fmt: skip


def links(html):
    return re.findall(r'href="(/(?:page|database|campaign)[^"]*)"', html)


def until(look, what):
    """CTest's time limit ends what never comes."""
    while not (found := look()):
        time.sleep(0.1)
    return found


def shows_what_report_writes(program, profiles, folder):
    copy_profile(profiles, "steady", folder / "models/a b")
    copy_profile(profiles, "device", folder / "models/ü#1")
    (folder / "folds.json").write_text('{"folds": [], "overall": {"ml": 1, "module": 1, "model": 1}}')
    (folder / "settings.json").write_text("{}")
    before = all_files(folder)
    with Server(program, folder) as server:
        index = server.page("/")
        assert sorted(links(index)) == [
            "/page", "/page/folds.json", "/page/models", "/page/models/%C3%BC%231", "/page/models/a%20b",
        ], links(index)  # fmt: skip
        assert links(index)[0] == "/page/folds.json", "the newest is not the first"
        assert "measured" in index or "estimated" in index, index
        for path in ("models/a b", "models/ü#1", "folds.json", "models"):
            written = run(program, "report", folder / path, "-o", "-").stdout
            target = "/page/" + path.replace(" ", "%20").replace("ü", "%C3%BC").replace("#", "%23")
            assert embedded(server.page(target)) == embedded(written), path
            assert server.data(target.replace("/page/", "/data/")) == embedded(written), path
        assert len(embedded(server.page("/page"))["items"]) == 2
        head = server.get("/page/models/a%20b", method="HEAD")
        assert head[0] == 200 and head[2] == "" and int(head[1]["Content-Length"]) > 100_000, head
    assert all_files(folder) == before, "something was written"


def shows_a_single_profile(program, profiles):
    with Server(program, Path(profiles) / "steady") as server:
        assert links(server.page("/")) == ["/page"]
        assert len(embedded(server.page("/page"))["items"]) == 1


def follows_a_run(program, folder):
    recording = folder / "run"
    recording.mkdir()
    lines = recording / "power_metrics.json"
    with Server(program, folder) as server:
        assert "Nothing is here yet" in server.page("/")
        first = server.data("/state")["state"]
        lines.write_text(json.dumps(LINE) + "\n")
        state = until(lambda: (one := server.data("/state"))["state"] != first and one, "a new state")
        assert state["going_on"], state
        assert "going on" in server.page("/")
        own = server.data("/state/run")
        for second in range(1, 4):
            line = {**LINE, "date": f"2026-11-19 04:00:0{second}.000000+00:00"}
            with lines.open("a") as file:
                file.write(json.dumps(line) + "\n")
        with lines.open("a") as file:
            file.write('{"date": "2026-1')  # it is just being written
        assert server.data("/state/run")["state"] != own["state"]
        (item,) = server.data("/data/run")["items"]
        curve = item["recording"]["plots"][0]["curves"][0]
        assert curve["value"] == [12.5] * 4 and curve["end"][-1] == 4, curve
        status, headers, _ = server.get("/data/run")
        assert status == 200 and headers["JouleTree-State"] == server.data("/state/run")["state"]


def shows_what_is_half_written_as_going_on(program, profiles, folder):
    profile = copy_profile(profiles, "steady", folder / "good")
    whole = (profile / "profile.json").read_text()
    bad = folder / "bad"
    bad.mkdir()
    (bad / "profile.json").write_text(whole[:900])
    (folder / "prediction.json").write_text('{"runs": [')
    with Server(program, folder) as server:
        index = server.page("/")
        assert "/page/good" in links(index) and "being written" in index, index
        status, _, text = server.get("/page/bad")
        assert status == 422 and "is a damaged profile" in text and "jouletree-live" in text, text
        assert server.get("/page/prediction.json")[0] == 422
        (bad / "profile.json").write_text(whole)
        until(lambda: server.get("/page/bad")[0] == 200, "the page")


def make_campaign(program, folder, database):
    """One with an item in every state, begun by the program and gone on by hand."""
    model = folder / "hidden/model.onnx"
    model.parent.mkdir()
    assert run(program, "zoo", "build", "bert-l2-h128", "--set", "layers=1", "-o", model).returncode == 0
    plan = folder / "plan.yml"
    plan.write_text(f"name: small <b>\nmodels: [{{file: {model}}}]\ndims: {{batch: [1, 2, 4, 8]}}\nbudget: 1s\n")
    worker = subprocess.Popen([program, "campaign", "run", plan, "--db", database], stderr=subprocess.DEVNULL)
    connection = sqlite3.connect(database)
    rows = "SELECT count(*) FROM campaign_items"
    until(lambda: worker.poll() is not None or connection.execute(rows).fetchone()[0] == 4, "the items")
    worker.send_signal(signal.SIGINT)
    worker.wait()
    for position, state in enumerate(("done", "claimed", "waiting", "failed")):
        connection.execute(
            "UPDATE campaign_items SET state = ?, worker = NULL, lease_end_ms = 9999999999999 WHERE position = ?",
            (state, position),
        )
    connection.commit()
    connection.close()


def shows_a_database(program, profiles, folder):
    database = folder / "lab.sqlite"
    for name in ("steady", "device"):
        done = run(program, "db", "import", Path(profiles) / name, "--db", database)
        if done.returncode == 3:
            print("no plug-in for SQLite: databases are not tested")
            return
        assert done.returncode == 0, done
    make_campaign(program, folder, database)
    connection = sqlite3.connect(database)
    names = [row[0] for row in connection.execute("SELECT DISTINCT name FROM models WHERE id IN (SELECT model_id FROM runs)")]
    connection.close()
    before = all_files(folder)
    for place, prefix in ((folder, "/lab.sqlite"), (database, ""), (f"sqlite:{database}", "")):
        with Server(program, place) as server:
            index = server.page(f"/database{prefix}" if prefix else "/")
            assert f'href="/campaign{prefix}?name=small%20%3Cb%3E"' in index, index
            assert "small &lt;b&gt;" in index and "1 of 4 items done, 1 waiting, 1 running, 1 failed" in index
            for name in names:
                data = server.data(f"/data{prefix}?model={name}")
                assert len(data["items"]) == 1, data["items"]
                assert data["items"] == embedded(server.page(f"/page{prefix}?model={name}"))["items"]
            assert server.get(f"/page{prefix}?model=nothing")[0] == 422
            assert server.get(f"/campaign{prefix}?name=nothing")[0] == 404
    assert all_files(folder) == before, "something was written"
    connection = sqlite3.connect(database)
    with Server(program, database) as server:
        state = server.data("/state")
        assert state["going_on"], state
        campaign = server.page("/campaign?name=small%20%3Cb%3E")
        assert campaign.count("<tr>") == 5, campaign
        connection.execute("UPDATE campaign_items SET state = 'done' WHERE state = 'claimed'")
        connection.commit()
        until(lambda: server.data("/state")["state"] != state["state"], "a new state")
        assert "2 of 4 items done" in server.page("/")
        assert not server.data("/state")["going_on"]
    connection.close()


def shows_a_shared_database(program, profiles, postgresql):
    url = Path(postgresql) / "tcp_url"
    if not url.exists():
        print("no server of PostgreSQL: one is not tested")
        return
    place = url.read_text().strip()
    assert run(program, "db", "import", Path(profiles) / "steady", "--db", place).returncode == 0
    with Server(program, place) as server:
        index = server.page("/")
        assert "/page?model=model" in links(index), index
        assert len(server.data("/data?model=model")["items"]) == 1
        password = re.search(r":([^:]*)@127", place)[1]
        for text in ("".join(server.said), index, server.page("/page?model=model"), server.page("/state")):
            assert password not in text, "the password is shown"


def ends_as_told(program, folder):
    for end in (signal.SIGINT, signal.SIGTERM):
        with Server(program, folder) as server:
            in_use = run(program, "serve", folder, "--listen", server.address)
            assert in_use.returncode == 3 and f"port {server.port} is in use" in in_use.stderr, in_use
            assert in_use.stdout == "", in_use
            assert server.stop(end) == 0
    try:
        socket.create_server(("::1", 0), family=socket.AF_INET6).close()
    except OSError:
        print("this machine has no IPv6: it is not tested")
        return
    with Server(program, folder, listen="[::1]:0") as server:
        assert server.address.startswith("[::1]:"), server.address


def refuses(program, folder):
    short = folder / "short.txt"
    short.write_text("short\n")
    for words, sentence in (
        ((folder / "nowhere",), "does not exist; name a folder"),
        ((short,), "is neither a folder nor a database"),
        ((folder, "--listen", "example.org:80"), "--listen example.org:80: give an IP address"),
        ((f"sqlite:{folder}/none.sqlite",), "there is no database"),
        ((folder, "--token", ""), "--token: a token has 16 to 256 letters"),
        ((folder, "--token", "short"), "--token: a token has 16 to 256 letters"),
        ((folder, "--token-file", short), "a token has 16 to 256 letters"),
        ((folder, "--token-file", folder / "none"), "cannot be read"),
    ):
        result = run(program, "serve", *words)
        assert result.returncode == 2 and sentence in result.stderr, (words, result)
        assert result.stderr.count("\n") == 1, result
    empty = run(program, "serve", folder, env={"JOULETREE_ENGINE_DIR": str(folder)})
    assert empty.returncode == 3 and "install libcpp-httplib-dev" in empty.stderr, empty


def main(program, profiles, postgresql):
    shows_a_shared_database(program, profiles, postgresql)
    for test in (
        shows_what_report_writes,
        lambda program, profiles, _: shows_a_single_profile(program, profiles),
        lambda program, _, folder: follows_a_run(program, folder),
        shows_what_is_half_written_as_going_on,
        shows_a_database,
        lambda program, _, folder: ends_as_told(program, folder),
        lambda program, _, folder: refuses(program, folder),
    ):
        with tempfile.TemporaryDirectory() as folder:
            test(program, profiles, Path(folder).resolve())
    print("the server shows, follows and ends as it should")


if __name__ == "__main__":
    main(*sys.argv[1:])
