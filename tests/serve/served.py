"""The server as a process, and raw requests to it."""

import contextlib
import http.client
import json
import os
import re
import shutil
import signal
import socket
import subprocess
from pathlib import Path


class Server:
    """`jouletree serve` on a free port; ends it when it is left."""

    def __init__(self, program, place, *flags, listen="127.0.0.1:0", env=None):
        self.process = subprocess.Popen(
            [program, "serve", str(place), "--listen", listen, *flags],
            stderr=subprocess.PIPE,
            text=True,
            env={**os.environ, **(env or {})},
        )
        self.said = []
        self.address = None
        for line in self.process.stderr:
            self.said.append(line)
            if found := re.search(r"serving .* at (http://(\S+?)/(\S*?))(,|\n)", line):
                self.url, self.address, self.query = found[1], found[2], found[3]
                break
        assert self.address, f"the server did not start: {self.said}"
        self.port = int(self.address.rsplit(":", 1)[1])

    def get(self, target, method="GET", **headers):
        """Status, headers and text of an answer."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        try:
            connection.putrequest(method, target, skip_host="Host" in headers)
            for name, value in headers.items():
                connection.putheader(name, value)
            connection.endheaders()
            answer = connection.getresponse()
            return answer.status, answer.headers, answer.read().decode("utf-8", "replace")
        finally:
            connection.close()

    def page(self, target, **headers):
        status, _, text = self.get(target, **headers)
        assert status == 200, (target, status, text)
        return text

    def data(self, target):
        return json.loads(self.page(target))

    def raw(self, request):
        """All that comes for these bytes, until the server closes."""
        with socket.create_connection(("127.0.0.1", self.port), timeout=30) as connection:
            with contextlib.suppress(OSError):  # it may have been refused before it was all said
                connection.sendall(request)
                connection.shutdown(socket.SHUT_WR)
            answer = b""
            try:
                while piece := connection.recv(65536):
                    answer += piece
            except ConnectionResetError:
                pass
            return answer

    def stop(self, number=signal.SIGTERM):
        self.process.send_signal(number)
        return self.process.wait(timeout=30)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        self.process.stderr.close()


def run(program, *words, env=None):
    return subprocess.run(
        [program, *map(str, words)],
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
        env={**os.environ, **(env or {})},
    )


def copy_profile(profiles, name, to):
    shutil.copytree(Path(profiles) / name, to)
    return Path(to)


def all_files(folder):
    """Everything in a folder with its bytes and times, to see that nothing changes."""
    return {
        path.relative_to(folder): (path.read_bytes() if path.is_file() else None, path.stat().st_mtime_ns)
        for path in sorted(Path(folder).rglob("*"))
    }


def embedded(html):
    """The data of a page."""
    return json.loads(re.search(r'id="data">(.*?)</script>', html, re.DOTALL)[1])
