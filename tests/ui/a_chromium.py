"""A real workbench and a real browser: the server as a process, and Debian's chromium driven by playwright."""

from __future__ import annotations

import re
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

WAIT = 30_000  # milliseconds: kernels may have to be compiled first


@contextmanager
def workbench(folder: Path, *words: str) -> Iterator[Callable[[], str]]:
    """Run a workbench during a block; each call returns the next link from its terminal."""
    command = [sys.executable, "-m", "shoal", "ui", "--port", "0", "--no-browser", *words]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=folder) as process:
        try:
            yield lambda: re.search(r"http://\S+", process.stdout.readline())[0]
        finally:
            process.send_signal(signal.SIGINT)
            errors = process.communicate(timeout=30)[1]
    assert "Traceback" not in errors, errors


def new_page(opened, link: str, *, dark: bool = False):
    """Open a link in a page with its own cookies, which records its requests and errors."""
    context = opened.new_context(
        viewport={"width": 1366, "height": 768}, color_scheme="dark" if dark else "light", accept_downloads=True
    )
    page = context.new_page()
    page.set_default_timeout(WAIT)
    page.asked, page.wrong = [], []
    page.on("request", lambda request: page.asked.append(request.url))
    page.on("console", lambda said: page.wrong.append(said.text) if said.type == "error" else None)
    page.on("pageerror", lambda error: page.wrong.append(str(error)))
    page.goto(link)
    return page


def choose(page, label: str, option: str) -> None:
    """Choose an option of a select by its label."""
    page.get_by_label(label, exact=True).click()
    page.get_by_role("option", name=option, exact=True).click()
    page.wait_for_function("!document.querySelector('.q-menu')")


def step(page, name: str) -> None:
    """Go to a step by its tab."""
    page.get_by_role("tab", name=name).click()
