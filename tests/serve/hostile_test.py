#!/usr/bin/python3
"""Visitors who want more than they may have.

    hostile_test.py PROGRAM PROFILES
"""

import os
import sys
import tempfile
from pathlib import Path

from served import Server, all_files, copy_profile

TOKEN = "0123456789abcdef-0123456789abcdef"
SECRET = "the-secret-of-others"


def make_folder(profiles, folder):
    outside = copy_profile(profiles, "device", folder / "outside")
    (outside / "secret.json").write_text(f'{{"runs": ["{SECRET}"]}}')
    served = folder / "served"
    copy_profile(profiles, "steady", served / "inside")
    (served / "link").symlink_to(outside)
    (served / "secret.json").symlink_to(outside / "secret.json")
    trap = copy_profile(profiles, "steady", served / "trap")
    (trap / "profile.json").unlink()
    (trap / "profile.json").symlink_to(outside / "profile.json")
    copy_profile(profiles, "steady", served / "<script>window.hurt=1<" / "script>")
    return served


def stays_in_the_folder(server):
    for target in (
        "/page/../outside",
        "/page/%2e%2e/outside",
        "/page/..%2foutside",
        "/page/%252e%252e/outside",
        "/page/%c0%ae%c0%ae/outside",
        "/page/..\\outside",
        "/page//etc/passwd",
        "/page/%2fetc%2fpasswd",
        "/page/inside/../../outside",
        "/page/inside%00/../../outside",
        "/page/link",
        "/page/trap",
        "/page/secret.json",
        "/data/secret.json",
        "/state/secret.json",
        "/page/inside/profile.json",
        "http://127.0.0.1/page/inside",
        "/page/%",
        "/nothing",
    ):
        status, _, text = server.get(target)
        assert status in (400, 404), (target, status)
        assert SECRET not in text and "root:" not in text, (target, text)
    assert "outside" not in server.page("/")
    assert server.get("/page")[0] == 404, "the links of the trap were followed"


def shows_names_as_text(server):
    index = server.page("/")
    assert "&lt;script&gt;window.hurt=1&lt;/script&gt;" in index, index
    assert "<script>window" not in index, index
    page = server.page("/page/%3Cscript%3Ewindow.hurt=1%3C/script%3E")
    assert "<script>window" not in page


def only_reads(server):
    for method in ("POST", "PUT", "DELETE", "PATCH", "OPTIONS"):
        status, headers, _ = server.get("/", method=method)
        assert status == 405 and headers["Allow"] == "GET, HEAD", (method, status)
    # A body is no second request.
    answer = server.raw(
        b"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 40\r\n\r\n"
        b"GET /page/inside HTTP/1.1\r\nHost: localhost\r\n\r\n"
    )
    assert answer.count(b"HTTP/1.1 ") == 1 and b" 405 " in answer, answer[:300]


def refuses_malformed_requests(server):
    for request in (
        b"GET / HTTP/1.1\r\nHost: localhost\r\nX: " + b"x" * 100_000 + b"\r\n\r\n",
        b"GET /" + b"x" * 100_000 + b" HTTP/1.1\r\nHost: localhost\r\n\r\n",
        b"GET / HTTP/1.1\r\n" + b"".join(b"X-%d: y\r\n" % i for i in range(5000)) + b"\r\n",
        b"x" * 100_000,
        b"nonsense\r\n\r\n",
        b"GET / HTTP/9.9\r\n\r\n",
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
        b"\r\n\r\n\r\n",
    ):
        answer = server.raw(request)
        assert b"200 OK" not in answer and b"<html" not in answer.split(b"\r\n\r\n")[0], answer[:200]
    assert server.page("/")


