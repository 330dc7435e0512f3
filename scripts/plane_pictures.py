"""Draws how algorithms of classes group the same 36 people: age to the right, income upwards, each class as a box."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
from drawing import GROUPS, Picture

import shoal

K = 4
SIDE, HEAD, EDGE = 220, 60, 16  # of a plane: its width, the height of its title, and its margin
ROOMS = {"age": (18.0, 80.0), "income": (18.0, 92.0)}  # what the plane shows of each column
DOT, PAD, GAP = 3.6, 5.2, 1.3  # the size of a person, how far a box goes beyond its people, and how near to a cut

Cell = tuple[tuple[float, float], tuple[float, float]]  # from and to, of age and of income
Cut = tuple[int, float, Any]  # the attribute, the place, and the rows of the partition that it cuts


def people() -> pd.DataFrame:
    """Return 36 people: five crowds of different ages and incomes, and two who are in none."""
    random = np.random.RandomState(5)
    crowds = [(26, 24, 4, 5), (33, 58, 5, 7), (47, 40, 4, 6), (58, 74, 5, 7), (68, 26, 6, 5)]
    drawn = [(crowds[i % 5], random.standard_normal(), random.standard_normal()) for i in range(34)]
    rows = [(round(age + wide * a), round(income + high * b)) for (age, income, wide, high), a, b in drawn]
    return pd.DataFrame([*rows, (78, 52), (20, 46)], columns=[*ROOMS])


def released(algorithm: object) -> shoal.Release:
    """Release the 36 people."""
    model = shoal.KAnonymity(K)
    return shoal.anonymize(people(), quasi_identifiers=[*ROOMS], model=model, algorithm=algorithm, rows_are_people=True)


def pictures() -> dict[str, Picture]:
    """Return the pictures of the algorithms that make classes."""
    return mondrian() | clusterings() | stages() | {"losses": losses()}


def mondrian() -> dict[str, Picture]:
    """Draw the first cut, the first two rounds, the classes in the end, and those of the paper's own rule."""
    cuts = cuts_of(Watched())
    pictures = {}
    for number, title in enumerate(["First cut", "Second round"], 1):
        done = sum(map(len, cuts[:number]))
        below = f"{done} cut{'s' * (done > 1)}, {done + 1} parts"
        picture = plane(title, f"Mondrian on 36 people by age and income: {below}.", below)
        for person in people().itertuples(index=False):
            picture.dot(*spot(*person), radius=DOT, colour="muted")
        draw_cuts(picture, cuts[:number], colour="strong", wide=[3, 1.8])
        pictures[f"mondrian-{number}"] = picture
    for name, title, algorithm in [
        ("mondrian-3", "In the end", Watched()),
        ("mondrian-paper", "The paper's rule", Watched(dimension="widest", cut="median")),
    ]:
        cuts = cuts_of(algorithm)
        picture, groups = grouping(title, algorithm)
        cells = draw_cuts(picture, cuts, colour="muted", wide=[1.4, 1])
        draw_groups(picture, groups, cells)
        pictures[name] = picture
    return pictures


def clusterings() -> dict[str, Picture]:
    """Draw what each clustering makes of the same people."""
    shown: list[tuple[str, str, object]] = [
        ("random", "Random", shoal.RandomGrouping()),
        ("centroid", "Centroid", shoal.CentroidClustering()),
        ("k-member", "k-member", shoal.KMember()),
        ("one-pass", "One-pass k-means", shoal.OnePassKMeans()),
        ("graph", "Graph", shoal.GraphClustering()),
        ("graph-dissolve", "Graph, dissolve", shoal.GraphClustering("dissolve")),
        ("hilbert", "Hilbert", shoal.HilbertClustering()),
        ("agglomerative", "Agglomerative", shoal.AgglomerativeClustering()),
        ("sequential", "Sequential", shoal.SequentialClustering()),
    ]
    return {f"clusters-{name}": boxes(title, algorithm) for name, title, algorithm in shown}


def stages() -> dict[str, Picture]:
    """Draw local recoding on its way."""
    quick = shoal.LocalRecoding(effort="fast")
    return {
        "local-1": boxes("The start", replace(quick, rounds=0)),
        "local-2": boxes("After 15 rounds", replace(quick, rounds=15)),
        "local-3": boxes("In the end", quick),
    }


