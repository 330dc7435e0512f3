"""The whole journey in a real browser, from a table to a file that is verified."""

from __future__ import annotations

import csv
import subprocess
import sys
import zipfile
from collections import Counter, defaultdict
from pathlib import Path

import pytest
from a_chromium import choose, new_page, step, workbench

from chromium_here import browser

PLACES = ["Ulm", "Köln", "Bonn", "Graz"]


@pytest.fixture(scope="module")
def chromium():
    with browser() as opened:
        yield opened


@pytest.fixture
def patients(tmp_path: Path) -> Path:
    path = tmp_path / "Patienten.csv"
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["name", "age", "zip", "Ort", "score", "disease"])
        for row in range(600):
            ill = ["flu", "cold", "angina", "=cmd()", "asthma"][row * 7 % 5]
            zip_code = f"{13000 + row * 37 % 120}"
            writer.writerow([f"P{row}", 18 + row * 13 % 60, zip_code, PLACES[row % 4], row % 10, ill])
    return path


def rows_of(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def download(page, button: str, folder: Path) -> Path:
    with page.expect_download() as found:
        page.get_by_role("button", name=button, exact=True).click()
    target = folder / found.value.suggested_filename
    found.value.save_as(target)
    return target


def test_whole_journey(chromium, patients: Path, tmp_path: Path) -> None:
    taken = tmp_path / "taken"
    taken.mkdir()
    with workbench(tmp_path) as next_link:
        link = next_link()
        page = new_page(chromium, link)

        # open
        page.locator("input[type=file]").first.set_input_files(patients)
        page.get_by_text("600 rows").first.wait_for()

        # roles: what was guessed, and one that was not
        page.get_by_text("the name says health").wait_for()
        choose(page, "role of Ort", "quasi-identifying")
        choose(page, "role of score", "sensitive")
        choose(page, "role of score", "no role")

        # hierarchy: group two places
        step(page, "Hierarchies")
        page.get_by_text("free ranges", exact=True).wait_for()
        page.get_by_text("Ort", exact=True).click()
        page.get_by_text("4 values in 600 rows").wait_for()
        choose(page, "Method", "Value or nothing")
        for place in ("Köln", "Bonn"):
            page.locator(".q-tree__node-header", has_text=place).get_by_role("checkbox").click()
        page.get_by_label("Put the ticked nodes into a new group").click()
        page.get_by_label("Name", exact=True).fill("am Rhein")
        page.get_by_role("button", name="OK").click()
        page.get_by_text("2 values · 300 rows").wait_for()

        # model
        step(page, "Protection")
        page.get_by_role("switch", name="Different answers").click()
        field = page.get_by_role("spinbutton", name="Group size")
        field.fill("8")
        field.press("Tab")
        page.get_by_text("At risk now: 600 rows (100 %)").first.wait_for()

        # run: the score tells values that are hidden, which stops it until somebody says that it may stay
        step(page, "Run")
        page.get_by_role("button", name="Make a release").click()
        page.get_by_text("Column 'score' is released as it is and tells the hidden values of").wait_for()
        assert page.get_by_label("Explore this run").count() == 0
        step(page, "Data")
        choose(page, "role of score", "kept as it is")
        step(page, "Run")
        page.get_by_role("button", name="Make a release").click()
        page.get_by_label("Explore this run").wait_for()

        # a reload finds its state again
        page.reload()
        page.get_by_label("Explore this run").click()

        # explore
        page.get_by_text("Distributions").first.wait_for()

        # download
        step(page, "Release")
        safe = download(page, "CSV", taken)
        bundle = download(page, "Everything (zip)", taken)
        assert download(page, "Hierarchies", taken).suffix == ".zip"
        for name in ("Parquet", "Report (HTML)", "Report (PDF)", "Report (JSON)", "shoal.toml", "release.py"):
            assert download(page, name, taken).stat().st_size > 100

        assert page.wrong == []
        assert all(url.startswith((link.split("?")[0], "data:", "blob:")) for url in page.asked)

    # the file holds what was promised
    released, original = rows_of(safe), rows_of(patients)
    assert list(released[0]) == ["age", "zip", "Ort", "score", "disease"]
    classes = defaultdict(Counter)
    for row in released:
        classes[row["age"], row["zip"], row["Ort"]][row["disease"]] += 1
    assert min(counts.total() for counts in classes.values()) >= 8
    assert min(map(len, classes.values())) >= 2
    rhine = {
        "Köln": {"Köln", "am Rhein", "*"},
        "Bonn": {"Bonn", "am Rhein", "*"},
        "Ulm": {"Ulm", "*"},
        "Graz": {"Graz", "*"},
    }
    assert all(new["Ort"] in rhine[old["Ort"]] for new, old in zip(released, original, strict=True))
    assert [row["disease"] for row in released] == [row["disease"] for row in original]

    # and the bundle makes it again, both ways
    for way in ("script", "command"):
        folder = tmp_path / way
        with zipfile.ZipFile(bundle) as archive:
            archive.extractall(folder)
        (folder / patients.name).write_bytes(patients.read_bytes())
        (folder / safe.name).unlink()
        words = ["release.py"] if way == "script" else ["-m", "shoal", "anonymize", "--config", "shoal.toml", "-q"]
        subprocess.run([sys.executable, *words], cwd=folder, check=True, timeout=120)
        assert (folder / safe.name).read_bytes() == safe.read_bytes()


@pytest.mark.deep("a long journey")
def test_first_run_is_guided_and_the_keys_lead_through_it(chromium, tmp_path: Path) -> None:
    with workbench(tmp_path) as next_link:
        page = new_page(chromium, next_link(), dark=True)
        page.get_by_role("button", name="Try it with the Adult table").click()
        page.get_by_text("First run, step 1 of 6").wait_for()
        assert page.evaluate("document.body.classList.contains('body--dark')")
        page.keyboard.press("d")
        page.wait_for_function("document.body.classList.contains('body--light')")
        for number in range(2, 7):
            page.keyboard.press(str(number))
            page.get_by_text(f"First run, step {number} of 6").wait_for()
        page.keyboard.press("3")
        page.get_by_text("At risk now: 19,873 rows (61.0 %)").wait_for()
        # a number has its meaning on hover
        page.get_by_text("rows unique", exact=True).hover()
        page.get_by_text("Rows whose quasi-identifiers no other row shares.").wait_for()
        # what is typed into a field is no key
        field = page.get_by_role("spinbutton", name="Group size")
        field.fill("12")
        field.press("Tab")
        page.get_by_text("Every class has at least 12 rows").wait_for()
        assert page.get_by_text("First run, step 3 of 6").is_visible()
        assert page.wrong == []


@pytest.mark.deep("two browsers at one server, whose visitors other tests keep apart without a browser")
def test_two_people_at_one_server_see_their_own_tables(chromium, patients: Path, tmp_path: Path) -> None:
    with workbench(tmp_path, patients.name) as next_link:
        link = next_link()
        first = new_page(chromium, link)
        first.get_by_text("600 rows").first.wait_for()
        second = new_page(chromium, next_link())
        second.get_by_text("no table yet").wait_for()
        assert second.get_by_text("Patienten.csv").count() == 0
        new_page(chromium, link).get_by_text("This link has been used").wait_for()
        new_page(chromium, link.split("?")[0]).get_by_text("This page is closed").wait_for()
