"""Comparisons: the figures are those of the algorithms, kept runs are never wrong, and the discussion is true."""

from __future__ import annotations

import csv
import io
import json
import re
import warnings
from dataclasses import replace
from itertools import combinations

import numpy as np
import pyarrow as pa
import pytest

import shoal
from depth import every
from shoal.analysis.comparison import plots, runs, sheet
from shoal.analysis.comparison.comparison import Comparison
from shoal.analysis.comparison.page import cell_text
from shoal.analysis.comparison.phrases import figure
from shoal.analysis.comparison.plan import Setting
from shoal.analysis.comparison.results import Cell
from shoal.documents.fonts import fall_back, fonts_for
from shoal.documents.plots import matplotlib, write
from shoal.errors import InputError, VerificationError
from shoal.metrics import METRICS

QUASI = ["age", "sex", "education"]


@pytest.fixture(scope="module")
def adult():
    return shoal.datasets.adult().select([*QUASI, "occupation"]).slice(0, 600)


@pytest.fixture
def counted(monkeypatch):
    """Record the runs that are really executed."""
    done = []
    run = runs.Bench.run

    def count(self, setting, repetition):
        done.append((setting, repetition))
        return run(self, setting, repetition)

    monkeypatch.setattr(runs.Bench, "run", count)
    return done


def compare(data, **given):
    plain = {"algorithms": ["mondrian", "random"], "k": [3, 10], "measures": ["loss"], "repeat": 2}
    return shoal.compare(data, quasi_identifiers=QUASI, sensitive="occupation", **(plain | given))


@pytest.mark.filterwarnings("ignore::shoal.PrivacyWarning")
@pytest.mark.parametrize("name", ["mondrian", "clustering", "full-domain", "oka"])
def test_the_first_run_measures_what_a_release_does(adult, name):
    found = compare(adult, algorithms=[name], l=[1, 3], measures=["loss", "distortion", "discernibility"])
    assert len(found.cells) == 4
    for cell in found.cells:
        release = shoal.anonymize(
            adult, quasi_identifiers=QUASI, sensitive="occupation", model=cell.setting.model, algorithm=name
        )
        for measure in found.measures:
            assert cell.runs[0][measure] == release.report.metrics[measure]


@pytest.mark.filterwarnings("ignore::shoal.PrivacyWarning")
def test_runs_differ_by_seed_or_by_the_order_of_the_rows(adult):
    found = compare(adult, algorithms=["random", "clustering", "mondrian"], k=5, repeat=3, seed=7)
    random, clustering, mondrian = (cell.values("loss") for cell in found.cells)
    for number, value in enumerate(random):
        release = shoal.anonymize(
            adult, quasi_identifiers=QUASI, model=shoal.KAnonymity(5), algorithm=shoal.RandomGrouping(seed=7 + number)
        )
        assert value == release.report.metrics["loss"]
    assert len(set(clustering)) == 3
    for number in (1, 2):
        order = np.random.RandomState(7 + number).permutation(adult.num_rows)
        release = shoal.anonymize(
            adult.take(pa.array(order)), quasi_identifiers=QUASI, model=shoal.KAnonymity(5), algorithm="clustering"
        )
        assert clustering[number] == release.report.metrics["loss"]
    assert len(set(mondrian)) == 1


def test_cells_have_mean_spread_and_ends(adult):
    found = compare(adult, repeat=3)
    records = list(csv.DictReader(io.StringIO(found.to_csv())))
    assert [(r["algorithm"], r["k"], r["l"], r["runs"]) for r in records] == [
        ("mondrian", "3", "1", "3"),
        ("mondrian", "10", "1", "3"),
        ("random", "3", "1", "3"),
        ("random", "10", "1", "3"),
    ]
    for record, cell in zip(records, found.cells, strict=True):
        values = cell.values("loss")
        assert float(record["loss"]) == pytest.approx(np.mean(values))
        assert float(record["loss_sd"]) == pytest.approx(np.std(values, ddof=1))
        assert (float(record["loss_lowest"]), float(record["loss_highest"])) == (min(values), max(values))
    cell = json.loads(found.to_json())["cells"][2]
    assert [run["loss"] for run in cell["runs"]] == found.cells[2].values("loss")


