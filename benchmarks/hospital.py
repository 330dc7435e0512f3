"""Visits to a hospital, made up by code: the whole line from CSV to CSV with both reports, in CPU seconds per stage.

`hospital(rows, seed)` draws the table, the same on every machine: about two visits per patient, umlauts, 24,000 days of
birth, codes of mixed length, spellings of mixed kind and missing values. The line is that of the command line, in this
process, so that the second run of the smallest size is warm. Beside it stands another tool on the same rows and
columns where its environment is there; it knows no missing values, so it gets a value in their place.
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
import tempfile
import time
import warnings
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv as pacsv
from notes import note
from rich.console import Console
from rich.table import Table as RichTable
from typer.testing import CliRunner

import shoal
from shoal.cli.app import app
from shoal.data.recoding import Recoding
from shoal.metrics import loss

QUASI = ["birth_date", "postal_code", "sex", "admission"]
SENSITIVE = "diagnosis"
IDENTIFYING = ["patient", "name", "note"]
TREES = {"birth_date": "dates", "postal_code": "prefix", "sex": "flat", "admission": "dates"}
NAMES = {"mondrian": "Mondrian", "verifying": "verifying, figures of the report"}
BIRTHDAYS = 24_000
K = 5

FIRST = (
    "Jürgen Björn Käthe Günther Zoë Özlem Łukasz André Søren Jörg Bärbel Renée Anna Peter Ute Hans Ines Max Olga Emil "
    "Lea Noah Mia Finn Ida Paul Ella Otto Rosa Karl Nina Toni"
)
LAST = (
    "Müller Schröder Weiß Köhler Jäger Groß Böhm Krüger Fuß Yılmaz Nuñez Ångström Schmidt Meier Fischer Weber Wagner "
    "Becker Hoffmann Koch Bauer Richter Klein Wolf Neumann Schwarz Braun Zimmer Hartmann Lange Werner Krause Lehmann "
    "Maier Walter Mayer Huber Kaiser Fuchs Peters Lang Scholz Möller Roth Beck Lorenz Vogel Frank Albrecht Simon"
)
SEX = ["w", "m", "W", "M", "weiblich", "männlich", "female", "male", "F", "Male", "d"]
WARDS = ["Chirurgie", "Innere Medizin", "Gynäkologie", "Pädiatrie", "HNO", "Neurologie", "Intensiv", "Urologie"]
COMPLAINTS = ["Schmerzen", "Fieber", "Übelkeit", "Schwindel", "Husten", "Atemnot", "Müdigkeit", "Ödeme"]
PLACES = ["Rücken", "Kopf", "Brust", "Bauch", "Knie", "Hüfte", "Schulter", "Füße"]


def hospital(rows: int, seed: int = 1) -> pa.Table:
    """So many visits to a hospital that never was; the same table for the same seed.

    Only whole numbers are drawn, from numpy's legacy generator, whose stream does not change.
    """
    random = np.random.RandomState(seed)
    patients = max(1, rows // 2)
    who = np.concatenate([np.arange(patients), _drawn(random, patients, rows - min(rows, patients))])[:rows]
    who = who[random.permutation(rows)]
    born = np.concatenate([random.permutation(BIRTHDAYS), _drawn(random, BIRTHDAYS, patients)])[:patients]
    firsts, lasts = FIRST.split(), LAST.split()
    first, last = _drawn(random, len(firsts), patients), _drawn(random, len(lasts), patients)
    town, street = _drawn(random, 60, patients), _drawn(random, 40, patients)
    sex = _drawn(random, 2, patients)[who] + 2 * _drawn(random, 5, rows)
    sex = np.where(_drawn(random, 200, rows) == 0, len(SEX) - 1, sex)
    admitted = _drawn(random, 1461, rows)
    return pa.table(
        {
            "patient": _joined("P", _padded(who + 1, 8)),
            "name": _joined(_picked(firsts, first[who]), " ", _picked(lasts, last[who])),
            "birth_date": _missing(_days("1932-05-17", born[who]), random, 250),
            "postal_code": _missing(_padded((town * town * 27 + 1067 + street)[who], 5), random, 60),
            "sex": _missing(_picked(SEX, sex), random, 40),
            "diagnosis": _diagnoses(random, rows),
            "admission": _days("2020-01-01", admitted),
            "cost": _missing(_cents(random, rows), random, 90),
            "ward": _picked(WARDS, np.minimum(_drawn(random, 8, rows), _drawn(random, 8, rows))),
            "note": _missing(_notes(random, rows), random, 3),
        }
    )


def _diagnoses(random: np.random.RandomState, rows: int) -> pa.Array:
    """Codes in the form of ICD-10, with none, one or two places after the dot, few of them frequent."""
    code = np.minimum(_drawn(random, 900, rows), _drawn(random, 900, rows))
    letters = _picked(list("IEJKMFCSGNRZ"), code % 12)
    places = _picked(["", ".0", ".9", ".1", ".01", ".20", ".89", ".4"], (code // 12) % 8)
    return _joined(letters, _padded(code % 97 + 1, 2), places)


def _cents(random: np.random.RandomState, rows: int) -> pa.Array:
    """Amounts with two places as doubles: many small ones and few large ones."""
    cents = (2_000 + _drawn(random, 88_000, rows)) * (1 + _drawn(random, 8, rows)) * (1 + _drawn(random, 4, rows))
    return pa.array(cents / 100)


def _notes(random: np.random.RandomState, rows: int) -> pa.Array:
    """Free text with commas, quotes, line breaks and umlauts."""
    days = (1 + _drawn(random, 89, rows)).astype(str)
    ends = [".", ', sagt „es zieht".', ".\nKontrolle nötig.", '; Zitat: "geht so"']
    return _joined(
        _picked(COMPLAINTS, _drawn(random, 8, rows)),
        " (",
        _picked(PLACES, _drawn(random, 8, rows)),
        ") seit ",
        pa.array(days, pa.string()),
        " Tagen",
        _picked(ends, _drawn(random, 4, rows)),
    )


def _drawn(random: np.random.RandomState, below: int, size: int) -> np.ndarray:
    return random.randint(0, below, size, np.int64)  # the default differs between systems


def _picked(values: list[str], places: np.ndarray) -> pa.Array:
    return pa.array(values).take(pa.array(places))


def _padded(numbers: np.ndarray, width: int) -> pa.Array:
    return pc.utf8_lpad(pa.array(numbers).cast(pa.string()), width, "0")


def _joined(*parts: pa.Array | str) -> pa.Array:
    return pc.binary_join_element_wise(*parts, "")


def _days(start: str, days: np.ndarray) -> pa.Array:
    return pa.array(np.datetime64(start) + days, pa.date32())


def _missing(values: pa.Array, random: np.random.RandomState, one_in: int) -> pa.Array:
    """The values, about one in so many missing."""
    return pc.if_else(pa.array(_drawn(random, one_in, len(values)) == 0), pa.scalar(None, values.type), values)


def command(data: Path, folder: Path) -> list[str]:
    """The command line: CSV to CSV with both reports."""
    line = ["anonymize", str(data), "--quasi", ",".join(QUASI), "--sensitive", SENSITIVE]
    line += ["--identifying", ",".join(IDENTIFYING), "--missing", "", "--k", str(K), "--algorithm", "mondrian"]
    for name, tree in TREES.items():
        line += ["--hierarchy", f"{name}={tree}"]
    line.append("--rows-are-people")  # a line of speed, not of protection: patients have two visits on average
    reports = ["--report", str(folder / "safe.html"), "--report", str(folder / "safe.json")]
    return [*line, "-o", str(folder / "safe.csv"), *reports, "--quiet"]


class Stages:
    """CPU seconds by stage: each lasts until the next is told."""

    def __init__(self) -> None:
        self.seconds: dict[str, float] = {}
        self._stage, self._since = "", time.process_time()

    def __call__(self, stage: str, share: float = 0) -> None:
        """The stage that begins, or goes on."""
        now = time.process_time()
        if self._stage:
            self.seconds[self._stage] = self.seconds.get(self._stage, 0.0) + now - self._since
        self._stage, self._since = stage, now


def stages_of(data: Path, folder: Path) -> tuple[dict[str, float], shoal.Release]:
    """The same line call by call, to see where the time goes."""
    stages = Stages()
    stages("reading")
    release = shoal.anonymize(
        str(data),
        quasi_identifiers=QUASI,
        sensitive=SENSITIVE,
        identifying=IDENTIFYING,
        missing_values=[""],
        hierarchies=TREES,
        model=shoal.KAnonymity(K),
        algorithm="mondrian",
        rows_are_people=True,
        progress=stages,
    )
    stages("saving CSV")
    release.save(folder / "staged.csv")
    stages("HTML report")
    release.save_report(folder / "staged.html")
    stages("JSON report")
    release.save_report(folder / "staged.json")
    stages("")
    return {NAMES.get(name, name): seconds for name, seconds in stages.seconds.items()}, release


def peer(python: Path, data: pa.Table, folder: Path) -> tuple[dict, np.ndarray]:
    """anonypy on the same rows and quasi-identifiers, days as numbers, in its own environment."""
    columns = {name: _for_peer(data[name]) for name in [*QUASI, SENSITIVE]}
    csv, out = folder / "peer.csv", folder / "peer_classes.csv"
    pacsv.write_csv(pa.table(columns), csv)
    script = Path(__file__).parent / "peers" / "run_anonypy.py"
    line = [str(python), str(script), str(csv), "--k", str(K), "--out", str(out), "--sensitive", SENSITIVE]
    line += ["--numeric", "birth_date,admission", "--categorical", "postal_code,sex"]
    done = subprocess.run(line, capture_output=True, text=True, check=True)
    return json.loads(done.stdout.strip().splitlines()[-1]), np.loadtxt(out, dtype=np.int32)


def _for_peer(column: pa.ChunkedArray) -> pa.ChunkedArray:
    """A column without missing values: days by their number, 0 for none."""
    if pa.types.is_date(column.type):
        return pc.fill_null(column.cast(pa.int32()), 0)
    return pc.fill_null(column, "?")


def measure(rows: int, python: Path | None) -> None:
    """Print the figures of one size."""
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        start = time.process_time()
        data = hospital(rows)
        made = time.process_time() - start
        pacsv.write_csv(data, folder / "hospital.csv")
        line = command(folder / "hospital.csv", folder)
        runs = []
        for _ in range(2):
            start = time.process_time()
            result = CliRunner().invoke(app, line, catch_exceptions=False)
            runs.append(time.process_time() - start)
            if result.exit_code:
                raise SystemExit(result.output)
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**10
        seconds, release = stages_of(folder / "hospital.csv", folder)
        shown = RichTable(title=f"{rows:,} visits to a hospital, Mondrian, k = {K}: CPU s")
        shown.add_column("stage")
        shown.add_column("CPU s", justify="right")
        for name, second in {"making the table": made, **seconds}.items():
            shown.add_row(name, f"{second:.2f}")
        shown.add_section()
        shown.add_row("the whole command, first run", f"{runs[0]:.2f}")
        shown.add_row("the whole command, warm", f"{runs[1]:.2f}")
        shown.add_row("peak memory, MiB", f"{peak:,.0f}")
        table = release.table
        note(f"rows{rows}", loss=loss(table, release.recoding), first=runs[0], warm=runs[1], mib=peak)
        shown.add_row("loss (LM) of shoal", f"{loss(table, release.recoding):.4f}")
        if python is not None and python.exists():
            figures, ids = peer(python, data, folder)
            other = Recoding.of_groups(table, ids)
            note(f"rows{rows}.anonypy", loss=loss(table, other), cpu=figures["cpu_s"])
            shown.add_section()
            shown.add_row(f"anonypy {figures['version']}, grouping alone", f"{figures['cpu_s']:.2f}")
            shown.add_row("loss (LM) of anonypy", f"{loss(table, other):.4f}")
        Console(width=120).print(shown)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", default="50000,1000000", help="sizes, comma-separated, each in a process of its own")
    parser.add_argument("--peers", type=Path, help="the Python of the environment with the other tools")
    parser.add_argument("--one", action="store_true", help="measure one size in this process")
    arguments = parser.parse_args()
    warnings.simplefilter("ignore", shoal.PrivacyWarning)
    sizes = [int(size) for size in arguments.rows.split(",")]
    if arguments.one:
        measure(sizes[0], arguments.peers)
        return
    for size in sizes:
        line = [sys.executable, __file__, "--one", "--rows", str(size)]
        # The other tool takes minutes for the smallest size already.
        line += ["--peers", str(arguments.peers)] if arguments.peers and size == min(sizes) else []
        subprocess.run(line, check=True)
    if arguments.peers is None or not arguments.peers.exists():
        print("The other tool is not installed here (it wants Python 3.11 or 3.12): shoal was measured alone.")


if __name__ == "__main__":
    main()
