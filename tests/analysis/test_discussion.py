"""The discussion of a comparison: every sentence is a claim about the cells, and goes when the cells change."""

from __future__ import annotations

import re
from itertools import product

import pytest
from hypothesis import given, settings, strategies as st

import shoal
from shoal.analysis.comparison.comparison import Comparison
from shoal.analysis.comparison.discussion import discussion
from shoal.analysis.comparison.plan import Setting
from shoal.analysis.comparison.results import Cell

KS = (4, 8, 16, 32)
# The three algorithms of the course: LM of 100 rows, MD of at most 1,000, and seconds, of three runs each.
COURSE = {
    "random": [(80, 800, 0.001), (90, 900, 0.001), (97, 970, 0.001), (100, 1000, 0.001)],
    "clustering": [(10, 100, 0.400), (30, 300, 0.200), (55, 550, 0.100), (75, 690, 0.050)],
    "bottom-up": [(60, 600, 0.010), (60, 600, 0.010), (60, 600, 0.010), (70, 700, 0.010)],
}
BY_L = [(60, 600, 0.010), (60, 600, 0.020), (66, 700, 0.020)]  # of bottom-up at k = 16
MEASURES = ("loss_rows", "distortion", "time")


def course(change=None, spread=0.0):
    """The comparison of the course, with the triples of some settings changed, and times that differ by a share."""
    triples = {(name, k, 1): triple for name, row in COURSE.items() for k, triple in zip(KS, row, strict=True)}
    triples |= {("bottom-up", 16, l): triple for l, triple in enumerate(BY_L, start=1)}  # noqa: E741
    triples |= change or {}
    cells = {
        key: [(lm, md, seconds * factor) for factor in (1 - spread, 1, 1 + spread)]
        for key, (lm, md, seconds) in triples.items()
    }
    return made(cells, MEASURES, suppressed={"loss_rows": 100.0, "distortion": 1000.0})


def made(figures, measures=("loss", "time"), **given):
    """A comparison of hand-made figures: by (algorithm, k, l) the runs' values of the measures."""
    cells = tuple(
        Cell(Setting(*key), tuple(dict(zip(measures, run, strict=True)) for run in runs))
        for key, runs in figures.items()
    )
    return Comparison("t.csv", 100, ("a", "b"), ("s",), measures, cells, ("A note.",), **given)


def told(comparison):
    return " ".join(comparison.discussion())


def test_the_discussion_of_the_course():
    paragraphs = discussion(course())
    assert [paragraph.title for paragraph in paragraphs] == ["Expectations", "Utility", "Time", "Choice"]
    assert course().discussion() == [
        "A larger k makes more rows look alike, so every algorithm was expected to lose more as k grows: random, blind "
        "to the values, the most, though in the least time; clustering, made to find similar rows, the least, at the "
        "price of time; and bottom-up, bound to generalize whole columns, something in between.",
        "As expected, the lowest LM is that of clustering up to k = 16 but of bottom-up at k = 32 (by MD, of "
        "clustering at every k): from k = 4 to 32, clustering goes from 10 % to 75 % of the maximum, as each class has "
        "to take in rows that are less and less alike, bottom-up only from 60 % to 70 %.",
        "Random loses 80 % of the maximum at k = 4 and at least 97 % from k = 16 on (all of it at k = 32: LM = 100), "
        "because rows that meet by chance share little below the roots of their trees.",
        "Bottom-up has the same LM and MD at k = 4, 8 and 16, because one level for each column, one node of the "
        "lattice, serves all three.",
        "At k = 16, ℓ costs nothing up to 2, as classes of that size hold enough different values anyway, and 10 % "
        "more LM at 3, as a single class short of values takes a whole column up.",
        "The fastest is random at every k, the slowest clustering at every k; clustering takes 8 times as long at "
        "k = 4 as at 32, as it has more classes to make.",
        "Utility has its price in time: at k = 16, bottom-up takes 10 times as long as random for 38 % less LM, "
        "and clustering 10 times as long as bottom-up for a further 8 % less.",
        "To keep the most of the data, take clustering up to k = 16 and bottom-up at k = 32, or bottom-up throughout "
        "if a whole column has to show one level; as they take 400 ms at most here, time is no reason against them, "
        "and random serves as a yardstick only.",
    ]