@pytest.mark.parametrize("sensitive", ["occupation", ()])
def test_a_run_also_tells_of_its_classes(adult, sensitive):
    for name in ("mondrian", "samarati"):
        plan = {"k": 5, "algorithms": [name], "repeat": 1, "measures": "loss", "max_suppression": 20}
        found = shoal.compare(adult, quasi_identifiers=QUASI, sensitive=sensitive, **plan)
        release = shoal.anonymize(
            adult,
            quasi_identifiers=QUASI,
            sensitive=sensitive,
            model=shoal.KAnonymity(5),
            algorithm=name,
            max_suppression=20,
            suppressed="drop",
        )
        groups = {}
        for row in release.frame.to_pylist():
            groups.setdefault(tuple(row[name] for name in QUASI), []).append(row["occupation"])
        [cell] = found.cells
        assert cell.fact("classes") == len(groups)
        assert cell.fact("smallest_class") == min(map(len, groups.values()))
        fewest = min(len(set(values)) for values in groups.values()) if sensitive else None
        assert cell.fact("fewest_values") == fewest


def test_what_runs_tell_differently_is_no_fact():
    cell = Cell(Setting("a", 2, 1), ({"loss": 1.0, "classes": 3}, {"loss": 1.0, "classes": 4}))
    assert cell.fact("classes") is None
    assert cell.fact("smallest_class") is None


def test_kept_runs_are_not_done_again(adult, tmp_path, counted):
    first = compare(adult, keep=tmp_path / "runs.jsonl")
    assert len(counted) == 8
    assert compare(adult, keep=tmp_path / "runs.jsonl") == first
    assert len(counted) == 8
    wider = compare(adult, keep=tmp_path / "runs.jsonl", k=[3, 5, 10])
    assert len(counted) == 12
    assert [cell for cell in wider.cells if cell.setting.k != 5] == list(first.cells)


@pytest.mark.parametrize(
    "change",
    [
        {"seed": 1},
        {"algorithms": [shoal.Mondrian(dimension="widest"), "random"]},
        {"measures": ["loss", "distortion"]},
        {"measures": ["loss", "time"]},
        {"hierarchies": {"sex": "flat"}},
        {"max_suppression": 5},
    ],
    ids=str,
)
def test_whatever_changes_the_figures_is_run_again(adult, tmp_path, counted, change):
    compare(adult, keep=tmp_path / "runs.jsonl", repeat=1)
    before = len(counted)
    found = compare(adult, keep=tmp_path / "runs.jsonl", repeat=1, **change)
    expected = 2 if "algorithms" in change else 4
    assert len(counted) - before == expected
    assert found == compare(adult, keep=tmp_path / "runs.jsonl", repeat=1, **change)
    if "time" not in found.measures:
        assert found == compare(adult, repeat=1, **change)


def test_another_value_in_the_table_or_another_tree_is_another_table(adult, tmp_path, counted):
    given = {"keep": tmp_path / "runs.jsonl", "repeat": 1, "algorithms": ["mondrian"], "k": 3}
    trees = [
        shoal.Hierarchy.from_parents(["*", "a", "Male", "Female"], [-1, 0, 1, 1]),
        shoal.Hierarchy.from_parents(["*", "Male", "Female"], [-1, 0, 0]),
    ]
    ages = adult["age"].to_pylist()
    changed = adult.set_column(0, "age", pa.array([ages[0] + 1, *ages[1:]]))
    for number, (data, tree) in enumerate([(adult, trees[0]), (adult, trees[1]), (changed, trees[1])], start=1):
        compare(data, hierarchies={"sex": tree}, **given)
        assert len(counted) == number


def test_shuffles_of_two_seeds_are_not_mixed_up(adult, tmp_path):
    given = {"keep": tmp_path / "runs.jsonl", "algorithms": ["clustering"], "k": 5}
    compare(adult, seed=0, **given)
    assert compare(adult, seed=1, **given) == compare(adult, seed=1, **(given | {"keep": None}))


