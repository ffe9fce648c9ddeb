#!/usr/bin/python3
"""A campaign as a job array of a real Slurm, on one machine of which each part is started here.

    slurm_test.py PROGRAM SERVER_FOLDER

Needs root, Debian's slurm-wlm and munge, and the PostgreSQL server of tests/database/server.py. One
worker is killed in the middle; each item must be measured exactly once, and no password may be seen.
"""

import os
import pathlib
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "campaign"))
import campaigns

SKIP = 77


def skip(reason):
    print(f"skipped: {reason}")
    sys.exit(SKIP)


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def wait_until(what, holds, seconds=60):
    end = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < end, f"waited {seconds} s for {what}"
        time.sleep(0.2)


class Cluster:
    """munged, slurmctld and slurmd with all their files in one folder."""

    def __init__(self, folder):
        self.folder = folder
        self.processes = []
        host = socket.gethostname().split(".")[0]
        (folder / "slurm.conf").write_text(
            f"""\
ClusterName=test
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={free_port()}
SlurmdPort={free_port()}
SlurmUser=root
AuthType=auth/munge
AuthInfo=socket={folder}/munge.socket
CredType=cred/munge
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/slurmd.log
ReturnToService=2
NodeName={host} NodeAddr=127.0.0.1 CPUs=2 RealMemory=500 State=UNKNOWN
PartitionName=cpu Nodes={host} Default=YES MaxTime=INFINITE State=UP
"""
        )
        for name in ("state", "spool", "munge"):
            (folder / name).mkdir()
        self.environment = {**os.environ, "SLURM_CONF": str(folder / "slurm.conf")}

    def start(self):
        key = self.folder / "munge/munge.key"
        key.write_bytes(os.urandom(128))
        key.chmod(0o400)
        munged = ["munged", "--foreground", "--force", f"--key-file={key}"]
        munged += [f"--{name}-file={self.folder}/munge/{name}" for name in ("log", "pid", "seed")]
        self.spawn([*munged, f"--socket={self.folder}/munge.socket"])
        wait_until("munged", (self.folder / "munge.socket").exists)
        self.spawn(["slurmctld", "-D"])
        self.spawn(["slurmd", "-D"])
        wait_until("an idle node", lambda: "idle" in self.ask("sinfo", "-h", "-o", "%T"))

    def spawn(self, words):
        log = (self.folder / f"{words[0]}.out").open("w")
        self.processes.append(
            subprocess.Popen(
                words, stdout=log, stderr=log, env=self.environment, start_new_session=True
            )
        )

    def ask(self, *words):
        result = subprocess.run(
            words, capture_output=True, text=True, check=False, env=self.environment, timeout=30
        )
        return result.stdout

    def stop(self):
        for process in reversed(self.processes):
            process.terminate()
        for process in self.processes:
            try:
                process.wait(timeout=10)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


def passfile(folder, server):
    """The password of the server in the file that PGPASSFILE names; the URL without it."""
    from urllib.parse import unquote, urlsplit

    url = urlsplit((server / "tcp_url").read_text())
    password = unquote(url.password)
    escaped = password.replace("\\", "\\\\").replace(":", "\\:")
    file = folder / "pgpass"
    file.write_text(f"*:*:*:*:{escaped}\n")
    file.chmod(0o600)
    query = f"?{url.query}" if url.query else ""
    return password, file, f"postgresql://{url.username}@{url.hostname}:{url.port}{url.path}{query}"


def run_array(program, cluster, plan, database):
    words = [
        program,
        "campaign",
        "submit",
        str(plan),
        "--slurm",
        "--array",
        "2",
        "--partition",
        "cpu",
    ]
    # On one machine, each worker is load to the other.
    words += ["--max-load", "none"]
    submitted = subprocess.run(
        [*words, "--db", database],
        capture_output=True,
        text=True,
        check=False,
        env=cluster.environment,
        cwd=cluster.folder,
    )
    assert submitted.returncode == 0, submitted.stderr
    assert submitted.stdout.startswith("Submitted batch job"), submitted.stdout

    def told():
        try:
            return campaigns.status(program, plan, database)
        except subprocess.CalledProcessError:  # there are no tables yet
            return {"list": [], "done": 0}

    def running():
        return [item for item in told()["list"] if item["state"] == "running"]

    wait_until("two workers at work", lambda: len(running()) == 2 or told()["done"] > 4)
    victim = running()[0]["worker"].rpartition(" ")[2]
    os.kill(int(victim), signal.SIGKILL)
    wait_until("all items", lambda: told()["done"] == campaigns.ITEMS, 180)
    wait_until("the end of the jobs", lambda: not cluster.ask("squeue", "-h").strip())
    return told()


def main(program, server_folder):
    missing = [
        name for name in ("munged", "slurmctld", "slurmd", "sbatch") if not shutil.which(name)
    ]
    if missing:
        skip(f"no {', '.join(missing)} (Debian: slurm-wlm, munge)")
    if os.geteuid() != 0:
        skip("slurmd needs root")
    server = pathlib.Path(server_folder)
    if not (server / "tcp_url").exists():
        skip("no server of PostgreSQL was started")
    program = str(pathlib.Path(program).resolve())
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch)
        # Larger budgets, so that both workers are seen at work.
        plan = campaigns.write_plan(folder, campaigns.PLAN.replace("300ms", "1s"))
        password, file, url = passfile(folder, server)
        os.environ["PGPASSFILE"] = str(file)
        schema = f"slurm_{os.getpid()}"
        psql = ["psql", "-q", url, "-c"]
        subprocess.run([*psql, f"CREATE SCHEMA {schema}"], check=True)
        mark = "&" if "?" in url else "?"
        database = f"{url}{mark}options=-csearch_path%3D{schema}"
        cluster = Cluster(folder)
        try:
            cluster.start()
            told = run_array(program, cluster, plan, database)
        finally:
            cluster.stop()
            subprocess.run(
                [*psql, f"DROP SCHEMA {schema} CASCADE"], check=True, stderr=subprocess.DEVNULL
            )
        assert told["failed"] == 0, told
        attempts = sorted(item["attempts"] for item in told["list"])
        assert attempts[:-1] == [1] * (campaigns.ITEMS - 1), attempts
        for path in folder.rglob("*"):
            if path.is_file() and path != file:
                assert password.encode() not in path.read_bytes(), f"{path} holds the password"
        print(f"{campaigns.ITEMS} items by 2 workers, one of them killed; attempts {attempts}")


if __name__ == "__main__":
    main(*sys.argv[1:])