def answers_only_to_its_own_name(server):
    for host in ("evil.example", f"evil.example:{server.port}", "127.0.0.1.evil.example", ""):
        status, _, text = server.get("/", Host=host)
        assert status == 421 and "inside" not in text, (host, status)
    assert b" 421 " in server.raw(b"GET / HTTP/1.0\r\n\r\n")
    two = server.raw(b"GET / HTTP/1.1\r\nHost: localhost\r\nHost: evil\r\nConnection: close\r\n\r\n")
    assert b" 421 " in two, two[:200]
    assert server.get("/", Host="localhost:9")[0] == 200


def sends_safe_headers(server):
    for target in ("/", "/page/inside", "/data/inside", "/state", "/serve.js", "/serve.css", "/nothing"):
        _, headers, _ = server.get(target, **{"Range": "bytes=0-1", "Accept-Encoding": "gzip, br"})
        policy = headers["Content-Security-Policy"]
        for wanted in ("default-src 'none'", "connect-src 'self'", "frame-ancestors 'none'", "base-uri 'none'", "form-action 'none'"):
            assert wanted in policy, (target, policy)
        assert "http" not in policy and "unsafe-eval" not in policy and "script-src 'unsafe" not in policy
        assert headers["X-Content-Type-Options"] == "nosniff"
        assert headers["Referrer-Policy"] == "no-referrer"
        assert headers["Cache-Control"] == "no-store"
        assert "Content-Encoding" not in headers and "Content-Range" not in headers
        assert "Access-Control-Allow-Origin" not in headers


def asks_for_the_token(program, served, folder):
    file = folder / "token.txt"
    file.write_text(TOKEN + "\n")
    for flags, env in ((["--token", TOKEN], {}), (["--token-file", str(file)], {}), ([], {"JOULETREE_TOKEN": TOKEN})):
        with Server(program, served, *flags, env=env) as server:
            assert TOKEN not in "".join(server.said), server.said
            check_token(server, TOKEN)
    with Server(program, served, listen="0.0.0.0:0") as server:
        token = server.query.removeprefix("?token=")
        assert len(token) == 32, server.url
        assert any("warning" in line for line in server.said), server.said
        assert server.get("/", Host="lab.example")[0] == 401
        check_token(server, token)


def check_token(server, token):
    for target in ("/", "/page/inside", "/state", "/serve.js", "/nothing", "/?token=", f"/?token={token}x", f"/?token={token[:-1]}"):
        status, headers, text = server.get(target)
        assert status == 401 and "inside" not in text, (target, status)
        assert "Set-Cookie" not in headers and token not in text
    for value in ("Bearer", "Bearer x", f"Basic {token}", token):
        assert server.get("/", Authorization=value)[0] == 401, value
    assert server.get("/", Authorization=f"Bearer {token}")[0] == 200
    status, headers, _ = server.get(f"/page/inside?model=a&token={token}")
    assert status == 303 and headers["Location"] == "/page/inside?model=a", headers.items()
    cookie = headers["Set-Cookie"]
    assert "; HttpOnly" in cookie and "; SameSite=Strict" in cookie and "; Path=/" in cookie
    # The address must not leave this server.
    assert server.get(f"//evil.example/?token={token}")[0] == 400
    assert "inside" in server.page("/", Cookie=cookie.split(";")[0])
    assert server.get("/", Cookie="jouletree-1=" + token)[0] == 401


def main(program, profiles):
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder).resolve()
        served = make_folder(profiles, folder)
        before = all_files(folder)
        with Server(program, served) as server:
            stays_in_the_folder(server)
            shows_names_as_text(server)
            only_reads(server)
            refuses_malformed_requests(server)
            answers_only_to_its_own_name(server)
            sends_safe_headers(server)
            files = len(os.listdir(f"/proc/{server.process.pid}/fd"))
            assert files < 40, f"{files} files are left open"
            assert server.stop() == 0
        assert all_files(folder) == before, "something was written"
        asks_for_the_token(program, served, folder)
    print("hostile visitors get nothing")


if __name__ == "__main__":
    main(*sys.argv[1:])