def test_after_an_interrupt_the_rest_is_done(adult, tmp_path, monkeypatch):
    run = runs.Bench.run
    left = [5]

    def stop(self, setting, repetition):
        if not left[0]:
            raise KeyboardInterrupt
        left[0] -= 1
        return run(self, setting, repetition)

    monkeypatch.setattr(runs.Bench, "run", stop)
    broken = compare(adult, keep=tmp_path / "runs.jsonl")
    assert not broken.complete
    assert [len(cell.runs) for cell in broken.cells] == [2, 1, 1, 1]
    broken.discussion()
    left[0] = 3
    whole = compare(adult, keep=tmp_path / "runs.jsonl")
    assert whole.complete
    monkeypatch.undo()
    assert whole == compare(adult)


def test_a_line_that_was_cut_off_is_run_again(adult, tmp_path, counted):
    path = tmp_path / "runs.jsonl"
    whole = compare(adult, keep=path)
    path.write_bytes(path.read_bytes()[:-30])
    assert compare(adult, keep=path) == whole
    assert len(counted) == 9
    assert compare(adult, keep=path) == whole
    assert len(counted) == 9


@pytest.mark.parametrize(
    "figures",
    [
        "5",
        '"loss"',
        '["loss"]',
        "null",
        "{}",
        '{"loss": "abc"}',
        '{"loss": null}',
        '{"loss": NaN}',
        '{"loss": Infinity}',
    ],
)
@pytest.mark.parametrize("wrap", ["{}", '{{"failure": {}}}', '{{"loss": {}}}'])
def test_what_cannot_be_figures_is_run_again(adult, tmp_path, figures, wrap):
    path = tmp_path / "runs.jsonl"
    given = {"repeat": 1, "algorithms": ["random"], "k": 3}
    whole = compare(adult, keep=path, **given)
    key = json.loads(path.read_text())["key"]
    if wrap == '{{"failure": {}}}' and figures == '"loss"':
        return  # a failure is a text
    path.write_text(f'{{"key": "{key}", "figures": {wrap.format(figures)}}}\n{"[" * 100_000}\n')
    if wrap == '{{"loss": {}}}' and figures == "5":
        return  # that could be
    assert compare(adult, keep=path, **given) == whole


def test_a_search_that_was_interrupted_is_not_kept(adult, tmp_path, monkeypatch):
    from shoal.algorithms.full_domain.branch_and_bound import Search

    run = Search.run

    def stopped(self):
        run(self)
        self.stopped = "interrupted"

    monkeypatch.setattr(Search, "run", stopped)
    found = compare(adult, algorithms=["full-domain"], keep=tmp_path / "runs.jsonl")
    assert not found.complete
    assert not found.cells
    assert not (tmp_path / "runs.jsonl").exists()


@pytest.mark.parametrize("change", [{"k": np.int64(3)}, {"k": np.array([3])}, {"seed": np.int64(0), "k": 3}])
def test_numbers_of_numpy_are_numbers(adult, change):
    assert compare(adult, **change).cells == compare(adult, k=3).cells


def test_side_by_side_gives_the_same(adult):
    assert compare(adult, at_once=2).cells == compare(adult).cells


def test_time_is_measured_one_run_at_a_time(adult, monkeypatch):
    monkeypatch.setattr(runs, "_side_by_side", None)
    found = compare(adult, measures=["time"], at_once=2)
    assert all(value > 0 for cell in found.cells for value in cell.values("time"))
    assert runs.cores(["loss", "time"]) == 1
    assert any("one run at a time" in note for note in found.notes)


def test_the_first_run_of_a_setting_is_not_counted_in_times(adult, monkeypatch):
    recode, calls = runs.Bench._recode, []

    def slow_at_first(self, setting, repetition):
        calls.append(setting)
        table, recoding, seconds = recode(self, setting, repetition)
        return table, recoding, 1000.0 if calls.count(setting) == 1 else seconds

    monkeypatch.setattr(runs.Bench, "_recode", slow_at_first)
    found = compare(adult, measures=["loss", "time"], repeat=2)
    assert [calls.count(cell.setting) for cell in found.cells] == [3, 3, 3, 3]
    assert all(value < 1000 for cell in found.cells for value in cell.values("time"))
    assert all(len(cell.runs) == 2 for cell in found.cells)
    calls.clear()
    compare(adult, repeat=2)
    assert len(calls) == 8  # without time every run counts


