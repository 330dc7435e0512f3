"""Forged and careless certificates: what must not be certified, and what the second verifier must refuse."""

from __future__ import annotations

import hashlib
import json

import pytest

from cli.test_certify import CERTIFY, DISEASES, audit, made, verifier  # noqa: F401


def forged(folder, change):
    """Change a certificate and compute its SHA-256 again, as anyone can."""
    path = folder / "certificate.json"
    content = json.loads(path.read_text())
    change(content)
    rest = {name: value for name, value in content.items() if name not in ("sha256", "hmac_sha256")}
    body = json.dumps(rest, sort_keys=True, separators=(",", ":"), ensure_ascii=True).encode()
    path.write_text(json.dumps(content | {"sha256": hashlib.sha256(body).hexdigest()}))


@pytest.mark.parametrize("number", ["Ann, 23", "1", "", "01"])
def test_class_numbers_say_nothing_but_the_class(made, run, audit, folder, number):  # noqa: F811
    made({"output": {"class_column": "cluster"}})
    assert run(CERTIFY).exit_code == 0
    good = (folder / "safe.csv").read_text()
    lines = [line.rsplit(",", 1) for line in good.splitlines()]
    text = f'"{number}"' if "," in number else number
    changed = [",".join([row, text if cell == "2" else cell]) for row, cell in lines]
    (folder / "safe.csv").write_text("\n".join(changed) + "\n")
    done = run(CERTIFY)
    assert done.exit_code == 4
    assert "Column 'cluster' does not count the classes from 1." in done.stderr or "class" in done.stderr
    digest = hashlib.sha256((folder / "safe.csv").read_bytes()).hexdigest()
    forged(folder, lambda content: content["release"].update(sha256=digest))
    found = audit()
    assert found.returncode == 1
    assert "BROKEN classes" in found.stdout


@pytest.mark.parametrize("start", ['{"figures": {"k": 999},', '{"asked": {"models": []}, '])
def test_a_name_that_stands_twice_is_refused(made, run, audit, folder, start):  # noqa: F811
    made({})
    assert run(CERTIFY + " --key secret.key").exit_code == 0
    path = folder / "certificate.json"
    path.write_text(path.read_text().replace("{", start, 1))
    found = audit("--key", "secret.key")
    assert found.returncode == 2
    assert "a name stands twice" in found.stderr


CHANGES = {
    "rows of the original": lambda content: content.update(original_rows=10**6),
    "rows": lambda content: content["release"].update(rows=1),
    "columns": lambda content: content["release"]["columns"].append("more"),
    "k": lambda content: content["figures"].update(k=999),
    "no figures": lambda content: content.update(figures={}),
    "asked": lambda content: content["asked"].update(models=[{"model": "k-anonymity", "k": 999}]),
    "something new": lambda content: content.update(approved="by everyone"),
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES.keys())
def test_what_the_files_do_not_say_is_refused(made, run, audit, folder, change):  # noqa: F811
    made({})
    assert run(CERTIFY).exit_code == 0
    assert audit().returncode == 0
    forged(folder, change)
    assert audit().returncode == 1


def test_tops_are_not_to_be_named(made, run, audit, folder):  # noqa: F811
    made({})
    assert run(CERTIFY).exit_code == 0
    path = folder / "certificate.case.json"
    content = json.loads(path.read_text())
    content["case"]["tops"] = {"age": "20-29"}
    path.write_text(json.dumps(content))
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    forged(folder, lambda certificate: certificate["case"].update(sha256=digest))
    found = audit()
    assert found.returncode == 1
    assert "its case names tops" in found.stdout


@pytest.mark.parametrize("text", ["[" * 100_000, "{", "[]", "null", '{"format": 1}'])
def test_what_is_no_certificate_cannot_be_checked(made, run, audit, folder, text):  # noqa: F811
    made({})
    assert run(CERTIFY).exit_code == 0
    (folder / "certificate.json").write_text(text)
    found = audit()
    assert found.returncode == 2
    assert found.stderr.startswith("This cannot be checked")


@pytest.mark.parametrize("key", [b"", b"short"])
def test_a_key_that_anybody_can_guess_is_refused(made, run, audit, folder, key):  # noqa: F811
    made({})
    assert run(CERTIFY).exit_code == 0
    (folder / "secret.key").write_bytes(key)
    found = audit("--key", "secret.key")
    assert found.returncode == 2
    assert "shorter than 16 bytes" in found.stderr


@pytest.mark.parametrize("number", ['"1e999999999"', '"1/0"', '"x"', '""', "[]"])
def test_a_model_without_a_number_cannot_be_checked(made, run, audit, folder, number):  # noqa: F811
    made({})
    assert run(CERTIFY).exit_code == 0
    path = folder / "certificate.case.json"
    content = json.loads(path.read_text())
    content["case"]["models"][0]["k"] = json.loads(number)
    path.write_text(json.dumps(content))
    digest = hashlib.sha256(path.read_bytes()).hexdigest()

    def change(content):
        content["case"]["sha256"] = digest
        for model in content["asked"]["models"]:
            if "k" in model:
                model["k"] = json.loads(number)

    forged(folder, change)
    assert audit().returncode == 2


@pytest.mark.parametrize(
    "change",
    [
        {"suppressed_rows": -5},
        {"suppressed_rows": None},
        {"suppressed_rows": "x"},
        {"k": 1.5},
        {"release": None},
        {"metrics": []},
        {"metrics": {}},
        {"parameters": {}},
        {"loss_by_attribute": 3},
    ],
)
def test_a_report_of_other_kinds_is_no_report(made, run, folder, change):  # noqa: F811
    made({})
    path = folder / "safe.json"
    path.write_text(json.dumps(json.loads(path.read_text()) | change))
    done = run(CERTIFY + " --report safe.json")
    assert done.exit_code == 2
    assert "not a report of a release" in done.stderr
    assert not (folder / "certificate.json").exists()


def test_a_report_whose_generalization_was_changed_is_refused(made, run, folder):  # noqa: F811
    made({})
    path = folder / "safe.json"
    content = json.loads(path.read_text())
    content["generalization"]["invented"] = 1
    path.write_text(json.dumps(content))
    done = run(CERTIFY + " --report safe.json")
    assert done.exit_code == 2
    assert "the generalization was changed or damaged since it was written" in done.stderr
    assert not (folder / "certificate.json").exists()


@pytest.mark.parametrize("output", ["secret.json", "diseases.json", "safe.json"])
def test_nothing_that_is_used_is_overwritten(made, run, folder, output):  # noqa: F811
    (folder / "secret.json").write_text("a secret of enough bytes")
    (folder / "secret.json").chmod(0o600)
    (folder / "diseases.json").write_text(DISEASES)
    roles = {"identifying": ["id"], "pseudonymize": ["name"], "key_file": "secret.json"}
    trees = {"require": ["hierarchical t<=0.9 of disease"], "sensitive_hierarchies": {"disease": "diseases.json"}}
    made({"roles": roles, "model": trees})
    before = (folder / output).read_bytes()
    done = run(f"{CERTIFY} -o {output}")
    assert done.exit_code == 2
    assert "already named for something else" in done.stderr
    assert (folder / output).read_bytes() == before
