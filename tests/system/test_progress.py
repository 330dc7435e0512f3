"""Progress goes to the caller's function, to a bar below a cell of a notebook, or nowhere."""

from __future__ import annotations

import sys
import textwrap
import threading
import time
import types

import pandas as pd
import pytest

import shoal
from shoal.system import progress
from shoal.system.progress import in_notebook, showing, silent, terminal_bar

TABLE = pd.DataFrame({"age": [20, 21, 22, 40, 41, 42] * 5, "sex": ["f", "m"] * 15})
ASKED = {"quasi_identifiers": ["age", "sex"], "model": shoal.KAnonymity(3), "algorithm": "mondrian"}


class Frontend:
    """What a notebook would show: the output of each display, as it is drawn and drawn again."""

    def __init__(self) -> None:
        self.drawings: list[dict[str, str]] = []
        self.threads: set[int] = set()

    def display(self, bundle: dict[str, str], *, raw: bool, display_id: bool) -> Frontend:
        assert raw
        assert display_id
        self.update(bundle, raw=True)
        return self

    def update(self, bundle: dict[str, str], *, raw: bool) -> None:
        assert raw
        self.drawings.append(bundle)
        self.threads.add(threading.get_ident())


def shell_named(name: str, **attributes: object) -> types.ModuleType:
    """Return an IPython whose shell has this class."""
    module = types.ModuleType("IPython")
    module.get_ipython = lambda: type(name, (), attributes)()
    return module


@pytest.fixture
def notebook(monkeypatch):
    """Let this process look like a kernel whose bars appear at once."""
    frontend = Frontend()
    module = types.ModuleType("IPython.display")
    module.display = frontend.display
    monkeypatch.setitem(sys.modules, "IPython", shell_named("ZMQInteractiveShell", kernel=None))
    monkeypatch.setitem(sys.modules, "IPython.display", module)
    monkeypatch.setattr(progress, "DELAY", 0.0)
    monkeypatch.setattr(progress, "PERIOD", 0.01)
    return frontend


def wait_for(drawn: object, frontend: Frontend) -> None:
    """Wait until something is drawn."""
    ends = time.monotonic() + 10
    while not any(drawn in bundle["text/html"] for bundle in frontend.drawings):
        assert time.monotonic() < ends, (drawn, frontend.drawings)
        time.sleep(0.01)


def test_a_notebook_shows_a_bar_and_takes_it_away(notebook):
    with showing(None) as tell:
        wait_for("<progress style=", notebook)  # nothing is known yet: it moves without a value
        tell("cutting <ages>", 0.25)
        wait_for('value="0.250"', notebook)
        tell("verifying", 1.0)
        wait_for("verifying, 99%", notebook)  # other stages may follow
    assert any("cutting &lt;ages&gt;, 25%" in bundle["text/html"] for bundle in notebook.drawings)
    assert notebook.drawings[-1] == {"text/html": "", "text/plain": ""}
    assert threading.get_ident() not in notebook.threads  # the work does not wait for it
    drawn = len(notebook.drawings)
    tell("later", 0.5)  # as the releases of other nodes of a lattice do
    time.sleep(0.05)
    assert len(notebook.drawings) == drawn


def test_the_bar_goes_away_when_the_work_fails_or_is_interrupted(notebook):
    def work() -> None:
        with showing(None):
            wait_for("<progress", notebook)
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        work()
    assert notebook.drawings[-1]["text/html"] == ""


def test_short_work_shows_nothing(notebook, monkeypatch):
    monkeypatch.setattr(progress, "DELAY", 60.0)
    with showing(None) as tell:
        tell("reading", 0.5)
    assert notebook.drawings == []


def test_a_release_in_a_notebook_has_a_bar(notebook, monkeypatch):
    told = []
    with showing(None) as tell:
        monkeypatch.setattr(progress, "_notebook_bar", lambda: showing(lambda *now: (told.append(now), tell(*now))))
        shoal.anonymize(TABLE, **ASKED)
        wait_for("verifying", notebook)
    assert [stage for stage, _ in told][-1] == "verifying"


