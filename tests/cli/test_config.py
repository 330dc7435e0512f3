"""shoal anonymize --config: every option of the command has a key in shoal.toml."""

from __future__ import annotations

import json
import re
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from typer.main import get_command

from shoal.cli.app import app
from shoal.cli.config.file import read_config
from shoal.cli.config.keys import OPEN, SECTIONS, TABLE

NAMED = "patients.csv --quasi age,sex --k 3 --json"
HERE = f"{NAMED} --keep name"
SECRET = "patients.csv --quasi age --sensitive disease --keep name --k 3 --json -o safe.csv"
FULL = "patients.csv --keep name --quasi age,sex --k 2 --algorithm full-domain --hierarchy age=intervals:5,10,20"

# parameter: (what stands on the command line in any case, the file, the options that say the same as the file)
SAME = {
    "data": ("--quasi age --keep name --k 3 --json", '[data]\nfile = "patients.csv"', "patients.csv"),
    "separator": ("t.csv --quasi age --k 2 --encoding latin-1 --json", '[data]\nseparator = ":"', "--separator :"),
    "encoding": ("t.csv --quasi age --k 2 --separator : --json", '[data]\nencoding = "latin-1"', "--encoding latin-1"),
    "query": (
        "sqlite:///clinic.db --quasi age --k 2 --json",
        '[data]\nquery = "SELECT age FROM patients"',
        "--query 'SELECT age FROM patients'",
    ),
    "named": ("raw.data --quasi age --k 2 --json", '[data]\nnames = ["age", "kind"]', "--names age,kind"),
    "header": ("raw.data --quasi column1 --k 2 --json", "[data]\nheader = false", "--no-header"),
    "rows": (HERE, "[data]\nrows = 5", "--rows 5"),
    "sample": (HERE, "[data]\nsample = 5", "--sample 5"),
    "missing": (HERE, '[data]\nmissing = ["30", ""]', "--missing 30 --missing ''"),
    "missing_label": (
        "patients.csv --quasi sex --keep name --k 3 --missing m -o safe.csv --json",
        '[data]\nmissing_label = "none"',
        "--missing-label none",
    ),
    "drop_missing": (f"{HERE} --missing 30", "[data]\ndrop_missing = true", "--drop-missing"),
    "quasi": ("patients.csv --keep name --k 3 --json", '[roles]\nquasi = ["age", "zip"]', "--quasi age,zip"),
    "sensitive": (HERE, '[roles]\nsensitive = "disease"', "--sensitive disease"),
    "identifying": (NAMED, '[roles]\nidentifying = ["name"]', "--identifying name"),
    "pseudonymize": (f"{NAMED} --key-file secret.key", '[roles]\npseudonymize = ["name"]', "--pseudonymize name"),
    "key_file": (f"{NAMED} --pseudonymize name", '[roles]\nkey_file = "secret.key"', "--key-file secret.key"),
    "keep": (NAMED, '[roles]\nkeep = ["name"]', "--keep name"),
    "accept": (HERE, '[model]\naccept = ["range-ends"]', "--accept range-ends"),
    "rows_are_people": (HERE, "[roles]\nrows_are_people = true", "--rows-are-people"),
    "hierarchies": (f"{HERE} -o safe.csv", '[hierarchies]\nfolder = "trees"', "--hierarchies trees"),
    "hierarchy": (f"{HERE} -o safe.csv", '[hierarchies]\nage = "intervals:20"', "--hierarchy age=intervals:20"),
    "k": ("patients.csv --quasi age --keep name --json", "[model]\nk = 2", "--k 2"),
    "l": (SECRET, "[model]\nl = 2", "--l 2"),
    "t": (SECRET, "[model]\nt = 0.5", "--t 0.5"),
    "require": (SECRET, '[model]\nrequire = ["alpha<=0.9", "beta<=9"]', "--require alpha<=0.9 --require beta<=9"),
    "sensitive_hierarchy": (
        f"{SECRET} --require 'hierarchical t<=0.9'",
        '[model.sensitive_hierarchies]\ndisease = { ill = ["flu", "cold", "mumps"] }',
        "--sensitive-hierarchy disease=ill.txt",
    ),
    "k_map": (
        "patients.csv --quasi age --keep name --population patients.csv --json",
        "[model]\nk_map = 2",
        "--k-map 2",
    ),
    "population": (
        "patients.csv --quasi age --keep name --k-map 2 --json",
        '[model]\npopulation = "patients.csv"',
        "--population patients.csv",
    ),
    "algorithm": (HERE, '[algorithm]\nname = "samarati"', "--algorithm samarati"),
    "set_": (
        f"{HERE} --algorithm mondrian",
        '[algorithm]\nname = "mondrian"\ndimension = "widest"\nrelaxed = true\nseed = 3',
        "--set dimension=widest --set relaxed=true --seed 3",
    ),
    "weight": (
        f"{FULL} --json",
        '[algorithm]\nname = "full-domain"\ntime_limit = 5\nweights = { age = 3 }',
        "--weight age=3 --set time_limit=5",
    ),
    "levels": (
        f"{FULL} --json",
        '[algorithm]\nname = "full-domain"\ntime_limit = "none"\nlevels = { sex = 1, age = "0-4" }',
        "--levels sex=1 --levels age=0-4 --set time_limit=none",
    ),
    "seed": (f"{HERE} --algorithm random -o safe.csv", '[algorithm]\nname = "random"\nseed = 1', "--seed 1"),
    "unit": ("visits.csv --quasi age --identifying home --k 2 --json", '[roles]\nunit = "who"', "--unit who"),
    "group": (
        "visits.csv --quasi age --k 2 --json --rows-are-people --missing-units own",
        '[roles]\ngroup = "home"',
        "--group home",
    ),
    "missing_units": (
        "visits.csv --quasi age --identifying who --k 2 --json --unit home",
        '[roles]\nmissing_units = "own"',
        "--missing-units own",
    ),
    "promise": (
        "visits.csv --quasi age --identifying home --k 2 --json --unit who",
        '[model]\npromise = "profiles"',
        "--promise profiles",
    ),
    "shift_dates": (
        "stays.csv --quasi age --unit who --key-file secret.key --k 2 --json",
        '[roles]\nshift_dates = ["admission"]',
        "--shift-dates admission",
    ),
    "strict": (
        "visits.csv --quasi age --identifying home --k 2 --json --unit who",
        "[model]\nstrict = true",
        "--strict",
    ),
    "range_ends": (f"{HERE} --key-file secret.key", '[model]\nrange_ends = "tight"', "--range-ends tight"),
    "max_suppression": (HERE, "[limits]\nmax_suppression = 0.5", "--max-suppression 0.5"),
    "suppressed": (HERE, '[limits]\nsuppressed = "drop"', "--suppressed drop"),
    "memory": (f"{HERE} -o safe.csv --algorithm mondrian --block-rows 4", '[limits]\nmemory = "1GB"', "--memory 1GB"),
    "block_rows": (
        f"{HERE} -o safe.csv --json --memory 1GB --algorithm mondrian",
        "[limits]\nblock_rows = 4",
        "--block-rows 4",
    ),
    "output": (HERE, '[output]\nfile = "safe.csv"', "-o safe.csv"),
    "replace": (f"{HERE} -o 'sqlite:///clinic.db#safe'", "[output]\nreplace = true", "--replace"),
    "escape_formulas": (
        "formulas.csv --quasi age --k 2 --json -o safe.csv",
        "[output]\nescape_formulas = true",
        "--escape-formulas",
    ),
    "report": (f"{HERE} -o safe.csv", '[output]\nreport = "safe.json"', "--report safe.json"),
    "order": (f"{HERE} -o safe.csv", '[output]\norder = "classes"', "--order classes"),
    "shuffle": (HERE, "[output]\nshuffle = true", "--shuffle"),
    "class_column": (f"{HERE} -o safe.csv", '[output]\nclass_column = "group"', "--class-column group"),
    "ranges": (f"{HERE} -o safe.csv", '[output]\nranges = "{low} to {high}"', "--ranges '{low} to {high}'"),
    "statistics": (HERE, '[output]\nstatistics = "classes.txt"', "--statistics classes.txt"),
    "count_values": (
        f"{HERE} --statistics classes.txt",
        "[output]\ncount_values = true",
        "--count-values",
    ),
    "groups": (HERE, '[output]\ngroups = "groups.html"', "--groups groups.html"),
    "show_groups": ("patients.csv --quasi age --keep name --k 3", "[output]\nshow_groups = 1", "--show-groups 1"),
    "nodes": (FULL, '[output]\nnodes = "nodes.csv"', "--nodes nodes.csv"),
    "front": (FULL, '[output]\nfront = "front.svg"', "--front front.svg"),
    "trade_off": (FULL, "[output]\ntrade_off = true", "--trade-off"),
    "quiet": ("patients.csv --quasi age --keep name --k 3", "[output]\nquiet = true", "--quiet"),
    "as_json": ("patients.csv --quasi age --keep name --k 3", "[output]\njson = true", "--json"),
}


