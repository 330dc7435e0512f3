"""Nothing that is published with a release reveals anything of the table that is not in the release.

Tables hold canaries: values that no other row has, in columns of every role. A test fails if anything that may be
published contains a canary, a folder, a name of the machine or a time that is not in the release.
"""

from __future__ import annotations

import io
import json
import platform
import re
import shlex
import socket
import time
import warnings
import zlib
from contextlib import redirect_stderr, redirect_stdout
from html import unescape
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet as pq
import pytest
from hypothesis import HealthCheck, Phase, given, settings, strategies as st
from typer.testing import CliRunner

import shoal
from depth import every
from shoal.cli.app import app
from shoal.documents import page_layout

pytestmark = pytest.mark.filterwarnings("ignore::shoal.PrivacyWarning")

KEY = "5ecretKeyOfThePseudonyms"
FOLDER = "wardOfDrWho"
TOWNS = ["Rome", "Oslo", "Bari", "Ytre"]
ILLS = ["flu", "cold", "mumps"]
ROWS = 48
OPTIONS = {
    "mondrian": {"algorithm": "mondrian"},
    "auto": {},
    "shuffled": {"algorithm": "mondrian", "order": "shuffled"},
    "classes": {"algorithm": "k-member", "order": "classes", "class_column": "class"},
    "suppressed": {"algorithm": "full-domain", "max_suppression": 0.3},
    "dropped": {"algorithm": "full-domain", "max_suppression": 0.3, "suppressed": "drop"},
    "without missing": {"algorithm": "mondrian", "drop_missing": True},
}
LINES = {  # the same for the command line
    "mondrian": "--algorithm mondrian",
    "auto": "",
    "shuffled": "--algorithm mondrian --shuffle",
    "classes": "--algorithm k-member --order classes --class-column class",
    "suppressed": "--algorithm full-domain --max-suppression 0.3",
    "dropped": "--algorithm full-domain --max-suppression 0.3 --suppressed drop",
    "without missing": "--algorithm mondrian --drop-missing",
}


def tables(draw):
    """Return a table and its canaries: unique values in every column, some of them in outlier rows."""
    marks = iter(range(1000, 10_000))
    columns = {
        "name": [f"nameCanary{next(marks)}" for _ in range(ROWS)],
        "mail": [f"mailCanary{next(marks)}" for _ in range(ROWS)],
        "age": [30 + draw.integers(10) for _ in range(ROWS)],
        "town": [TOWNS[draw.integers(4)] for _ in range(ROWS)],
        "ill": [ILLS[draw.integers(3)] for _ in range(ROWS)],
        "note": [f"note{draw.integers(3)}" for _ in range(ROWS)],
    }
    canaries = {*columns["name"], *columns["mail"]}
    for name, value in (
        ("age", lambda mark: 70_000 + mark),
        ("town", "townCanary{}".format),
        ("ill", "illCanary{}".format),
    ):
        for row in draw.choice(ROWS, 3, replace=False).tolist():
            columns[name][row] = value(next(marks))
            canaries.add(str(columns[name][row]))
    columns["note"][draw.integers(ROWS)] = "noteCanary7"
    columns["ill"][draw.integers(ROWS)] = None  # a row that may be dropped
    return pa.table(columns), canaries | {"noteCanary7"}


def written_text(path: Path) -> str:
    """Return the whole content of a file as text."""
    content = path.read_bytes()
    if path.suffix == ".parquet":
        about = pq.ParquetFile(path)
        return f"{about.schema_arrow} {about.metadata} {about.metadata.metadata} {pq.read_table(path).to_pylist()}"
    if path.suffix == ".pdf":
        parts = re.findall(rb"stream\r?\n(.*?)\r?\nendstream", content, re.DOTALL)
        content += b"".join(zlib.decompressobj().decompress(part) for part in parts if part[:1] == b"x")
    text = content.decode("utf-8", errors="replace")
    return unescape(re.sub(r"<style>.*?</style>", "", text, flags=re.DOTALL)) if path.suffix == ".html" else text


@pytest.fixture
def told_on_paper(monkeypatch):
    """Return the lines of a PDF, which stores them glyph by glyph."""
    lines = []
    plain = page_layout.Paper.text
    monkeypatch.setattr(
        page_layout.Paper, "text", lambda self, x, text, **how: (lines.append(text), plain(self, x, text, **how))
    )
    return lines


def leaked(text: str, canaries: set[str], shown: str) -> list[str]:
    """Return the canaries in a text that are not in the release."""
    return sorted(canary for canary in canaries if canary in text and canary not in shown)


def of_this_machine(text: str, folder: Path) -> list[str]:
    """Return what a text reveals about where and when it was made."""
    times = [time.strftime(form) for form in ("%Y-%m-%d", "%d %b %Y", "%Y%m%d", "%H:%M")]
    return [word for word in (str(folder), FOLDER, "hostCanary", "userCanary", *times) if word in text]