def test_the_scale_ends_where_everything_is_suppressed(adult):
    found = compare(
        adult, measures=["loss", "loss_rows", "loss_sum", "loss_huang", "distortion", "discernibility"], repeat=1
    )
    assert found.suppressed == {"loss": 1, "loss_rows": 600, "loss_sum": 3, "loss_huang": 6, "distortion": 3 * 600}
    assert all(
        run[name] <= most for name, most in found.suppressed.items() for cell in found.cells for run in cell.runs
    )


@pytest.mark.parametrize("drop", ["all", "roles", False])
def test_rows_that_are_left_out_are_told(adult, drop):
    without = adult["occupation"].to_pylist().count("?") if drop else 0
    found = compare(adult, missing_values="?", drop_missing=drop, repeat=1, k=3)
    assert [note for note in found.notes if "left out" in note] == (
        [f"{without} rows with missing values were left out."] if drop else []
    )
    assert found.rows == adult.num_rows - without


def test_what_cannot_be_done_is_told(adult, tmp_path):
    found = compare(adult, k=[3, 700], l=[1, 100], keep=tmp_path / "runs.jsonl")
    failed = [cell for cell in found.cells if cell.failure]
    assert {(cell.setting.k, cell.setting.l) for cell in failed} == {(700, 1), (3, 100), (700, 100)}
    assert failed[0].mean("loss") is None
    assert any(
        sentence.startswith("There is no release at k = 700 (the table has 600 rows, so k can be at most 600)")
        for sentence in found.discussion()
    )
    found.save(tmp_path / "out")
    assert compare(adult, k=[3, 700], l=[1, 100], keep=tmp_path / "runs.jsonl") == found


def test_an_algorithm_that_breaks_its_promise_is_caught(adult, monkeypatch):
    good = shoal.RandomGrouping.recode
    monkeypatch.setattr(
        shoal.RandomGrouping,
        "recode",
        lambda self, table, model, **rest: good(self, table, shoal.KAnonymity(2), **rest),
    )
    with pytest.raises(VerificationError, match="random, k = 3"):
        compare(adult)


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"algorithms": "mondrian"}, "algorithms = 'mondrian' must be a list, such as ['mondrian', 'clustering']."),
        ({"algorithms": []}, "No algorithm is named: give one or several, such as ['mondrian', 'clustering']."),
        ({"algorithms": ["oka", "oka"]}, "The algorithm oka is named twice: keep one of the two."),
        ({"k": []}, "No k is given: name one or several, such as k=[4, 8, 16]."),
        ({"k": [0]}, "k = 0 must be a whole number of at least 1."),
        ({"k": [2.5]}, "k = 2.5 must be a whole number of at least 1."),
        ({"k": 5.0}, "k = 5.0 must be a whole number of at least 1."),
        ({"k": None}, "k = None must be a whole number of at least 1."),
        ({"k": "3"}, "k = '3' must be a whole number of at least 1."),
        ({"at_once": 0}, "at_once = 0 must be a whole number of at least 1."),
        ({"repeat": [1, 2]}, "repeat = [1, 2] must be a whole number of at least 1."),
        ({"keep": "no/such/x"}, "no/such/x: there is no folder for the kept runs. Make it first."),
        ({"k": 1}, "k = 1 with l = 1 protects nobody: choose a k of at least 2."),
        ({"l": [True]}, "l = True must be a whole number of at least 1."),
        ({"repeat": 0}, "repeat = 0 must be a whole number of at least 1."),
        ({"measures": ["los"]}, "There is no measure 'los': did you mean 'loss'?"),
        ({"measures": []}, "No measure is named: give one or several, such as ['loss', 'time']."),
        ({"seed": -1}, "seed = -1 must be a whole number of at least 0."),
    ],
    ids=str,
)
def test_bad_input_is_refused(adult, change, sentence):
    with pytest.raises(InputError) as refused:
        compare(adult, **change)
    assert str(refused.value) == sentence


def test_diversity_needs_a_sensitive_column(adult):
    with pytest.raises(InputError, match="l = 2 needs a sensitive column"):
        shoal.compare(adult, quasi_identifiers=QUASI, algorithms=["mondrian"], k=3, l=2)