@pytest.fixture
def outcome(folder, run):
    """Return what a command prints and writes."""
    (folder / "t.csv").write_bytes("age:näme\n30:é\n31:é\n".encode("latin-1"))
    (folder / "raw.data").write_text("30, x\n31, x\n30, x\n31, x\n")
    (folder / "visits.csv").write_text("who,home,age\na,x,30\na,x,31\nb,y,30\nb,y,31\nc,z,40\nd,,40\n")
    (folder / "stays.csv").write_text("who,age,admission\na,30,2025-01-01\na,30,2025-02-01\nb,31,2025-01-07\n")
    (folder / "formulas.csv").write_text("age,note\n30,=1+1\n31,x\n")
    (folder / "secret.key").write_text("sixteen bytes !!\n")
    (folder / "secret.key").chmod(0o600)
    with closing(sqlite3.connect(folder / "clinic.db")) as clinic:
        clinic.executescript("CREATE TABLE safe (old); CREATE TABLE patients AS SELECT 30 AS age UNION ALL SELECT 31")
    (folder / "ill.txt").write_text("ill\n\tflu\n\tcold\n\tmumps\n")
    (folder / "trees").mkdir()
    (folder / "trees" / "age.txt").write_text("*\n\tyoung\n\t\t30\n\t\t31\n\t\t32\n\told\n\t\t47\n\t\t48\n\t\t49\n")
    before = {"case.toml", *(path.name for path in folder.iterdir())}

    def of(line):
        result = run(line)
        made = {path.name: path.read_bytes() for path in folder.iterdir() if path.name not in before}
        for name in made:
            (folder / name).unlink()
        return result.exit_code, re.sub(r"[0-9.]+ s\b", "", result.stdout), result.stderr, made

    return of


