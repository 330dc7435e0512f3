"""A process that has imported everything and runs each command line in a fork, with a fault."""

from __future__ import annotations

import atexit
import contextlib
import errno
import functools
import gc
import json
import os
import resource
import signal
import sys
import time
import traceback
from pathlib import Path

WRITES = os.O_WRONLY | os.O_RDWR | os.O_CREAT
NAMED = {"os.rename", "os.remove", "os.mkdir", "os.rmdir", "os.chmod", "os.link", "os.truncate", "sqlite3.connect"}
PATIENCE = 60.0  # seconds


class Steps:
    """A counter of the steps in which a run writes into a folder; it acts at one of them."""

    def __init__(self, folder: str, at: int, act) -> None:
        self.folder, self.at, self.act, self.seen = folder, at, act, 0
        self.off = False
        sys.addaudithook(self.hear)
        for name in ("fsync", "replace"):  # audit events come before the call; these are counted after it
            setattr(os, name, self.noted(getattr(os, name)))

    def hear(self, event: str, args: tuple) -> None:
        if self.off:
            return
        if event == "open":
            path, _, flags = args
            if not flags & WRITES or not self.is_inside(path):
                return
        elif event not in NAMED or not self.is_inside(args[0]):
            return
        self.step()

    def is_inside(self, path: object) -> bool:
        return isinstance(path, str | os.PathLike) and os.path.abspath(path).startswith(self.folder)

    def noted(self, function):
        def call(*args, **options):
            found = function(*args, **options)
            self.step()
            return found

        return call

    def step(self) -> None:
        self.seen += 1
        if self.seen == self.at:
            self.act()


def full() -> None:
    raise OSError(errno.ENOSPC, "No space left on device")


def fault_of(fault: dict, folder: str) -> Steps:
    """Install a fault: at a step, or when a limit is reached."""
    kind = fault.get("kind")
    if kind == "size":  # no file can grow larger: the run is killed while writing, or gets an error
        signal.signal(signal.SIGXFSZ, signal.SIG_DFL if fault["kill"] else signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        resource.setrlimit(resource.RLIMIT_FSIZE, (fault["bytes"], fault["bytes"]))
    if kind == "memory":
        used = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
        resource.setrlimit(resource.RLIMIT_AS, (used + fault["bytes"], used + fault["bytes"]))
    if kind == "user":
        os.setgid(65534)
        os.setuid(65534)
    acts = {
        "signal": lambda: os.kill(os.getpid(), fault["number"]),
        "full": full,
        "change": lambda: change(Path(fault["path"]), fault["how"], fault["content"]),
    }
    return Steps(folder, fault.get("at", 0), acts.get(kind))


def change(path: Path, how: str, content: str) -> None:
    """Change a file as other programs do: replace it, rewrite it in place, truncate it, or append to it."""
    if how == "replace":
        new = path.with_name("other.part")
        new.write_text(content)
        new.replace(path)
    elif how == "rewrite":
        path.write_text(content)
    elif how == "cut":
        os.truncate(path, path.stat().st_size // 2)
    else:
        with path.open("a") as file:
            file.write(content)


def run(request: dict, result: int) -> None:
    """Run one command line; never returns."""
    code = 1
    steps = None
    try:
        os.chdir(request["folder"])
        for number, name in ((1, "out"), (2, "err")):
            os.dup2(os.open(f"{request['log']}.{name}", os.O_WRONLY | os.O_CREAT | os.O_TRUNC), number)
        sys.argv = ["shoal", *request["words"]]
        steps = fault_of(request.get("fault") or {}, request["folder"])
        from shoal.cli import main

        signal.signal(signal.SIGINT, signal.default_int_handler)
        main()
        code = 0
    except SystemExit as end:
        code = end.code if isinstance(end.code, int) else 0
    except BaseException:
        traceback.print_exc()
    finally:
        if steps is not None:
            steps.off = True
            os.write(result, str(steps.seen).encode())
        sys.stdout.flush()
        sys.stderr.flush()
        atexit._run_exitfuncs()
        os._exit(code)


def ended(pid: int) -> int:
    """Wait for a process, and kill it if it does not end; return how it ended."""
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until:
        found, status = os.waitpid(pid, os.WNOHANG)
        if found:
            return status
        time.sleep(0.001)
    os.kill(pid, signal.SIGALRM)
    return os.waitpid(pid, 0)[1]


def answer(request: dict) -> dict:
    """Run a request in a fork of this process."""
    ours, theirs = os.pipe()
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # a fork that has not begun simply ends
    pid = os.fork()
    if pid == 0:
        os.close(ours)
        run(request, theirs)
    os.close(theirs)
    later = (request.get("fault") or {}).get("after")
    if later is not None:
        time.sleep(later)
        os.kill(pid, request["fault"]["number"])
    status = ended(pid)
    seen = os.read(ours, 100)
    os.close(ours)
    return {
        "code": os.waitstatus_to_exitcode(status),
        "steps": int(seen or 0),
        "out": Path(f"{request['log']}.out").read_text(),
        "err": Path(f"{request['log']}.err").read_text(),
    }


def main() -> None:
    """Import what commands need, then answer requests."""
    import matplotlib.backends.backend_pdf
    import typer.main

    import shoal.cli.app
    import shoal.engines.streams.run

    assert matplotlib
    assert shoal.engines.streams.run
    typer.main.get_command = functools.cache(typer.main.get_command)  # takes half of the time of a small run
    for line in sys.stdin:
        request = json.loads(line)
        if request.get("warm"):  # in this process rather than a fork: compiled and loaded code stays
            os.chdir(request["folder"])
            sys.argv = ["shoal", *request["words"]]
            try:
                with contextlib.redirect_stdout(sys.stderr):
                    shoal.cli.main()
            except SystemExit as end:
                found = {"code": end.code or 0}
            gc.freeze()
        else:
            found = answer(request)
        sys.stdout.write(json.dumps(found) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