def made(figures, measures=("loss", "time"), **given):
    """A comparison of hand-made figures: by (algorithm, k, l) the runs' values of the measures."""
    cells = tuple(
        Cell(Setting(*key), tuple(dict(zip(measures, run, strict=True)) for run in values))
        for key, values in figures.items()
    )
    return Comparison("t.csv", 100, ("a", "b"), ("s",), measures, cells, ("A note.",), **given)


@pytest.mark.parametrize(("algorithms", "ks", "ls"), [(4, 4, 4), (3, 2, 2), (8, 5, 1), (12, 6, 4)])
def test_the_sheet_has_room_for_every_sentence(algorithms, ks, ls):
    figures = {
        (f"algorithm-{a}", 2**k, l): [(0.01 * a + 0.02 * k + 0.01 * l, 0.1 * a + k), (0.011 * a + 0.02 * k, 0.1 * a)]
        for a in range(1, algorithms + 1)
        for k in range(2, ks + 2)
        for l in range(1, ls + 1)  # noqa: E741
    }
    found = made(figures)
    drawn = sheet.draw(found)
    bottom = min(text.get_position()[1] for text in drawn.texts)
    shown = " ".join(" ".join(text.get_text() for text in drawn.texts).split())
    assert bottom > 0.03
    for sentence in [*found.discussion(), *found.notes]:
        assert " ".join(sentence.split()) in shown


def test_the_sheet_says_what_its_tables_leave_out():
    def notes(algorithms, ks):
        figures = {(f"a{a}", k, 1): [(0.01 * k, 0.5 * k, 0.1)] for a in range(algorithms) for k in range(2, 2 + ks)}
        drawn = sheet.draw(made(figures, measures=("loss", "distortion", "time")))
        return " ".join(" ".join(text.get_text() for text in drawn.texts).split())

    assert "The tables here" not in notes(2, 9)
    assert "The tables here show only every second k: index.html has all." in notes(2, 10)
    assert "The tables here show only every third k and no distortion (MD): index.html has all." in notes(12, 19)


def test_a_long_name_of_the_table_stays_on_the_sheet_and_on_the_page():
    figures = {("a", k, 1): [(0.1, 0.1)] for k in (4, 8)}
    found = replace(made(figures), name="x" * 90 + ".csv")
    drawn = sheet.draw(found)
    drawn.set_dpi(1000)  # at which the advances of characters are hardly rounded, as in a PDF
    [title] = [text for text in drawn.texts if text.get_text().startswith("Anonymization")]
    assert title.get_text().endswith("xxx…")
    end = (
        title.get_window_extent(matplotlib("backends.backend_agg").FigureCanvasAgg(drawn).get_renderer()).x1
        / drawn.bbox.width
    )
    assert 0.8 < end <= 1 - sheet.MARGIN / sheet.WIDTH
    short = [text.get_text() for text in sheet.draw(made(figures)).texts]
    assert f"Anonymization algorithms compared on {made(figures).name}" in short


def test_characters_that_the_font_lacks_are_drawn_in_another(tmp_path):
    from matplotlib.figure import Figure

    lacking = "\N{CIRCLED LATIN CAPITAL LETTER A}"  # another font that comes with matplotlib has it
    assert fonts_for(frozenset("abc")) == ()
    assert fonts_for(frozenset("\ue8ff")) == ()  # for private use: no font has it
    drawn = Figure()
    text = drawn.text(0.1, 0.5, lacking)
    assert fall_back(drawn)
    assert text.get_fontfamily() == ["DejaVu Sans", *fonts_for(frozenset(lacking))]
    with warnings.catch_warnings():
        warnings.filterwarnings("error", "Glyph")
        drawn.savefig(tmp_path / "drawn.png")
    write(drawn, tmp_path / "drawn.pdf", ".pdf")
    assert not fall_back(Figure())


def test_tables_say_what_is_held():
    figures = {("a", k, l): [(0.1, 0.1)] for k in (4, 8) for l in (1, 2)}  # noqa: E741
    found = made(figures)
    heads = [text.get_text() for text in sheet.draw(found).texts]
    assert {"a, ℓ = 1", "a, k = 4"} <= {*heads}
    assert all(head in found.to_html() for head in ("loss (LM) at ℓ = 1", "loss (LM) at k = 4", "time (ms) at k = 4"))
    alone = made({("a", k, 1): [(0.1, 0.1)] for k in (4, 8)})
    assert "loss (LM) at" not in alone.to_html()
    assert "a" in [text.get_text() for text in sheet.draw(alone).texts]