@pytest.mark.parametrize("parameter", SAME)
def test_a_key_of_the_file_does_what_the_option_does(folder, outcome, parameter):
    line, content, options = SAME[parameter]
    (folder / "case.toml").write_text(content)
    wanted = outcome(f"anonymize {line} {options}")
    assert wanted[0] == 0
    assert outcome(f"anonymize {line} --config case.toml") == wanted
    assert outcome(f"anonymize {line}") != wanted


def test_objectives_of_full_domain_with_their_parameters(folder, run):
    roles = "--keep name --quasi age,sex --sensitive disease --k 2 --json"
    for chosen, options in (
        ('objective = "classification"\ntarget = "disease"', "--set objective=classification --set target=disease"),
        ("suppression_factor = 0.25", "--set suppression_factor=0.25"),
        ("suppression_factor = 1", "--set suppression_factor=1"),
    ):
        (folder / "case.toml").write_text(f'[algorithm]\nname = "full-domain"\ntime_limit = "none"\n{chosen}\n')
        by_file = json.loads(run(f"anonymize patients.csv {roles} --config case.toml").stdout)
        by_options = run(f"anonymize patients.csv {roles} --algorithm full-domain --set time_limit=none {options}")
        assert by_file["parameters"]["algorithm"] == json.loads(by_options.stdout)["parameters"]["algorithm"]
        assert by_file["search"] == json.loads(by_options.stdout)["search"]


