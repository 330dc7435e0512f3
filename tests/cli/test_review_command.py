"""shoal review: exit codes, what is printed, and JSON."""

from __future__ import annotations

import json

ORIGINAL = "age,sex,born\n" + "".join(f"{20 + row % 40},{'fm'[row % 2]},{2000 - row % 40}\n" for row in range(120))
RELEASED = "age,sex,born\n" + "".join(
    f"{(20 + row % 40) // 10 * 10}-{(20 + row % 40) // 10 * 10 + 9},{'fm'[row % 2]},{2000 - row % 40}\n"
    for row in range(120)
)


def test_a_column_that_tells(folder, run):
    (folder / "original.csv").write_text(ORIGINAL)
    (folder / "safe.csv").write_text(RELEASED)
    line = "review safe.csv --original original.csv --quasi age,sex"
    found = run(line)
    assert found.exit_code == 1
    assert "derived-column" in found.stdout
    assert "Options named above are those of shoal anonymize" in found.stdout
    kept = run(f"{line} --keep born --json")
    assert kept.exit_code == 0
    review = json.loads(kept.stdout)
    assert ("derived-column", "kept") in [(one["code"], one["answer"]) for one in review["answered"]]
    assert "range-ends" in review["clean"]


def test_names_are_asked_for(folder, run):
    (folder / "safe.csv").write_text(RELEASED)
    asked = run("review safe.csv")
    assert (asked.exit_code, "--quasi age,sex,zip" in asked.stderr) == (2, True)
    missing = run("review safe.csv --quasi age,town")
    assert (missing.exit_code, "'town'" in missing.stderr) == (2, True)