def losses() -> Picture:
    """Draw what each algorithm loses beside what any release of the same people must lose."""
    best = shoal.LocalRecoding()
    bound = released(best).report.certificate["bound"]
    shown: list[tuple[str, object]] = [
        ("local recoding", best),
        ("agglomerative", shoal.AgglomerativeClustering()),
        ("Mondrian", shoal.Mondrian()),
        ("sequential", shoal.SequentialClustering()),
        ("k-member", shoal.KMember()),
        ("centroid", shoal.CentroidClustering()),
        ("graph", shoal.GraphClustering()),
        ("one-pass k-means", shoal.OnePassKMeans()),
        ("random", shoal.RandomGrouping()),
    ]
    lost = sorted((released(algorithm).report.metrics["loss"], name) for name, algorithm in shown)
    left, right, top, step = 150, 400, 84, 27
    picture = Picture(
        452, top + step * len(lost) + 34, f"No release loses less than {bound:.3f}; local recoding {lost[0][0]:.3f}."
    )
    picture.text(EDGE, 27, "How far from the best?", size=17, bold=True)
    picture.text(EDGE, 48, f"No release of these 36 people can lose less than {bound:.3f}.", size=14, colour="muted")
    floor = top + step * len(lost) - 12

    def at(loss: float) -> float:
        return left + (right - left) * loss / 0.6

    picture.box(left, top - 20, at(bound), floor, fill="calm", round_by=0)
    picture.line((at(bound), top - 20), (at(bound), floor), colour="strong", wide=2)
    picture.text((left + at(bound)) / 2, floor + 30, "no release here", size=12.5, colour="strong", at="middle")
    for share in (0.0, 0.2, 0.4, 0.6):
        picture.text(at(share), floor + 15, f"{share:g}", size=12, colour="muted", at="middle")
    for row, (loss, name) in enumerate(lost):
        y = top + step * row
        picture.text(left - 10, y + 4.5, name, size=14, at="end", bold=row == 0)
        picture.line((left, y), (at(loss), y), colour="edge", wide=2)
        picture.dot(at(loss), y, radius=5.5, colour="strong" if row == 0 else "muted")
        picture.text(at(loss) + 10, y + 4.5, f"{loss:.3f}", size=13, bold=row == 0)
    return picture


# --- one plane --------------------------------------------------------------------------------------------------------


def spot(age: float, income: float) -> tuple[float, float]:
    """Return where a person is in a plane."""
    (youngest, oldest), (poorest, richest) = ROOMS.values()
    room = SIDE - 2 * EDGE
    return EDGE + room * (age - youngest) / (oldest - youngest), HEAD + room * (richest - income) / (richest - poorest)


def plane(title: str, says: str, below: str) -> Picture:
    """Return an empty plane."""
    picture = Picture(SIDE, HEAD + SIDE - EDGE, f"{title}. {says}")
    picture.text(EDGE, 26, title, size=16.5, bold=True)
    picture.text(EDGE, 45, below, size=13.5, colour="muted")
    return picture


def grouping(title: str, algorithm: object) -> tuple[Picture, list[pd.DataFrame]]:
    """Return a plane with a title, and the people of each class that an algorithm makes."""
    release, table = released(algorithm), people()
    groups = [table.iloc[group.rows] for group in release.groups]
    loss = f"loss {release.report.metrics['loss']:.3f}"
    says = f"36 people by age and income in {len(groups)} classes of at least {K}; {loss}."
    return plane(title, says, f"{loss} · {len(groups)} classes"), groups


def boxes(title: str, algorithm: object) -> Picture:
    """Draw the classes that an algorithm makes of the 36 people."""
    picture, groups = grouping(title, algorithm)
    draw_groups(picture, groups, [])
    return picture