def test_every_parameter_of_the_command_has_a_key_and_a_test():
    parameters = {parameter.name for parameter in get_command(app).commands["anonymize"].params} - {"config", "help"}
    parameters -= {"effort"}  # in [algorithm] a parameter of the algorithm, as those of --set
    keys = [key.parameter for section in SECTIONS.values() for key in section.values()]
    assert sorted([*keys, *OPEN.values()]) == sorted(parameters)
    several = {key.parameter for section in SECTIONS.values() for key in section.values() if key.kind.several}
    tables = {key.parameter for section in SECTIONS.values() for key in section.values() if key.kind is TABLE}
    repeated = {found.name for found in get_command(app).commands["anonymize"].params if getattr(found, "multiple", 0)}
    assert several == repeated - tables - {*OPEN.values()}
    assert set(SAME) | {"engine", "master"} == parameters  # these two are tested where Spark is


WHOLE = """
[data]
file = "patients.csv"
[roles]
quasi = ["age", "sex", "zip"]
sensitive = "disease"
identifying = "name"
[hierarchies]
age = "intervals:5,10,20"
sex = "sex.txt"
zip = { "130" = ["13053", "13068"], "148" = [14850, { "1485x" = ["14853"] }] }
[model]
k = 2
l = 2
[output]
file = "safe.csv"
report = "safe.json"
"""


def write_whole(folder, content=WHOLE):
    place = folder / "project"
    place.mkdir()
    (place / "shoal.toml").write_text(content)
    (place / "sex.txt").write_text("any\n\tf\n\tm\n")
    (folder / "patients.csv").rename(place / "patients.csv")
    return place


def test_a_file_gives_the_same_bytes_as_the_command_line(folder, run):
    place = write_whole(folder)
    (place / "zip.txt").write_text("*\n\t130\n\t\t13053\n\t\t13068\n\t148\n\t\t14850\n\t\t1485x\n\t\t\t14853\n")
    assert run("anonymize --config project/shoal.toml -q").exit_code == 0
    line = "anonymize project/patients.csv --quasi age,sex,zip --sensitive disease --identifying name --k 2 --l 2 -q"
    trees = "--hierarchy age=intervals:5,10,20 --hierarchy sex=project/sex.txt --hierarchy zip=project/zip.txt"
    assert run(f"{line} {trees} -o safe.csv --report safe.json").exit_code == 0
    for name in ("safe.csv", "safe.json"):
        assert (place / name).read_bytes() == (folder / name).read_bytes()


def test_options_go_before_the_file(folder, run):
    place = write_whole(folder)
    line = "anonymize --config project/shoal.toml --json"
    found = json.loads(run(f"{line} --k 3 --quasi age,zip --hierarchy age=flat -o other.csv").stdout)
    assert found["parameters"]["model"] == "k = 3 and distinct l = 2"
    assert found["parameters"]["quasi_identifiers"] == ["age", "zip"]
    assert found["parameters"]["hierarchies"] == ["age", "zip"]
    assert not (place / "safe.csv").exists()
    assert {line.split(",")[0] for line in (folder / "other.csv").read_text().splitlines()[1:]} == {"*"}


def test_parameters_of_the_file_are_for_its_own_algorithm(folder, run):
    write_whole(folder, WHOLE + "[algorithm]\nname = 'mondrian'\nrelaxed = true\n")
    line = "anonymize --config project/shoal.toml --json"
    assert "relaxed=True" in json.loads(run(line).stdout)["parameters"]["algorithm"]
    found = json.loads(run(f"{line} --set dimension=widest").stdout)["parameters"]["algorithm"]
    assert "dimension='widest'" in found
    assert "relaxed=True" in found
    found = json.loads(run(f"{line} --algorithm samarati").stdout)
    assert found["parameters"]["algorithm"] == "Samarati(choice='lowest-loss')"


def test_names_of_columns_may_hold_anything(folder, run):
    (folder / "t.csv").write_text('"age, ""years""",a=b,, x ,folder\n30,1,1,1,aa\n30,2,2,2,bb\n')
    (folder / "shoal.toml").write_text(
        '[data]\nfile = "t.csv"\n[model]\nk = 2\n[output]\nfile = "safe.csv"\n'
        '[roles]\nquasi = [\'age, "years"\', "a=b", " x ", "folder"]\nidentifying = ""\n'
        '[hierarchies]\n"a=b" = ["1", "2"]\nfolder = "prefix"\n'
    )
    assert run("anonymize --config shoal.toml -q").exit_code == 0
    assert (folder / "safe.csv").read_text() == '"age, ""years""",a=b, x ,folder\n30,*,1-2,**\n30,*,1-2,**\n'