def test_the_lowest_of_one_algorithm_is_not_drawn():
    def panels(names):
        drawn = sheet.draw(made({(name, k, 1): [(0.1 * k, 0.1)] for name in names for k in (4, 8)}))
        return [axes.get_title(loc="left") for axes in drawn.axes]

    assert "loss (LM), times the lowest, against k" in panels("ab")
    assert panels("a") == [title for title in panels("ab") if "lowest" not in title]


def test_labels_of_points_that_lie_together_are_written_once():
    near = {(name, k, 1): [(0.5, 1.0 + k)] for name in ("a", "b", "c") for k in (4, 8)}
    axes = plots.figures(made(near))["loss_against_time"].axes[0]
    assert [text.get_text() for text in axes.texts] == ["k=4", "k=8"]
    apart = {(name, k, 1): [(loss, 1.0 + k)] for name, loss in (("a", 0.2), ("b", 0.9)) for k in (4, 8)}
    axes = plots.figures(made(apart))["loss_against_time"].axes[0]
    assert [text.get_text() for text in axes.texts] == ["k=4", "k=8", "k=4", "k=8"]


def test_no_line_of_the_sheet_leaves_the_margins_and_none_lies_on_another():
    figures = {
        (name, *setting): [(0.01 * setting[0], 0.1 * setting[0]), (0.012 * setting[0], 0.1 * setting[0])]
        for name in ("random", "clustering", "bottom-up")
        for setting in [*((2**power, 1) for power in range(2, 9)), *((16, number) for number in range(2, 9))]
    }
    drawn = sheet.draw(made(figures, suppressed={"loss": 3.0}))
    drawn.dpi = 600  # at which characters are as wide as in a PDF
    matplotlib("backends.backend_agg").FigureCanvasAgg(drawn).draw()
    page = drawn.bbox
    boxes = [text.get_window_extent() for text in drawn.texts if text.get_text()]
    panels = [axes.get_tightbbox() for axes in drawn.axes]
    assert len(panels) == 4
    for box in (*boxes, *panels):
        assert box.x0 >= 0.04 * page.width
        assert box.x1 <= 0.95 * page.width
        assert box.y0 >= 0.03 * page.height
    for one, other in combinations([*boxes, *panels], 2):
        overlap = min(one.x1, other.x1) - max(one.x0, other.x0), min(one.y1, other.y1) - max(one.y0, other.y0)
        assert min(overlap) < 0.02 * 600, (one, other)  # inches: descenders of one line and tops of the next


@pytest.mark.parametrize(
    ("value", "deviation", "text"),
    [
        (None, 0, "–"),
        (0, 0, "0"),
        (12345.6, 0, "12,346"),
        (12345.6, 7.2, "12,346 ± 7"),
        (12345.6, 0.2, "12,346"),
        (3.14159, 0, "3.142"),
        (0.5, 0, "0.5"),
        (0.123456, 0.01, "0.123 ± 0.010"),
        (0.00092, 0.00004, "0.00092 ± 0.00004"),
        (0.123456, 0.00001, "0.123"),
        (200.8, 34.8, "201 ± 35"),
        (0.817, 2.315, "0.8 ± 2.3"),
        (8.727, 23.234, "9 ± 23"),
        (3.1082, 0.2119, "3.11 ± 0.21"),
    ],
)
def test_figures_are_short(value, deviation, text):
    assert figure(value, deviation) == text


def test_a_column_of_figures_has_zeros_at_the_end_unless_all_are_whole():
    figures = {("a", k, 1): [(loss, steps)] for k, loss, steps in ((2, 0.5, 10), (4, 0.3333, 12), (8, 1.0, 0))}
    found = made(figures, measures=("loss", "distortion"))
    shown = {name: [cell_text(found, cell, name) for cell in found.cells] for name in found.measures}
    assert shown == {"loss": ["0.500", "0.333", "1.000"], "distortion": ["10", "12", "0"]}