def draw_groups(picture: Picture, groups: list[pd.DataFrame], cells: list[Cell]) -> None:
    """Draw the ranges that each class shows as a box, within its cell, and its people in the same colour."""
    order = sorted(range(len(groups)), key=lambda i: (groups[i]["age"].mean(), groups[i]["income"].mean()))
    colours = [f"g{order.index(i) % GROUPS}" for i in range(len(groups))]
    for group, colour in zip(groups, colours, strict=True):
        left, bottom = spot(group["age"].min(), group["income"].min())
        right, top = spot(group["age"].max(), group["income"].max())
        left, top, right, bottom = left - PAD, top - PAD, right + PAD, bottom + PAD
        for cell in [cell for cell in cells if holds(cell, group)]:
            (youngest, oldest), (poorest, richest) = ROOMS.values()
            (west, south), (east, north) = spot(cell[0][0], cell[1][0]), spot(cell[0][1], cell[1][1])
            left = left if cell[0][0] == youngest else max(left, west + GAP)
            right = right if cell[0][1] == oldest else min(right, east - GAP)
            bottom = bottom if cell[1][0] == poorest else min(bottom, south - GAP)
            top = top if cell[1][1] == richest else max(top, north + GAP)
        picture.box(left, top, right, bottom, fill=colour, colour=colour, opacity=0.13, round_by=5)
    for group, colour in zip(groups, colours, strict=True):
        for person in group.itertuples(index=False):
            picture.dot(*spot(*person), radius=DOT, colour=colour)


def holds(cell: Cell, group: pd.DataFrame) -> bool:
    """Return whether all rows of a group lie in a cell."""
    sides = zip(ROOMS, cell, strict=True)
    return all(low <= group[name].min() and group[name].max() <= high for name, (low, high) in sides)


# --- Mondrian's cuts --------------------------------------------------------------------------------------------------


class Watched(shoal.Mondrian):
    """Mondrian, which writes down its cuts."""

    def _cut(self, partitions: Any, *others: Any) -> Any:
        middle, attributes = super()._cut(partitions, *others)
        codes = partitions.codes[partitions.order]
        bounds = zip(partitions.starts.tolist(), middle.tolist(), partitions.ends.tolist(), strict=True)
        rows = [(codes[start:cut], codes[cut:end]) for start, cut, end in bounds]
        SEEN.append([(a, *sides) for a, sides in zip(attributes.tolist(), rows, strict=True) if sides[1].size])
        return middle, attributes


SEEN: list[list[tuple[int, Any, Any]]] = []


def cuts_of(algorithm: Watched) -> list[list[Cut]]:
    """Return the cuts of each round; a cut is drawn in the middle between its sides."""
    SEEN.clear()
    released(algorithm)
    values = [np.unique(people()[name]) for name in ROOMS]
    rounds = []
    for seen in SEEN:
        cuts = []
        for a, left, right in seen:
            place = (values[a][left[:, a].max()] + values[a][right[:, a].min()]) / 2
            cuts.append((a, float(place), np.concatenate([left, right])))
        rounds.append(cuts)
    return rounds


def draw_cuts(picture: Picture, rounds: list[list[Cut]], *, colour: str, wide: list[float]) -> list[Cell]:
    """Draw the cuts of each round within the cells that they cut; return the cells in the end."""
    values = [np.unique(people()[name]) for name in ROOMS]
    youngest_to_oldest, poorest_to_richest = ROOMS.values()
    cells: list[Cell] = [(youngest_to_oldest, poorest_to_richest)]
    for depth, cuts in enumerate(rounds):
        halves: list[Cell] = []
        for cell in cells:
            mine = [cut for cut in cuts if holds(cell, rows_of(cut, values))]
            for attribute, place, _ in mine:
                left, right = sides(cell, attribute, place)
                on = right[0][0], right[1][0]
                off = left[0][1], left[1][1]
                picture.line(spot(*on), spot(*off), colour=colour, wide=wide[min(depth, len(wide) - 1)])
                halves += [left, right]
            halves += [] if mine else [cell]
        cells = halves
    return cells


def rows_of(cut: Cut, values: list[Any]) -> pd.DataFrame:
    """Return the people of the partition that a cut divides."""
    return pd.DataFrame({name: values[j][cut[2][:, j]] for j, name in enumerate(ROOMS)})


def sides(cell: Cell, attribute: int, place: float) -> Iterator[Cell]:
    """Yield both sides of a cell that is cut."""
    for end in (1, 0):
        ends = [[*side] for side in cell]
        ends[attribute][end] = place
        yield (ends[0][0], ends[0][1]), (ends[1][0], ends[1][1])