def test_a_hierarchy_of_a_column_with_another_role_is_left_alone_and_a_slip_is_not(folder, run):
    place = write_whole(folder, WHOLE.replace('"sex", "zip"]', '"zip"]'))
    assert run("anonymize --config project/shoal.toml -q").exit_code == 0
    (place / "shoal.toml").write_text(WHOLE.replace("age = ", "agee = "))
    assert run("anonymize --config project/shoal.toml -q").stderr == (
        "shoal: There is no column 'agee'. Did you mean 'age'?\n"
    )


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (
            "[model\nk = 2",
            "not valid TOML: Expected ']' at the end of a table declaration (at line 1,",
        ),
        ("[modle]\nk = 2", "shoal.toml: there is no section [modle]. Did you mean [model]?"),
        ("[cooking]\nk = 2", "shoal.toml: there is no section [cooking]. The sections are [data], [roles], [hierarch"),
        ("k = 2", "shoal.toml: k is outside all sections: it belongs in [model]."),
        ("model = 2", "shoal.toml: model = 2 is not a section: write [model] and its keys below."),
        ("[data]\nk = 2", "shoal.toml, [data] k = 2: this key belongs in [model]."),
        ("[data]\nmising = 2", "shoal.toml, [data] mising = 2: there is no such key; did you mean missing?"),
        ("[limits]\nxyz = 2", "[limits] xyz = 2: there is no such key; [limits] has max_suppression, suppressed, "),
        ('[model]\nk = "ten"', 'shoal.toml, [model] k = "ten": give a whole number, such as 5.'),
        ("[model]\nk = 2.5", "shoal.toml, [model] k = 2.5: give a whole number, such as 5."),
        ("[model]\nk = [2]", "shoal.toml, [model] k = [2]: give a whole number, such as 5."),
        ("[model]\nk = true", "shoal.toml, [model] k = true: give a whole number, such as 5."),
        ("[model]\nt = true", "shoal.toml, [model] t = true: give a number, such as 0.2."),
        ("[data]\nrows = 0", "shoal.toml, [data] rows = 0: give 1 or more."),
        ("[output]\nshow_groups = -1", "shoal.toml, [output] show_groups = -1: give 0 or more."),
        ("[model]\nk = 0", "shoal.toml, [model] k = 0: give 1 or more."),
        ("[model]\nt = 2", "shoal.toml, [model] t = 2: give a number from 0 to 1."),
        (
            "[model]\nrange_ends = 'step'",
            "shoal.toml, [model] range_ends = \"step\": choose from tight, closed, stepped. Did you mean 'stepped'?",
        ),
        (
            "[output]\norder = 'suffled'",
            "shoal.toml, [output] order = \"suffled\": choose from rows, classes, shuffled. Did you mean 'shuffled'?",
        ),
        (
            "[limits]\nsuppressed = 'dropp'",
            "[limits] suppressed = \"dropp\": choose from keep, drop. Did you mean 'drop'?",
        ),
        ("[engine]\nname = 'sprak'", "[engine] name = \"sprak\": choose from local, spark. Did you mean 'spark'?"),
        ("[roles]\nmissing_units = 'x'", '[roles] missing_units = "x": choose from refuse, own.'),
        ("[model]\npromise = 'class'", "choose from classes, profiles, households. Did you mean 'classes'?"),
        ("[data]\ndrop_missing = 'al'", '[data] drop_missing = "al": give true (the same as "roles"), "all" or false.'),
        ("[hierarchies]\nage = 'prefx'", "file.txt. Did you mean 'prefix'?"),
        (
            '[model]\naccept = ["small-k", "nonsense"]',
            "shoal.toml, [model] accept: accept: 'nonsense' is not a code of the review: choose from",
        ),
        ('[model]\nrequire = ["k>=2, xyz>=3"]', "shoal.toml, [model] require: The requirement 'xyz>=3' is not known"),
        ('[model]\nrequire = ["k>=0"]', "shoal.toml, [model] require: k = 0"),
        ('[model]\nrequire = [""]', "shoal.toml, [model] require: The requirement '' is not known"),
        ("[algorithm]\neffort = 'quick'", "shoal.toml, [algorithm] effort: The effort is fast, balanced, best or a"),
        ("[algorithm]\nname = 'local'\neffort = -1", "[algorithm] effort: The effort is fast, balanced, best or a"),
        ("[limits]\nmax_suppression = 1.5", "shoal.toml, [limits] max_suppression: max_suppression = 1.5 is not a"),
        ("[limits]\nmax_suppression = -1", "shoal.toml, [limits] max_suppression: max_suppression = -1 must be a sha"),
        ("[limits]\nmemory = 'lots'", "shoal.toml, [limits] memory: memory = 'lots' is not an amount of memory"),
        ("[data]\nencoding = 'idna'", "shoal.toml, [data] encoding: There is no encoding 'idna'"),
        ("[data]\nencoding = 'rot13'", "shoal.toml, [data] encoding: There is no encoding 'rot13'"),
        ("[data]\nencoding = 'utf-99'", "shoal.toml, [data] encoding: There is no encoding 'utf-99'"),
        ("[data]\nseparator = ';;'", "shoal.toml, [data] separator: The separator ';;' cannot be used"),
        ("[hierarchies]\nage = { a = 'x' }", 'age = {"a": "x"}: give each group a list of values, such as { Higher'),
        ("[hierarchies]\nage = [{ a = { b = 'x' } }]", "give each group a list of values, such as { Higher = ["),
        ("[hierarchies]\nage = { a = 5 }", 'age = {"a": 5}: give each group a list of values, such as { Higher = ['),
        ("[data]\ndrop_missing = 1", '[data] drop_missing = 1: give true (the same as "roles"), "all" or false.'),
        ("[data]\nfile = 2020-01-01", '[data] file = "2020-01-01": give the name of a file in quotes.'),
        ("[roles]\nquasi = [1]", '[roles] quasi = [1]: give names of columns in quotes, such as ["age", "sex"].'),
        (
            "[limits]\nmax_suppression = '2 %'",
            '[limits] max_suppression = "2 %": give a share of the rows such as 0.02',
        ),
        (
            "[algorithm]\nname = 'mondrain'",
            '[algorithm] name = "mondrain": choose from agglomerative, auto, bottom-up, ',
        ),
        (
            "[algorithm]\nname = ['mondrian']",
            '[algorithm] name = ["mondrian"]: choose from agglomerative, auto, bottom-up, ',
        ),
        (
            "[algorithm]\nname = 'mondrian'\nrelaxt = true",
            "[algorithm] relaxt = true: there is no such key; did you mean relaxed?",
        ),
        ("[algorithm]\nname = 'mondrian'\nrelaxed = 'true'", '[algorithm] relaxed = "true": give a value like false.'),
        (
            "[algorithm]\ncells = 'nodes'",
            '[algorithm] cells = "nodes": auto has no such parameter; add name = "local".',
        ),
        (
            "[algorithm]\ndepth = 3",
            "[algorithm] depth = 3: there is no such key; [algorithm] has name, seed, weights, ",
        ),
        ("[algorithm]\nname = 'sequential'\nstarts = 1.5", "[algorithm] starts = 1.5: give a value like 1."),
        ("[algorithm]\nname = 'sequential'\nalpha = true", "[algorithm] alpha = true: give a value like 0.5."),
        ("[algorithm]\nweights = 3", "[algorithm] weights = 3: give a table by column, such as { age = 3 }."),
        ("[algorithm.weights]\nage = '3'", '[algorithm.weights] age = "3": give a number, such as 2.'),
        (
            "[algorithm.levels]\nage = 1.5",
            "[algorithm.levels] age = 1.5: give a level such as 2, or the lowest and the",
        ),
        ("[algorithm.levels]\nage = [1, 2, 3]", "[algorithm.levels] age = [1, 2, 3]: give a level such as 2, or the"),
        ("[hierarchies]\nage = 5", '[hierarchies] age = 5: give a spelling such as "flat", a file, or a tree such as'),
        (
            "[hierarchies]\nage = 'no.txt'",
            "[hierarchies] age = \"no.txt\": there is no file 'no.txt', and the spellings",
        ),
        (
            "[hierarchies]\nage = ['30', '30']",
            "shoal.toml, [hierarchies] age: The value '30' is a leaf twice: keep one",
        ),
        ("[hierarchies]\nage = []", "shoal.toml, [hierarchies] age: A hierarchy needs at least one value"),
        ("[hierarchies]\nage = { a = [['30']] }", "[hierarchies] age: ['30'] is not a value of a tree: write values"),
        (
            "[model.sensitive_hierarchies]\nd = 'flat'",
            '[model.sensitive_hierarchies] d = "flat": give a file, or a tree',
        ),
        ("[output]\nreport = 'shoal.toml'\nfile = 'safe.csv'", "shoal.toml: this is the input, which shoal never over"),
        ("[output]\nstatistics = 'shoal.toml'", "shoal.toml: this file is already named for something else."),
    ],
)
def test_what_a_file_may_not_say(folder, run, content, message):
    (folder / "shoal.toml").write_text(content)
    result = run("anonymize patients.csv --keep name --quasi age --k 2 --config shoal.toml")
    assert (result.exit_code, result.stdout) == (2, "")
    assert message in result.stderr
    assert sorted(path.name for path in folder.iterdir()) == ["patients.csv", "shoal.toml"]