@pytest.fixture
def ward(tmp_path, monkeypatch):
    """A folder and a machine with revealing names; the working directory is another, so that paths are absolute."""
    monkeypatch.setattr(platform, "node", lambda: "hostCanary")
    monkeypatch.setattr(socket, "gethostname", lambda: "hostCanary")
    for name in ("USER", "LOGNAME", "USERNAME"):
        monkeypatch.setenv(name, "userCanary")
    (tmp_path / FOLDER).mkdir()
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    return tmp_path / FOLDER


def frame_text(frame: pa.Table) -> str:
    return f"{frame.schema} {frame.schema.metadata} {frame.to_pylist()}"


@pytest.mark.parametrize("case", every(2, OPTIONS))
@pytest.mark.parametrize("number", every(2, [1, 2]))
def test_no_canary_in_what_is_published(ward, told_on_paper, case, number):
    table, canaries = tables(np.random.default_rng(number))
    pq.write_table(table.replace_schema_metadata({"origin": f"{ward}"}), ward / "patients.parquet")
    release = shoal.anonymize(
        ward / "patients.parquet",
        quasi_identifiers=["age", "town"],
        sensitive="ill",
        identifying="name",
        pseudonymize="mail",
        key=KEY,
        model=shoal.KAnonymity(3),
        **OPTIONS[case],
    )
    names = ("safe.csv", "safe.parquet")
    for name in names:
        release.save(ward / name, report=[ward / f"{name}.{ending}" for ending in ("html", "pdf", "json")])
    release.groups.save_statistics(ward / "classes.txt")
    shown = str(release.frame.to_pylist())
    told = {path.name: written_text(path) for path in ward.iterdir() if path.name != "patients.parquet"}
    told |= {"frame": frame_text(release.frame), "on paper": " ".join(told_on_paper)}
    assert len(told) == 11
    for name, text in told.items():
        assert leaked(text, {*canaries, KEY}, shown) == [], name
        if not name.endswith(".json"):
            assert of_this_machine(text, ward) == [], name
            assert release.report.input["sha256"] not in text, name
    assert "nameCanary" not in shown
    assert "mailCanary" not in shown


def test_the_searches_find_what_is_there(ward):
    table, canaries = tables(np.random.default_rng(1))
    assert leaked(str(table.to_pylist()), canaries, "") == sorted(canaries)
    assert of_this_machine(f"{ward} {time.strftime('%Y-%m-%d')}", ward)


@pytest.mark.parametrize("case", LINES)
def test_no_canary_in_what_the_command_publishes_and_prints(ward, case):
    table, canaries = tables(np.random.default_rng(3))
    pa.csv.write_csv(table, ward / "patients.csv")
    (ward / "secret.key").write_text(KEY)
    (ward / "secret.key").chmod(0o600)
    (ward / "town.txt").write_text("*\n\tn\n\t\tOslo\n\t\tYtre\n\t\tHidden\n\ts\n\t\tRome\n\t\tBari\n")
    table_of_towns = pa.csv.read_csv(ward / "patients.csv")
    towns = ["Hidden" if "Canary" in town else town for town in table_of_towns["town"].to_pylist()]
    pa.csv.write_csv(table_of_towns.set_column(3, "town", pa.array(towns)), ward / "patients.csv")
    line = (
        f"anonymize {ward}/patients.csv --quasi age,town --sensitive ill --identifying name --pseudonymize mail --k 3 "
        f"--key-file {ward}/secret.key --hierarchy town={ward}/town.txt --missing '' {LINES[case]} "
        f"--output={ward}/safe.csv --report {ward}/safe.html --report={ward}/safe.json --statistics {ward}/classes.txt"
    )
    result = CliRunner().invoke(app, shlex.split(line), catch_exceptions=False)
    assert result.exit_code == 0
    shown = (ward / "safe.csv").read_text()
    for name in ("safe.csv", "safe.html", "safe.json", "classes.txt"):
        text = written_text(ward / name)
        assert leaked(text, {*canaries, KEY}, shown) == [], name
        if name != "safe.json":
            assert of_this_machine(text, ward) == [], name
    assert leaked(result.stdout + result.stderr, {*canaries, KEY}, shown) == []
    page = written_text(ward / "safe.html")
    assert "shoal anonymize patients.csv --quasi age,town" in page
    assert "--key-file secret.key --hierarchy town=town.txt" in page
    assert "--output=safe.csv" in page
    assert '"patients.csv",' in page


def test_what_is_read_part_by_part_is_as_tight(ward):
    table, canaries = tables(np.random.default_rng(4))
    fields = [field.with_metadata({"origin": FOLDER}) for field in table.schema]
    pq.write_table(table.cast(pa.schema(fields, {"origin": FOLDER})), ward / "patients.parquet")
    made = shoal.anonymize_files(
        ward / "patients.parquet",
        ward / "safe.parquet",
        quasi_identifiers=["age", "town"],
        sensitive="ill",
        identifying="name",
        pseudonymize="mail",
        key=KEY,
        model=shoal.KAnonymity(3),
        report=[ward / "safe.html", ward / "safe.json"],
    )
    shown = str(pq.read_table(made.path).to_pylist())
    for name in ("safe.parquet", "safe.html", "safe.json"):
        text = written_text(ward / name)
        assert leaked(text, {*canaries, KEY}, shown) == [], name
        if name != "safe.json":
            assert of_this_machine(text, ward) == [], name
    assert sorted(path.name for path in ward.iterdir()) == [
        "patients.parquet",
        "safe.html",
        "safe.json",
        "safe.parquet",
    ]


