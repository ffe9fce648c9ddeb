#!/usr/bin/python3
"""The monitor as a command: what it prints and serves, how it ends, and what it refuses.

monitor_test.py PROGRAM
"""

import contextlib
import errno
import re
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error

from watched_machine import FakeMachine, Monitor

PACKAGE = 'meter="rapl:package-0",level="package",device="package-0",provenance="measured"'


def run(program, root, *flags):
    return subprocess.run(
        [program, "monitor", "--sysroot", root, "--source", "rapl", *flags],
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )


def value_of(text, sample):
    found = re.search(rf"^{re.escape(sample)} (\S+)$", text, re.MULTILINE)
    assert found, f"no {sample} in:\n{text}"
    return float(found[1])


def prints_once(program, machine):
    result = run(program, machine.root, "--once", "--carbon", "360", "--price", "0.36EUR")
    assert result.returncode == 0, result
    text = result.stdout
    joules = value_of(text, f"jouletree_energy_joules_total{{{PACKAGE}}}")
    assert joules > 0, text
    assert value_of(text, f"jouletree_power_watts{{{PACKAGE}}}") > 0, text
    assert value_of(text, f"jouletree_meter_up{{{PACKAGE}}}") == 1, text
    total = value_of(text, 'jouletree_machine_energy_joules_total{provenance="measured"}')
    assert total == joules, text
    grams = re.search(r'^jouletree_machine_co2e_grams_total{provenance="derived".*} (\S+)$', text, re.M)
    assert abs(float(grams[1]) - total * 1e-4) < 1e-9, text
    for family in re.findall(r"^# TYPE (\S+)", text, re.MULTILINE):
        assert re.search(rf"^# HELP {family} \S", text, re.MULTILINE), family


def serves_and_stops(program, machine, end):
    with Monitor(program, machine) as monitor:
        before = monitor.scrape()
        sample = f"jouletree_energy_joules_total{{{PACKAGE}}}"
        while value_of(monitor.scrape(), sample) <= value_of(before, sample):
            time.sleep(0.05)  # CTest's time limit ends a counter that stands still
        assert "# TYPE jouletree_energy_joules_total counter" in before, before
        assert not any("warning" in line for line in monitor.said), monitor.said
        try:
            monitor.scrape("/etc/passwd")
            raise AssertionError("serves files")
        except urllib.error.HTTPError as error:
            assert error.code == 404, error
        in_use = run(program, machine.root, "--listen", monitor.address)
        port = monitor.address.rsplit(":", 1)[1]
        assert in_use.returncode == 3 and f"port {port} is in use" in in_use.stderr, in_use
        assert in_use.stdout == "", in_use
        code = monitor.stop(end)
        assert code == 0, f"exit code {code} after {end}"


def warns_of_the_world(program, machine):
    with Monitor(program, machine, listen="0.0.0.0:0") as monitor:
        assert any("warning: everybody" in line for line in monitor.said), monitor.said


def listens_where_it_is_told(program, machine):
    for listen, address in (
        ("[::1]:0", "[::1]:"),
        ("0", "127.0.0.1:"),
        (":0", "127.0.0.1:"),
        ("localhost:0", "127.0.0.1:"),
    ):
        if listen.startswith("[") and not has_ipv6():
            continue
        with Monitor(program, machine, listen=listen) as monitor:
            assert monitor.address.startswith(address), (listen, monitor.address)
            assert "jouletree_energy_joules_total" in monitor.scrape()
            assert not any("warning" in line for line in monitor.said), monitor.said
            in_use = run(program, machine.root, "--listen", monitor.address)
            assert in_use.returncode == 3 and "is in use; stop the program" in in_use.stderr, in_use
            assert monitor.stop(signal.SIGTERM) == 0


def has_ipv6():
    with socket.socket(socket.AF_INET6) as probe:
        return probe.connect_ex(("::1", 9)) != errno.EADDRNOTAVAIL


def answers_only_what_it_has(program, machine):
    with Monitor(program, machine) as monitor:
        for head, status in (
            ("GET / HTTP/1.1\r\nHost: localhost", 404),
            ("GET /metrics HTTP/1.1\r\nHost: evil.example", 421),
            ("GET /metrics HTTP/1.0", 200),
            ("HEAD /metrics HTTP/1.1\r\nHost: localhost", 200),
            ("POST /metrics HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99999999999", 405),
            ("GET /metrics HTTP/1.1\r\nX: " + "x" * 100_000, 400),
            ("nonsense", 400),
        ):
            with socket.create_connection(monitor.place, timeout=30) as connection:
                with contextlib.suppress(OSError):  # it may be refused before it is all said
                    connection.sendall(head.encode() + b"\r\nConnection: close\r\n\r\n")
                answer = connection.recv(65536).split(b"\r\n")[0]
                assert str(status).encode() in answer, (head[:80], answer)
        assert monitor.scrape()


def survives_a_lost_counter(program, machine):
    with Monitor(program, machine, "--interval", "5ms") as monitor:
        machine.counter.write_text("nonsense\n")
        up = f"jouletree_meter_up{{{PACKAGE}}}"
        while value_of(monitor.scrape(), up) == 1:
            time.sleep(0.05)
        text = monitor.scrape()
        assert f"jouletree_power_watts{{{PACKAGE}}}" not in text, text
        assert value_of(text, f"jouletree_energy_joules_total{{{PACKAGE}}}") >= 0, text
        assert monitor.stop(signal.SIGTERM) == 0


def refuses(program, machine):
    for flags, words in (
        (["--listen", "94170"], "--listen 94170: give an IP address"),
        (["--listen", "[::1]"], "--listen [::1]: give an IP address"),
        (["--listen", "::1:9417"], "like 127.0.0.1:9417, 0.0.0.0:9417 or [::1]:9417, or a port"),
        (["--listen", "example.org:9417"], "give an IP address"),
        (["--interval", "100"], "--interval 100: say the unit"),
        (["--interval", "10us"], "--interval 10us: give 1ms or more"),
        (["--source", "magic"], "there is no source 'magic'"),
        (["--cpu-watts", "95"], "write idle:full in watts"),
        (["--region", "XX"], "--region XX: no such region"),
    ):
        result = run(program, machine.root, *flags)
        assert result.returncode == 2 and words in result.stderr, (flags, result)
    nowhere = run(program, "/nowhere", "--once")
    assert nowhere.returncode == 2 and "there is no such folder" in nowhere.stderr, nowhere


def names_what_is_missing(program):
    with tempfile.TemporaryDirectory() as empty:
        result = run(program, empty, "--once")
    assert result.returncode == 3 and result.stdout == "", result
    assert "jouletree: rapl: " in result.stderr and "no meter" in result.stderr, result


def main(program):
    with tempfile.TemporaryDirectory() as root, FakeMachine(root) as machine:
        prints_once(program, machine)
        serves_and_stops(program, machine, signal.SIGINT)
        serves_and_stops(program, machine, signal.SIGTERM)
        warns_of_the_world(program, machine)
        listens_where_it_is_told(program, machine)
        answers_only_what_it_has(program, machine)
        refuses(program, machine)
    with tempfile.TemporaryDirectory() as root:
        survives_a_lost_counter(program, FakeMachine(root))
    names_what_is_missing(program)
    print("the monitor serves, stops and refuses as it should")


if __name__ == "__main__":
    main(*sys.argv[1:])