def test_a_file_that_cannot_be_read(folder, run):
    assert run("anonymize --config no.toml").stderr == "shoal: no.toml: cannot be read (No such file or directory).\n"
    (folder / "shoal.toml").write_bytes(b"[data]\nfile = '\xff'\n")
    assert run("anonymize --config shoal.toml").stderr == (
        "shoal: shoal.toml, line 2: not UTF-8 text. Save the file as UTF-8.\n"
    )


def test_a_byte_order_mark_counts_for_nothing(folder, run):
    (folder / "shoal.toml").write_bytes(b"\xef\xbb\xbf" + WHOLE.replace('sex = "sex.txt"', "").encode())
    assert run("anonymize --config shoal.toml -q").exit_code == 0


def test_a_shoal_toml_that_is_not_named_is_not_read(folder, run):
    (folder / "shoal.toml").write_text(WHOLE)
    result = run("anonymize")
    assert result.exit_code == 2
    assert "Missing argument" in result.stderr


def test_column_names_of_the_table_are_completed(folder, run, monkeypatch):
    from shoal.cli.options import complete_column

    (folder / "shoal.toml").write_text(WHOLE)
    monkeypatch.setenv("_TYPER_COMPLETE_ARGS", "shoal anonymize --config shoal.toml --identifying age,n")
    assert complete_column("age,n") == ["age,name"]