def test_empty_plots_say_so(tmp_path):
    found = Comparison(
        "t.csv", 9, ("a",), (), ("loss", "time"), (Cell(Setting("a", 20, 1), ({"failure": "No."},)),), ()
    )
    for figure_of_it in plots.figures(found).values():
        [axes] = figure_of_it.axes
        assert [text.get_text() for text in axes.texts] == ["no release"]
        assert not axes.get_xticks().size
    found.save(tmp_path)


def test_names_that_turn_the_direction_of_text_do_not_reach_the_page(tmp_path):
    found = made({("a", 4, 1): [(0.5, 1.0)]})
    turned = replace(found, quasi=("a\u202eb",))
    assert "\u202e" not in turned.to_html()
    assert "a\ufffdb" in turned.to_html()


@pytest.mark.parametrize("measures", every(2, [["loss"], ["loss", "distortion", "discernibility"]]))
def test_everything_is_written_and_the_same_each_time(adult, tmp_path, measures):
    found = compare(adult, l=[1, 2], measures=measures)
    written = found.save(tmp_path / "a")
    assert {path.name for path in written} >= {"cells.csv", "cells.json", "index.html", "report.pdf"}
    assert {path.name for path in written} >= {"loss_against_k.svg", "loss_against_l.svg"}
    found.save(tmp_path / "b")
    for path in written:
        assert path.read_bytes() == (tmp_path / "b" / path.name).read_bytes()


def test_the_pdf_is_one_page_of_a4(adult, tmp_path):
    compare(adult, measures=["loss", "time"]).save(tmp_path)
    content = (tmp_path / "report.pdf").read_bytes()
    assert re.findall(rb"/Type /Page\b", content) == [b"/Type /Page"]
    width, height = map(float, re.search(rb"/MediaBox \[ 0 0 ([\d.]+) ([\d.]+) \]", content).groups())
    assert (width / 72 * 25.4, height / 72 * 25.4) == pytest.approx((210, 297), abs=0.5)


def test_the_page_fetches_nothing_and_shows_names_as_they_are(tmp_path):
    found = made({("<b>x", 4, 1): [(0.1, 2.0)], ("$y$_{", 4, 1): [(0.2, 1.0)]})
    found.save(tmp_path)
    page = (tmp_path / "index.html").read_text(encoding="utf-8")
    assert "<b>x" not in page
    assert "<script" not in page
    assert not re.search(r'(?:src|href)="(?!#)', page)


def test_many_algorithms_and_many_k_still_fit(tmp_path):
    figures = {
        (f"algorithm number {a} with a long name", k, 1): [(a / 20, 0.1 * a + k)]
        for a in range(12)
        for k in range(2, 60)
    }
    found = made(figures)
    found.save(tmp_path)
    assert len(re.findall(rb"/Type /Page\b", (tmp_path / "report.pdf").read_bytes())) == 1


def test_one_cell_is_enough(tmp_path):
    found = made({("a", 4, 1): [(0.0, 0.0)]})
    found.discussion()
    found.save(tmp_path)


def test_a_place_where_no_folder_can_be_is_refused(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(InputError, match="no folder can be made here"):
        made({("a", 4, 1): [(0.1, 1.0)]}).save(tmp_path / "file")


def test_every_measure_can_be_compared(adult):
    names = [*METRICS, "classification"]
    found = compare(adult, measures=names, repeat=1, k=3, algorithms=["mondrian"])
    assert set(found.cells[0].runs[0]) == {*names, "classes", "smallest_class", "fewest_values"}


def test_the_course_file_gives_the_known_costs(reference_data):
    from shoal.comp430.experiment import compare_course

    found = compare_course(reference_data / "comp430" / "adult-hw1.csv", reference_data / "comp430" / "DGHs", repeat=1)
    cells = {(cell.setting.algorithm, cell.setting.k, cell.setting.l): cell.runs[0] for cell in found.cells}
    assert cells["clustering", 16, 1]["distortion"] == 105464
    assert cells["clustering", 16, 1]["loss_rows"] == pytest.approx(4227.4533978073, abs=1e-9)
    assert cells["bottom-up", 16, 1]["distortion"] == 139986
    assert cells["bottom-up", 16, 1]["loss_rows"] == pytest.approx(6131.3983785822, abs=1e-9)
