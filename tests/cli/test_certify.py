"""shoal certify: valid releases are certified and verified again without shoal; both refuse what was tampered with."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from hashlib import sha256
from pathlib import Path

import pytest

import shoal
from depth import every
from oracles.build_verifier import build

HEAD = "id,name,age,sex,zip,visits,disease,note\n"
ROWS = [
    f"{number},person {number % 9},{20 + number * 7 % 40},{'fm'[number % 2]},{13000 + number * 37 % 90},"
    f"{number % 5},{('flu', 'cold', 'asthma', 'mumps')[number * 5 % 4]},{'=1+1' if number % 6 == 0 else 'plain'}\n"
    for number in range(40)
]
DISEASES = "any\n\tlungs\n\t\tflu\n\t\tasthma\n\tother\n\t\tcold\n\t\tmumps\n"
BASE = {
    "data": {"file": "table.csv", "missing": ["", "NA"]},
    "roles": {"quasi": ["age", "sex", "zip"], "sensitive": ["disease"], "identifying": ["name", "id"]},
    "hierarchies": {"zip": "prefix"},
    "model": {"k": 3, "l": 2},
    "algorithm": {"name": "mondrian"},
    "limits": {},
    "output": {"file": "safe.csv", "report": "safe.json"},
}
SAMARATI = {"algorithm": {"name": "samarati"}, "hierarchies": {"zip": "prefix", "age": "intervals:5,10,20"}}
CONFIGS = {
    "plain": {},
    "closeness of three kinds": {
        "roles": {"sensitive": ["disease", "visits"]},
        "model": {
            "t": 0.9,
            "require": ['ordered t<=0.8 of "visits"', "hierarchical t<=0.9 of disease", "beta<=9", "risk<=0.34"],
            "sensitive_hierarchies": {"disease": "diseases.txt"},
        },
    },
    "diversity of all kinds": {
        "model": {"require": ["entropy l>=1.2", "frequency l>=1.2", "recursive(4, 2)", "alpha<=0.9", "delta<=9"]}
    },
    "suppressed rows dropped": SAMARATI | {"limits": {"max_suppression": 0.2, "suppressed": "drop"}},
    "suppressed rows kept": SAMARATI | {"limits": {"max_suppression": 0.2}},
    "rows with missing values dropped": {"data": {"drop_missing": True}},
    "pseudonyms and class numbers": {
        "roles": {"identifying": ["id"], "pseudonymize": ["name"], "key_file": "secret.key"},
        "output": {"class_column": "class", "order": "classes"},
    },
    "classes in order, by a column": {
        "roles": {"identifying": ["name"], "keep": ["id"]},
        "output": {"order": "classes"},
    },
    "shuffled": {"output": {"shuffle": True}},
    "shuffled, with pseudonyms": {
        "roles": {"identifying": ["id"], "pseudonymize": ["name"], "key_file": "secret.key"},
        "output": {"order": "shuffled"},
    },
    "shuffled, by a column": {
        "roles": {"identifying": ["name"], "keep": ["id"]},
        "output": {"shuffle": True, "ranges": "mean"},
    },
    "means": {"output": {"ranges": "mean"}},
    "other labels": {"data": {"missing_label": "none"}, "output": {"ranges": "[{low}; {high}]"}},
    "stepped ranges": {"roles": {"key_file": "secret.key"}, "model": {"range_ends": "stepped"}},
    "closed ranges": {"model": {"range_ends": "closed"}},
    "formulas": {"output": {"escape_formulas": True}},
    "a tree in the file, an order and a file": {
        "roles": {"quasi": ["age", "sex", "visits", "disease"], "sensitive": [], "identifying": ["name", "id", "zip"]},
        "hierarchies": {"sex": {"any": ["f", "m"]}, "visits": "ordered:0,1,2,3,4", "disease": "diseases.txt"},
        "model": {"l": None},
    },
    "a population": SAMARATI | {"model": {"k": None, "l": None, "k_map": 4, "population": "everyone.csv"}},
    "algorithm of trees": {"algorithm": {"name": "datafly"}, "limits": {"max_suppression": 4}},
}


def toml(config):
    """Write a configuration as TOML."""
    lines = []
    for section, entries in config.items():
        lines.append(f"[{section}]")
        for name, value in entries.items():
            if value is not None:
                lines.append(f"{name} = {_value(value)}")
    return "\n".join(lines) + "\n"


def _value(value):
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{name} = {_value(one)}" for name, one in value.items()) + " }"
    return json.dumps(value)


def config_of(change):
    return {section: BASE.get(section, {}) | change.get(section, {}) for section in BASE}


@pytest.fixture
def made(run, folder):
    """Make the release of a configuration."""

    def make(change, content=None, *, zips=False):
        if zips:
            values = sorted({row.split(",")[4] for row in ROWS})
            (folder / "zips.txt").write_text("all\n" + "".join(f"\t{value}\n" for value in values))
        (folder / "table.csv").write_text(content or HEAD + "".join(ROWS))
        (folder / "everyone.csv").write_text(HEAD + "".join(ROWS) * 2)
        (folder / "diseases.txt").write_text(DISEASES)
        for name, text in (("secret.key", "a secret of enough bytes"), ("other.key", "another secret of enough")):
            (folder / name).write_text(text)
            (folder / name).chmod(0o600)
        (folder / "shoal.toml").write_text(toml(config_of(change)))
        done = run("anonymize --config shoal.toml -q")
        assert done.exit_code == 0, done.stderr

    return make


@pytest.fixture(scope="session")
def verifier(tmp_path_factory):
    """Copy the second verifier as auditors get it."""
    place = tmp_path_factory.mktemp("verifier") / "second_verifier.pyz"
    build(place)
    return place


@pytest.fixture
def audit(folder, verifier):
    """Run the second verifier alone: no shoal, no environment, no packages."""

    def again(*words, certificate="certificate.json"):
        command = [sys.executable, "-I", "-S", verifier, "--certificate", certificate]
        command += ["--original", "table.csv", "--release", "safe.csv", *words]
        alone = {"PATH": os.environ["PATH"]}
        return subprocess.run(command, cwd=folder, env=alone, capture_output=True, text=True, check=False)

    return again


CERTIFY = "certify safe.csv --against table.csv --config shoal.toml"


@pytest.mark.parametrize("change", CONFIGS.values(), ids=CONFIGS.keys())
@pytest.mark.parametrize("report", every(2, [" --report safe.json", ""]))
def test_what_holds_is_certified_and_repeated_without_shoal(made, run, audit, change, report):
    made(change)
    done = run(CERTIFY + report)
    assert (done.exit_code, done.stderr) == (0, "")
    population = ["--population", "everyone.csv"] if change.get("model", {}).get("population") else []
    found = audit(*population)
    assert (found.returncode, found.stderr) == (0, ""), found.stdout
    assert "verifier: the one that the certificate names" in found.stdout
    assert found.stdout.endswith("The release keeps its promises.\n")


def test_rows_that_miss_a_value_are_left_out(made, run, audit, folder):
    rows = [row.replace(",f,", ",,") if number % 10 == 0 else row for number, row in enumerate(ROWS)]
    rows = [row.replace(",m,", ",NA,") if number == 7 else row for number, row in enumerate(rows)]
    for change in ({"data": {"drop_missing": True}}, {}):
        made(change, HEAD + "".join(rows))
        assert run(CERTIFY + " --report safe.json").exit_code == 0
        assert audit().returncode == 0
    figures = json.loads((folder / "certificate.json").read_text())["figures"]
    assert (figures["rows"], figures["dropped_rows"]) == (40, 0)


def test_other_separators_and_encodings(made, run, audit, folder):
    content = (HEAD + "".join(ROWS)).replace(",", ";").replace("plain", "schön")
    made({})
    (folder / "table.csv").write_bytes(content.encode("latin-1"))
    (folder / "shoal.toml").write_text(toml(config_of({"data": {"encoding": "latin-1"}})))
    assert run("anonymize --config shoal.toml -q").exit_code == 0
    assert b"sch\xf6n" in (folder / "safe.csv").read_bytes()
    assert run(CERTIFY).exit_code == 0
    assert audit().returncode == 0


def change_cell(folder, column, text, *, row=5):
    lines = [line.split(",") for line in (folder / "safe.csv").read_text().splitlines()]
    lines[row][lines[0].index(column)] = text
    (folder / "safe.csv").write_text("\n".join(",".join(line) for line in lines) + "\n")


def drop_row(folder):
    lines = (folder / "safe.csv").read_text().splitlines(keepends=True)
    (folder / "safe.csv").write_text("".join(lines[:-1]))


def another_original(folder):
    path = folder / "table.csv"
    path.write_text(path.read_text().replace(",mumps,plain", ",measles,plain", 1))


TAMPERED = {
    "a cell of a class": (lambda folder: change_cell(folder, "age", "20"), "Column 'age' shows '20' in row 5"),
    "everything of a row": (
        lambda folder: [change_cell(folder, name, "*") for name in ("age", "sex")],
        "does not satisfy k = 3",
    ),
    "a row less": (drop_row, "The release has 39 rows of 40, and 0 may be missing."),
    "another column": (
        lambda folder: change_cell(folder, "visits", "9"),
        "Column 'visits' is not as it was in 1 row, first in row",
    ),
    "a sensitive value": (lambda folder: change_cell(folder, "disease", "gout"), "Column 'disease' is not as it was"),
    "another original": (another_original, "Column 'disease' is not as it was in 1 row, first in row"),
}


@pytest.mark.parametrize(("tamper", "sentence"), TAMPERED.values(), ids=TAMPERED.keys())
def test_what_was_tampered_with_is_refused_by_both(made, run, audit, folder, tamper, sentence):
    made({})
    assert run(CERTIFY + " -o before.json").exit_code == 0
    tamper(folder)
    done = run(CERTIFY)
    assert done.exit_code == 4
    assert sentence in done.stderr
    assert "No certificate was made." in done.stderr
    assert not (folder / "certificate.json").exists()
    assert not (folder / "certificate.case.json").exists()
    found = audit(certificate="before.json")
    assert found.returncode == 1
    assert "BROKEN files: " in found.stdout
    # Without the checksums, the case alone tells, too.
    case = ["--case", "before.case.json", "--original", "table.csv", "--release", "safe.csv"]
    alone = [sys.executable, "-I", Path(__file__).parent.parent / "oracles" / "second_verifier", *case]
    assert subprocess.run(alone, cwd=folder, capture_output=True, check=False).returncode == 1


def test_a_stricter_model_is_refused_by_both(made, run, audit, folder):
    made({})
    (folder / "shoal.toml").write_text(toml(config_of({"model": {"k": 20}})))
    done = run(CERTIFY)
    assert done.exit_code == 4
    assert done.stderr.startswith("shoal: The release does not satisfy k = 20 and distinct l = 2: ")
    (folder / "shoal.toml").write_text(toml(config_of({})))
    assert run(CERTIFY).exit_code == 0
    path = folder / "certificate.case.json"
    case = json.loads(path.read_text())
    case["case"]["models"][0]["k"] = 20
    path.write_text(json.dumps(case))
    assert "is not the case of the certificate" in audit().stdout
    assert "BROKEN model" in _by_case(audit, folder, path)


def _by_case(audit, folder, path):
    alone = [sys.executable, "-I", Path(__file__).parent.parent / "oracles" / "second_verifier"]
    words = ["--case", path, "--original", "table.csv", "--release", "safe.csv"]
    return subprocess.run([*alone, *words], cwd=folder, capture_output=True, text=True, check=False).stdout


def test_a_certificate_that_was_edited_is_refused(made, run, audit, folder):
    made({})
    assert run(CERTIFY + " --key secret.key").exit_code == 0
    path = folder / "certificate.json"
    content = json.loads(path.read_text())
    assert audit("--key", "secret.key").returncode == 0
    assert "the signature is not that of this key" in audit("--key", "other.key").stdout
    assert audit("--key", "other.key").returncode == 1
    assert audit().returncode == 2
    assert "give it with --key" in audit().stderr
    content["figures"]["k"] = 30
    path.write_text(json.dumps(content))
    assert "it was changed, its SHA-256 is another" in audit("--key", "secret.key").stdout


def test_a_checksum_that_was_made_anew_hides_no_other_figures(made, run, audit, folder):
    from shoal.certificates.certificate import signed

    made({})
    assert run(CERTIFY).exit_code == 0
    path = folder / "certificate.json"
    for change in ({"figures": {"k": 30}}, {"asked": {"models": [{"model": "k-anonymity", "k": 30}]}}):
        content = json.loads(path.read_text())
        for name, value in change.items():
            content[name] |= value
        (folder / "edited.json").write_text(json.dumps(signed(content, None)))
        found = audit(certificate="edited.json")
        assert found.returncode == 1
        assert "BROKEN certificate: it says" in found.stdout


@pytest.mark.parametrize("change", [{}, CONFIGS["a population"]], ids=["", "with a population"])
def test_two_runs_give_the_same_bytes_and_no_place_of_this_machine(made, run, folder, change):
    made(change)
    line = f"certify {folder}/safe.csv --against {folder}/table.csv --config {folder}/shoal.toml --date 2026-11-16"
    for name in ("one", "two"):
        (folder / name).mkdir()
        done = run(f"{line} --key secret.key -o {name}/certificate.json --pdf {name}/page.pdf")
        assert done.exit_code == 0
    for name in ("certificate.json", "certificate.case.json", "page.pdf"):
        assert (folder / "one" / name).read_bytes() == (folder / "two" / name).read_bytes()
        assert str(folder).encode() not in (folder / "one" / name).read_bytes()
        assert name == "page.pdf" or "/" not in (folder / "one" / name).read_text()
    content = json.loads((folder / "one" / "certificate.json").read_text())
    assert content["date"] == "2026-11-16"
    assert (folder / "one" / "page.pdf").read_bytes()[:5] == b"%PDF-"


def test_a_certificate_names_no_value_that_the_release_hides(made, run, folder):
    made({"hierarchies": {"zip": "prefix", "age": "flat"}})
    assert run(CERTIFY + " --key secret.key").exit_code == 0
    text = (folder / "certificate.json").read_text()
    zips = {row.split(",")[4] for row in ROWS}
    assert not [one for one in zips if f'"{one}"' in text]
    assert "person" not in text
    private = json.loads(text)["private"]["original"]
    assert private.keys() == {"file", "hmac_sha256"}
    assert '"13037"' in (folder / "certificate.case.json").read_text()


def test_a_parquet_file_is_certified_and_cannot_be_repeated(made, run, audit, folder):
    import pyarrow.csv as arrow
    import pyarrow.parquet as pq

    made({})
    pq.write_table(arrow.read_csv(folder / "table.csv"), folder / "table.parquet")
    (folder / "shoal.toml").write_text(
        toml(config_of({"data": {"file": "table.parquet"}, "output": {"file": "safe.parquet"}}))
    )
    assert run("anonymize --config shoal.toml -q").exit_code == 0
    done = run("certify --config shoal.toml --report safe.json")
    assert (done.exit_code, done.stderr) == (0, "")
    assert "reads CSV files" in done.stdout
    content = json.loads((folder / "certificate.json").read_text())
    assert content["repeatable"]["reason"].startswith("The second verifier reads CSV files, and the original and the")
    assert json.loads((folder / "certificate.case.json").read_text())["case"] is None
    assert audit().returncode == 2


def test_every_file_that_was_used_is_named(made, run, folder):
    made(CONFIGS["closeness of three kinds"] | {"hierarchies": {"zip": "zips.txt"}}, zips=True)
    assert run(CERTIFY + " --report safe.json").exit_code == 0
    private = json.loads((folder / "certificate.json").read_text())["private"]
    names = {role: entry["file"] for role, entry in private.items()}
    assert names == {
        "original": "table.csv",
        "config": "shoal.toml",
        "report": "safe.json",
        "hierarchy of zip": "zips.txt",
        "hierarchy of disease": "diseases.txt",
    }
    for entry in private.values():
        content = (folder / entry["file"]).read_bytes()
        assert (entry["bytes"], entry["sha256"]) == (len(content), sha256(content).hexdigest())


def test_a_report_of_another_release_is_refused(made, run, folder):
    made({})
    report = json.loads((folder / "safe.json").read_text())
    for change, sentence in (
        ({"k": 30}, "The report says k = 30, and it is "),
        ({"metrics": {"loss": 0.5}}, "The report gives the loss as 0.5, and it is "),
        ({"parameters": report["parameters"] | {"sensitive": []}}, "The report is about sensitive = [], and"),
        ({"input": report["input"] | {"sha256": "0"}}, "The report is about another original: its SHA-256 differs."),
        ({"release": {"sha256": "0"}}, "The report is about another release: its SHA-256 differs."),
    ):
        (folder / "other.json").write_text(json.dumps(report | change))
        done = run(CERTIFY + " --report other.json")
        assert done.exit_code == 4
        assert sentence in done.stderr


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ("-o certificate.txt", "certificate.txt: a certificate is a .json file"),
        ("--pdf page.png", "page.png: the page of a certificate is a .pdf file."),
        ("-o no/certificate.json", "no/certificate.json: there is no folder 'no'."),
        ("-o safe.json --report safe.json", "safe.json: this file is already named for something else."),
        ("--key readable.key", "readable.key: others can read this secret key. Run 'chmod 600 readable.key' first."),
        ("--date yesterday", "date = 'yesterday' is not a date; write it as 2026-11-16."),
    ],
)
def test_what_cannot_be_written_is_refused(made, run, folder, words, sentence):
    made({})
    (folder / "readable.key").write_text("a secret of enough bytes")
    (folder / "readable.key").chmod(0o644)
    done = run(f"{CERTIFY} {words}")
    assert done.exit_code == 2
    assert done.stderr.startswith(f"shoal: {sentence}")
    assert not (folder / "certificate.json").exists()


def test_means_that_nothing_tells_apart_are_refused(made, run):
    made({"output": {"ranges": "mean", "shuffle": True}})
    done = run(CERTIFY)
    assert done.exit_code == 2
    assert "shows means, and no column tells which row is which" in done.stderr


def test_what_auto_has_picked_is_in_the_report(made, run, folder):
    made({"algorithm": {"name": "auto"}, "hierarchies": {"zip": "prefix", "age": "flat", "sex": "flat"}})
    assert run(CERTIFY).exit_code == 0
    assert run(CERTIFY + " --report safe.json").exit_code == 0
    change_cell(folder, "visits", "9")
    (folder / "shoal.toml").write_text((folder / "shoal.toml").read_text().replace("report = ", "# report = "))
    assert "which may have used trees: give the .json report" in run(CERTIFY).stderr
    assert "which may have used trees" not in run(CERTIFY + " --report safe.json").stderr


def test_the_same_from_python(made, folder):
    made({})
    asked = {
        "quasi_identifiers": ["age", "sex", "zip"],
        "sensitive": "disease",
        "identifying": ["name", "id"],
        "hierarchies": {"zip": "prefix"},
        "model": shoal.KAnonymity(3) & shoal.DistinctDiversity(2),
        "missing_values": ["", "NA"],
    }
    certificate = shoal.certify("safe.csv", "table.csv", key="a secret of enough bytes", **asked)
    assert repr(certificate).startswith(
        "<ReleaseCertificate: release safe.csv, checks that hold 7, signed yes, repeatable yes>\n"
    )
    assert certificate.repeatable
    assert certificate.sentences[0] == "The 6 columns are in their order; 2 identifying columns are removed."
    assert certificate.save("own.json") == Path("own.json")
    assert json.loads(Path("own.json").read_text()) == certificate.to_dict("own.case.json")
    with pytest.raises(shoal.VerificationError, match="does not satisfy k = 30"):
        shoal.certify("safe.csv", "table.csv", **asked | {"model": shoal.KAnonymity(30)})


def test_json_and_help(made, run):
    made({})
    assert json.loads(run(CERTIFY + " --json").stdout)["certificate"] == "shoal release certificate"
    assert "shoal certify safe.csv --against patients.csv --config shoal.toml" in run("certify --help").stdout