@pytest.mark.usefixtures("shipped_patients")
def test_the_example_of_the_documentation_runs_and_shows_every_key(folder, run):
    page = (Path(__file__).parents[2] / "docs" / "configuration.md").read_text(encoding="utf-8")
    example = re.findall("^```toml\n(.*?)^```", page, re.MULTILINE | re.DOTALL)[0]
    shown: dict[str, set[str]] = {}
    for line in example.splitlines():
        if section := re.match(r"\[(\w+)\]", line):
            keys = shown.setdefault(section[1], set())
        elif name := re.match(r"(?:# )?(\w+) = ", line):
            keys.add(name[1])
    assert all(set(keys) <= shown[section] for section, keys in SECTIONS.items())
    (folder / "shoal.toml").write_text(example)
    assert run("anonymize --config shoal.toml").exit_code == 0
    who = "attack safe.csv --original patients.csv --sample 1 --columns age,sex,zip --sensitive disease --json"
    found = json.loads(run(who).stdout)["released"]
    assert (found["linked"], found["smallest"], found["learned"]["disease"]["certain"]) == (0, 3, 0)
    for name in ("sex.txt", "diseases.txt"):
        (folder / name).write_text("any\n\tvalue\n")
    commented = [line for line in example.splitlines() if re.match(r"# \w+ = ", line)]
    for line in commented:
        name = line.split()[1]
        others = [other for other in example.splitlines() if not other.startswith(f"{name} = ")]
        (folder / "shoal.toml").write_text("\n".join(others).replace(line, line.removeprefix("# ")))
        read_config(folder / "shoal.toml")