@settings(max_examples=40, deadline=None, phases=[Phase.generate], suppress_health_check=[HealthCheck.too_slow])
@given(st.integers(0, 10_000), st.sampled_from(sorted(OPTIONS)), st.integers(2, 6))
def test_no_canary_in_the_reports_on_random_tables(number, case, k):
    table, canaries = tables(np.random.default_rng(number))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        release = shoal.anonymize(
            table,
            quasi_identifiers=["age", "town"],
            sensitive="ill",
            identifying=["name", "mail"],
            model=shoal.KAnonymity(k),
            **OPTIONS[case],
        )
    shown = str(release.frame.to_pylist())
    page = unescape(release.to_html())
    for text in (page, release.to_python(), release.groups.statistics(), json.dumps(json.loads(release.to_json()))):
        assert leaked(text, canaries, shown) == []


def test_a_table_that_is_replaced_leaves_nothing_in_a_sqlite_file(ward):
    table, canaries = tables(np.random.default_rng(5))
    options = {"quasi_identifiers": ["age", "town"], "model": shoal.KAnonymity(3)}
    shoal.anonymize(table, keep=["name", "mail"], **options).save(f"sqlite:///{ward}/safe.db#safe")
    later = shoal.anonymize(table, identifying=["name", "mail", "ill", "note"], **options)
    later.save(f"sqlite:///{ward}/safe.db#safe", replace=True)
    there = (ward / "safe.db").read_bytes().decode("latin-1")
    assert leaked(there, {one for one in canaries if "mail" in one or "name" in one}, "") == []


REFUSED = {
    "infeasible": {"model": shoal.KAnonymity(3) & shoal.DistinctDiversity(30)},
    "too strict": {"model": shoal.KAnonymity(ROWS + 1)},
    "no such column": {"quasi_identifiers": ["age", "agee"]},
    "a short key": {"identifying": "name", "pseudonymize": "mail", "key": "short"},
    "no algorithm": {"algorithm": "magic"},
}


@pytest.mark.parametrize("case", REFUSED)
def test_refusals_tell_no_value(case):
    table, canaries = tables(np.random.default_rng(6))
    options = {
        "quasi_identifiers": ["age", "town"],
        "sensitive": "ill",
        "identifying": ["name", "mail"],
        "model": shoal.KAnonymity(3),
    }
    with pytest.raises(shoal.ShoalError) as error:
        shoal.anonymize(table, **(options | REFUSED[case]))
    assert leaked(str(error.value), canaries, "") == []


def test_what_a_tree_does_not_know_is_named_to_the_steward_only(ward):
    """An error names a value that is missing in its tree, or nobody could fix the tree; nothing is published then."""
    table, _ = tables(np.random.default_rng(7))
    pq.write_table(table, ward / "patients.parquet")
    (ward / "town.txt").write_text("*\n\tRome\n\tOslo\n\tBari\n\tYtre\n")
    line = f"anonymize {ward}/patients.parquet --quasi town --keep name,mail --k 3 --hierarchy town={ward}/town.txt"
    result = CliRunner().invoke(app, shlex.split(f"{line} -o {ward}/safe.csv --report {ward}/safe.html"))
    assert result.exit_code == 2
    assert "townCanary" in result.stderr
    assert result.stdout == ""
    assert sorted(path.name for path in ward.iterdir()) == ["patients.parquet", "town.txt"]


def test_a_release_that_fails_its_check_leaves_nothing(ward):
    table, canaries = tables(np.random.default_rng(8))
    release = shoal.anonymize(table, quasi_identifiers="town", identifying=["name", "mail"], model=shoal.KAnonymity(3))
    raw = release.frame.set_column(release.frame.schema.names.index("town"), "town", table["town"])
    object.__setattr__(release, "frame", raw)
    with pytest.raises(shoal.VerificationError) as error:
        release.save(ward / "safe.csv", report=ward / "safe.html")
    assert "classes fail, the first with 1 row" in str(error.value)
    assert list(ward.iterdir()) == []
    assert leaked(str(error.value), {one for one in canaries if "name" in one}, "") == []


def test_the_library_prints_nothing():
    table, _ = tables(np.random.default_rng(9))
    with redirect_stdout(io.StringIO()) as out, redirect_stderr(io.StringIO()) as err:
        shoal.anonymize(
            table, quasi_identifiers=["age", "town"], identifying=["name", "mail"], model=shoal.KAnonymity(3)
        )
    assert (out.getvalue(), err.getvalue()) == ("", "")