@pytest.mark.parametrize(
    ("change", "gone", "instead"),
    [
        # clustering keeps its lead: it is not overtaken
        ({("clustering", 32, 1): (69, 690, 0.05)}, "bottom-up at k = 32", "that of clustering at every k"),
        # bottom-up leads from the first k on: nothing is as expected
        (
            {("clustering", k, 1): (95, 950, 0.1) for k in KS},
            "As expected",
            "The lowest LM is that of bottom-up at every k",
        ),
        # MD has the same winners as LM: it is not mentioned
        ({("clustering", 32, 1): (75, 750, 0.05)}, "(by MD", "clustering up to k = 16 but of bottom-up at k = 32:"),
        # random keeps something, or is near the maximum later
        ({("random", 32, 1): (94, 940, 0.001)}, "Random loses", "A larger k"),
        ({("random", 16, 1): (90, 900, 0.001)}, "at least 97 %", "at least 100 % at k = 32 (all of it"),
        ({("random", 32, 1): (99, 1000, 0.001)}, "all of it", "at least 97 % from k = 16 on, because"),
        # the same LM with another MD is another node
        ({("bottom-up", 16, 1): (60, 599, 0.010)}, "serves all three", "k = 4 and 8, because"),
        ({("bottom-up", 8, 1): (61, 600, 0.010)}, "has the same LM and MD", "A larger k"),
        # diversity costs from the start, or never
        ({("bottom-up", 16, 2): (63, 600, 0.02)}, "costs nothing", "At k = 16, ℓ = 3 costs 10 % more LM than ℓ = 1"),
        ({("bottom-up", 16, 3): (60, 600, 0.02)}, "10 % more LM", "ℓ costs nothing up to 3"),
        # bottom-up is slowest somewhere
        ({("bottom-up", 32, 1): (70, 700, 0.2)}, "slowest clustering at every k", "slowest clustering up to k = 16"),
        # the time of clustering does not fall
        ({("clustering", 4, 1): (10, 100, 0.05)}, "as it has more classes", "A larger k"),
        # another ratio of times, another loss
        ({("clustering", 16, 1): (30, 550, 0.200)}, "further 8 %", "20 times as long as bottom-up for a further 50 %"),
        # nobody is both better and faster, unless bottom-up is worse than random
        ({("bottom-up", 16, 1): (98, 980, 0.010)}, "takes 10 times", "more than random and takes longer"),
        # a long wait is told
        ({("clustering", 4, 1): (10, 100, 90.0)}, "time is no reason", "the 90 s that clustering may take are"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)  # fmt: skip
def test_a_sentence_goes_with_its_figures(change, gone, instead):
    before, after = told(course()), told(course(change))
    assert gone in before
    assert gone not in after
    assert instead in after


def test_differences_within_the_spread_are_called_so():
    close = {("bottom-up", k, 1): (60, 600, 0.9 * COURSE["clustering"][i][2]) for i, k in enumerate(KS)}
    assert "the slowest clustering at every k" in told(course(close))
    assert "the slowest clustering or bottom-up, which cannot be told apart, at every k" in told(
        course(close, spread=0.2)
    )
    # A further 8 % for a time that is not clearly longer is still a lower loss.
    same = {("clustering", 16, 1): (60, 600, 0.1)}
    assert "bottom-up or" not in told(course())
    assert "clustering or bottom-up, which cannot be told apart, at k = 16" in told(course(same))


def test_whoever_is_no_part_of_the_trade_off_is_told_why():
    assert "bottom-up" in told(course())
    slow = told(course({("bottom-up", 16, 1): (60, 600, 0.11)}, spread=0.2))
    assert "clustering takes 100 times as long as random for 43 % less LM; " in slow
    assert "; bottom-up loses more than clustering in no less time." in slow
    slower = told(course({("bottom-up", 16, 1): (60, 600, 0.2)}, spread=0.2))
    assert "; bottom-up loses more than clustering and takes longer." in slower
    alike = told(course({("bottom-up", 16, 1): (55, 600, 0.1)}))
    assert "; bottom-up cannot be told from clustering in either." in alike
    longer = told(course({("bottom-up", 16, 1): (55, 600, 0.2)}))
    assert "; bottom-up takes longer than clustering and loses no less." in longer


def test_who_is_slowest_at_many_k_in_turn_is_said_in_short():
    turns = {("bottom-up", k, 1): (60, 600, second) for k, second in zip(KS, (0.5, 0.1, 0.2, 0.01), strict=True)}
    assert "the slowest clustering or bottom-up, depending on k;" in told(course(turns))


def test_times_are_medians_and_costs_means():
    runs = [(0.1, 5.0), (0.2, 1.0), (0.6, 1.2)]
    [cell] = made({("a", 4, 1): runs}).cells
    assert (cell.middle("time"), cell.mean("time")) == (1.2, pytest.approx(2.4))
    assert cell.middle("loss") == cell.mean("loss") == pytest.approx(0.3)
    [record] = made({("a", 4, 1): runs}).records()
    assert (record["time"], record["time_lowest"], record["time_highest"]) == (1.2, 1.0, 5.0)


def test_algorithms_of_which_nothing_is_known():
    found = made(
        {
            ("a", 4, 1): [(0.1, 20.0)],
            ("a", 8, 1): [(0.3, 18.0)],
            ("a", 16, 1): [(0.7, 20.0)],
            ("b", 4, 1): [(0.4, 0.1)],
            ("b", 8, 1): [(0.45, 0.1)],
            ("b", 16, 1): [(0.5, 0.1)],
        }
    )
    assert found.discussion() == [
        "A larger k makes more rows look alike, so every algorithm was expected to lose more as k grows.",
        "The lowest LM is that of a up to k = 8 and of b at k = 16.",
        "The fastest is b at every k, the slowest a at every k.",
        "Utility has its price in time: at k = 8, a takes 180 times as long as b for 33 % less LM.",
        "To keep the most of the data, take a up to k = 8 and b at k = 16; if the 20 s that a may take are too long, "
        "take b, which takes 100 ms at most.",
    ]


def test_precision_is_better_when_higher():
    found = made({("a", 4, 1): [(0.9, 2.0)], ("b", 4, 1): [(0.2, 1.0)]}, measures=("precision", "time"))
    assert "The highest precision is that of a at k = 4." in found.discussion()
    assert "a takes twice as long as b for 350 % more precision." in told(found)


def test_what_is_equal_is_not_told_apart():
    found = made({(name, k, 1): [(1.0, t)] for name, t in (("a", 2.0), ("b", 0.1)) for k in (6, 8)})
    assert "The lowest LM is that of a or b, which cannot be told apart, at every k." in found.discussion()
    assert "nothing to trade: none has a lower LM than b, and none is clearly faster; a takes longer than b" in told(
        found
    )


def test_where_one_has_no_release_nothing_is_said_of_every_k():
    found = made({("a", 4, 1): [(0.1, 1.0)], ("a", 8, 1): [(0.2, 1.0)], ("b", 4, 1): [(0.3, 2.0)]})
    assert "The lowest LM is that of a at k = 4." in found.discussion()


@pytest.mark.parametrize(
    ("losses", "sentence"),
    [
        ([0.1, 0.3, 0.1, 0.5], "At k = 8, ℓ = 4 costs 400 % more LM than ℓ = 1."),
        ([0.1, 0.1, None, 0.1], "At k = 8, ℓ = 4 costs no more LM than ℓ = 1 beyond the spread of the runs."),
        (
            [0.0, 0.0, 0.1],
            "At k = 8, ℓ costs nothing up to 2, as classes of that size hold enough different values anyway, and LM "
            "0.1 in place of 0 at 3.",
        ),
    ],
    ids=str,
)
def test_what_diversity_does(losses, sentence):
    cells = tuple(
        Cell(Setting("a", 8, number), ({"failure": "No."} if loss is None else {"loss": loss},))
        for number, loss in enumerate(losses, start=1)
    )
    found = Comparison("t.csv", 100, ("a",), ("s",), ("loss",), cells, ())
    assert sentence in found.discussion()


def test_no_time_at_all_is_no_error(tmp_path):
    found = made({(name, k, 1): [(cost, 0.0)] for name, cost in (("a", 0.1), ("b", 0.2)) for k in (4, 8)})
    assert "The fastest is a or b, which cannot be told apart, at every k." in found.discussion()
    found.save(tmp_path)


NAMES = ("random", "clustering", "bottom-up", "mondrian")


def where_of(text):
    """Parse `a or b, which cannot be told apart, up to k = 8` into names and a test of k."""
    names, at, ks = re.fullmatch(
        r"(.*?)(?:, which cannot be told apart,)? (at every k|up to k|from k|at k)(.*)", text
    ).groups()
    numbers = list(map(int, re.findall(r"\d+", ks)))
    holds = {
        "at every k": lambda k: True,
        "up to k": lambda k: k <= numbers[0],
        "from k": lambda k: k >= numbers[0],
        "at k": lambda k: k in numbers,
    }[at]
    return set(re.findall("|".join(NAMES), names)), holds


def claims(text):
    """Split `a up to k = 8, of b at k = 16 and of c from k = 32 on` into its claims."""
    return [
        where_of(part)
        for part in re.findall(rf"(?:{'|'.join(NAMES)}).*?(?:at every k|k = [\d, ]*\d(?: and \d+)?)", text)
    ]


@given(st.data())
@settings(max_examples=150, deadline=None)
def test_random_figures_are_described_as_they_are(data):
    """Read the sentences back and hold them against the cells with plain comparisons of lists."""
    numbers = st.integers(1, 20)
    runs = {
        (name, k, 1): data.draw(st.lists(st.tuples(numbers, numbers), min_size=2, max_size=2))
        for name, k in product(NAMES[: data.draw(st.integers(2, 4))], (4, 8, 16, 32)[: data.draw(st.integers(2, 4))])
    }
    found = made(runs, measures=("loss_rows", "time"), suppressed={"loss_rows": 20.0})
    names, ks = list(dict.fromkeys(key[0] for key in runs)), sorted({key[1] for key in runs})
    lists = {m: {(n, k): [run[m] for run in runs[n, k, 1]] for n in names for k in ks} for m in (0, 1)}

    def winners(measure, k, worst=False):
        middles = {n: sum(lists[measure][n, k]) / 2 for n in names}
        first = max(reversed(names), key=middles.get) if worst else min(middles, key=middles.get)
        ends = lists[measure][first, k]
        apart = [
            n
            for n in names
            if (max(lists[measure][n, k]) < min(ends) if worst else min(lists[measure][n, k]) > max(ends))
        ]
        return set(names) - set(apart)

    sentences = found.discussion()
    assert len(sentences) <= 8
    text = " ".join(sentences)
    lowest = re.search(r"lowest LM is that of (.*?)(?:: from|\. )", text)[1]
    fastest = re.search(r"The fastest is (.*?)(?:, the slowest|;|\.)", text)[1]
    slowest = re.search(r", the slowest (?!.*depending)(.*?)(?:;|\.)", text)
    for claim, measure, worst in [
        (lowest, 0, False),
        (fastest, 1, False),
        *([(slowest[1], 1, True)] if slowest else []),
    ]:
        for k in ks:
            said = [names for names, holds in claims(claim) if holds(k)]
            assert said == [winners(measure, k, worst)], (claim, k)
    for name, before, after in re.findall(r"(\S+) (?:goes|only) from (\d+) % to (\d+) %", text):
        assert [round(100 * sum(lists[0][name, k]) / 2 / 20) for k in (ks[0], ks[-1])] == [int(before), int(after)]
    for name, k, low in re.findall(r"(\S+) loses .*?at least (\d+) %[^.;]*?k = (\d+)", text):
        name, least, start = name.lower(), int(k), int(low)
        assert all(sum(lists[0][name, k]) / 2 / 20 >= least / 100 >= 0.95 for k in ks if k >= start)
    flat = re.search(r"Bottom-up has the same LM at k = ([\d, and]+), because", text)
    alike = list(map(int, re.findall(r"\d+", flat[1]))) if flat else []
    assert len({tuple(lists[0]["bottom-up", k]) for k in alike}) <= 1
    assert all(len(set(lists[0]["bottom-up", k])) == 1 for k in alike)
    for slow, ratio, quick in re.findall(r"([\w-]+)(?: takes)? ([\d.,]+ times|twice) as long as ([\w-]+)", text):
        k = int(re.search(r"price in time: at k = (\d+)", text)[1])
        truth = sum(lists[1][slow, k]) / sum(lists[1][quick, k])
        assert float(ratio.replace("twice", "2 times").split()[0].replace(",", "")) == pytest.approx(truth, rel=0.05)
        assert sum(lists[0][slow, k]) < sum(lists[0][quick, k])
    k = int(re.search(r"(?:in time: at|At) k = (\d+),? (?:there is nothing|\S+ takes)", text)[1])

    def clear(measure, one, other):
        return max(lists[measure][one, k]) < min(lists[measure][other, k])

    outdone = (
        r"([\w-]+(?:(?:, | and )[\w-]+)*) (cannot be told from|takes? longer than|loses? more than) ([\w-]+) ([^.;]*)"
    )
    for those, how, other, rest in re.findall(rf"(?<=; ){outdone}", text):
        for name in re.split(", | and ", those):
            assert (clear(0, other, name), clear(1, other, name)) == {
                ("cannot", "in either"): (False, False),
                ("take", "and lose no less"): (False, True),
                ("lose", "in no less time"): (True, False),
                ("lose", "and take longer"): (True, True),
            }[re.match("cannot|take|lose", how)[0], re.sub(r"\b(lose|take)s\b", r"\1", rest)]
            assert not clear(0, name, other)
            assert not clear(1, name, other)
    in_trade = re.search(r"(?:in time: at|At) k = \d+(.*?\.) ", text)[1]
    assert all(name in in_trade for name in names) or "nothing to trade" in in_trade


def test_one_node_serves_the_small_k_of_the_course_file(reference_data):
    """What the discussion concludes from equal costs is looked at: the levels are the same."""
    from shoal.comp430.experiment import compare_course
    from shoal.comp430.files import Raw

    folder = reference_data / "comp430"
    found = compare_course(folder / "adult-hw1.csv", folder / "DGHs", repeat=2)
    assert "Bottom-up has the same LM and MD at k = 4, 8 and 16" in told(found)
    assert found.suppressed["loss_rows"] == 9999
    assert len(found.discussion()) == 8
    raw = Raw.read(folder / "adult-hw1.csv", folder / "DGHs")
    nodes = []
    for k in (4, 8, 16, 32):
        release = shoal.anonymize(
            folder / "adult-hw1.csv",
            quasi_identifiers=list(raw.trees),
            sensitive=raw.sensitive,
            hierarchies=raw.trees,
            model=shoal.KAnonymity(k),
            algorithm="bottom-up",
        )
        nodes.append(release.report.search["node"])
    assert nodes[0] == nodes[1] == nodes[2]
    assert list(nodes[0].values()) == [4, 2, 2, 1, 1, 1, 0, 3]
    assert nodes[3] != nodes[0]