def test_everything_that_takes_long_has_a_bar(notebook, monkeypatch, tmp_path):
    told = []
    monkeypatch.setattr(progress, "_notebook_bar", lambda: showing(lambda stage, share: told.append(stage)))
    source = tmp_path / "people.csv"
    TABLE.to_csv(source, index=False)
    trees = {"age": "intervals:5,10,20", "sex": "flat"}
    release = shoal.anonymize(TABLE, **ASKED | {"algorithm": "full-domain", "hierarchies": trees})
    calls = {
        "files": lambda: shoal.anonymize_files(source, tmp_path / "safe.csv", **ASKED),
        "apply": lambda: shoal.apply(release, TABLE),
        "compare": lambda: shoal.compare(
            TABLE, quasi_identifiers=["age", "sex"], algorithms=["mondrian"], k=2, repeat=1, measures="loss"
        ),
        "columns": lambda: shoal.assess_columns(TABLE, size=1),
        "attack": lambda: shoal.attack(release.frame, kind="membership", original=TABLE, hierarchies=trees),
        "nodes": lambda: release.lattice.complete(),
        "limits": lambda: release.lattice.trade_off(),
    }
    for name, call in calls.items():
        told.clear()
        call()
        assert told, name


def test_false_hides_it_and_a_function_takes_its_place(notebook):
    told = []
    for asked in (False, lambda stage, share: told.append(stage)):
        with showing(asked) as tell:
            tell("reading", 0.5)
            time.sleep(0.05)
    assert told == ["reading"]
    assert notebook.drawings == []


def test_nothing_is_printed_elsewhere(capfd):
    assert not in_notebook()
    with showing(None) as tell:
        assert tell is silent
    shoal.anonymize(TABLE, **ASKED)
    shoal.anonymize(TABLE, **ASKED, progress=True)  # standard error is no terminal here
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize(
    ("shell", "attributes", "is_one"),
    [
        ("ZMQInteractiveShell", {"kernel": None}, True),  # Jupyter
        ("Shell", {"kernel": None}, True),  # Colab
        ("TerminalInteractiveShell", {}, False),  # IPython in a terminal
        ("SpyderShell", {"kernel": None}, False),  # shows text alone
        ("NoneType", {}, False),  # IPython is imported and does not run this
    ],
)
def test_which_shells_are_notebooks(shell, attributes, is_one, monkeypatch):
    monkeypatch.setitem(sys.modules, "IPython", shell_named(shell, **attributes))
    assert in_notebook() is is_one


def test_true_shows_a_bar_in_a_terminal(monkeypatch):
    class Terminal:
        encoding = "utf-8"

        def __init__(self) -> None:
            self.text = ""

        def isatty(self) -> bool:
            return True

        def write(self, text: str) -> None:
            self.text += text

        def flush(self) -> None:
            pass

    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    monkeypatch.setattr(progress, "DELAY", 0.0)
    monkeypatch.setenv("TERM", "xterm")
    with showing(True) as tell:
        ends = time.monotonic() + 10
        while "cutting" not in terminal.text:
            assert time.monotonic() < ends, terminal.text
            tell("cutting", 0.5)
            time.sleep(0.01)
    with terminal_bar() as tell:
        assert tell is not silent


def test_a_real_kernel_shows_the_bar_and_keeps_nothing_of_it(monkeypatch, tmp_path):
    nbclient = pytest.importorskip("nbclient", reason="nbclient and ipykernel run a cell as Jupyter does")
    pytest.importorskip("ipykernel")
    import nbformat

    source = """
        from shoal.system import progress
        progress.DELAY, progress.PERIOD = 0.0, 0.01
        import time
        with progress.showing(None) as tell:
            for step in range(20):
                tell("cutting", step / 20)
                time.sleep(0.02)
        print("done")
    """
    book = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(textwrap.dedent(source))])
    monkeypatch.chdir(tmp_path)
    nbclient.NotebookClient(book, kernel_name="python3").execute()
    bar, said = book.cells[0].outputs
    assert bar["data"] == {"text/html": "", "text/plain": ""}
    assert said["text"] == "done\n"
