"""Files and servers in a report: their names, and nothing of the machine."""

from __future__ import annotations

import pytest

from shoal.release.report.redaction import public_place, public_python, public_words

PLACES = {
    "/home/me/t.csv": "t.csv",
    "~/t.csv": "t.csv",
    "../ward/t.csv": "t.csv",
    "data/../../t.csv": "t.csv",
    r"C:\Users\me\t.csv": "t.csv",
    "C:/Users/me/t.csv": "t.csv",
    r"\\server\share\t.csv": "t.csv",
    "/home/me/t.xlsx#Sheet 1": "t.xlsx#Sheet 1",
    "data/t.csv": "data/t.csv",
    "t.csv": "t.csv",
    "intervals:5,10@20": "intervals:5,10@20",
    "N/A": "N/A",
    "/": "/",
    "": "",
    "sqlite:////home/me/c.db#t": "sqlite:///c.db#t",
    "sqlite:///data/c.db#t": "sqlite:///data/c.db#t",
    "duckdb:////home/me/c.duckdb": "duckdb:///c.duckdb",
    "postgresql://me@host.org:5432/clinic?sslmode=require#a.t": "postgresql://…/clinic#a.t",
    "postgresql://host": "postgresql://…",
    "spark://host:7077": "spark://…",
}


@pytest.mark.parametrize(("place", "public"), PLACES.items())
def test_places(place, public):
    assert public_place(place) == public


WORDS = {
    "anonymize /home/me/t.csv -o /home/me/safe.csv": "anonymize t.csv -o safe.csv",
    "anonymize --shuffle /home/me/t.csv -o/home/me/safe.csv": "anonymize --shuffle t.csv -osafe.csv",
    "--report=/home/me/r.html --hierarchy zip=/home/me/z.txt": "--report=r.html --hierarchy zip=z.txt",
    "--hierarchy=zip=/home/me/z.txt --hierarchies ~/trees": "--hierarchy=zip=z.txt --hierarchies trees",
    "--engine spark --master spark://host:7077": "--engine spark --master spark://…",
    "--missing /x --missing=/y --quasi /a,b --ranges /{low}/{high}": None,
    "--k 5 --require k>=5 --missing N/A": None,
}


@pytest.mark.parametrize(("line", "public"), WORDS.items())
def test_words_of_a_command(line, public):
    assert " ".join(public_words(line.split())) == (public or line)


def test_lines_of_python():
    kept = "missing_values=[\"/x\"], a='/b\\n'"
    lines = f'key = Path("/home/me/key").read_bytes()\nshoal.anonymize("/home/me/t.csv", {kept})\n'
    expected = f'key = Path("key").read_bytes()\nshoal.anonymize("t.csv", {kept})\n'
    assert public_python(lines, {"/x", "/b\n"}) == expected
