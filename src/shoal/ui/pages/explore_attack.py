"""Attack: somebody who knows a few things about people looks for them in the release."""

from __future__ import annotations

from typing import Any

from nicegui import ui

import shoal
from shoal.ui.pages.parts import hint, percent, problem, say, title
from shoal.ui.state.runs import Run
from shoal.ui.state.workbench import Workbench
from shoal.ui.state.worker import WorkError

FIGURES = {
    "people found": "People for whom exactly one row is left: it is theirs.",
    "fewest rows": "The least number of rows that could be a person's; a suppressed row could be anybody's.",
    "rows on average": "The number of rows that could be a person's, on average.",
}
LEARNED = {
    "known for certain": "People whose possible rows all hold the same {name}: it is learned without finding the row.",
    "best guess right": "How often the most frequent {name} among a person's possible rows is right, on average.",
}


def attack_part(bench: Workbench, shown: Run) -> None:
    """Choose what the attacker knows, and see what they find."""
    project = shown.project
    title(
        "Try an attack",
        "The attacker knows some columns of some people of the table, as they truly are, and looks for their rows.",
    )
    names = [*project.quasi, *project.having("other")]
    with ui.row().classes("items-center gap-3"):
        known = ui.select(names, value=list(project.quasi), multiple=True, label="what the attacker knows")
        known.props("dense options-dense use-chips").classes("min-w-80 max-w-3xl").mark("known")
        hint(known, "Columns that are released as they are can be known, too: try how much they give away.")
        sample = ui.number("people known, in %", value=10, min=0.01, max=100, step=1).props("dense").classes("w-36")
        sample.mark("sample")
        hint(sample, "The share of the people of the table that the attacker looks for, drawn at random.")
        button = ui.button("Attack", icon="person_search").props("no-caps").mark("attack")
        waiting = ui.spinner(size="md")
        waiting.set_visibility(False)
    wrong = problem().mark("attack-problem")
    place = ui.column().classes("w-full gap-2").mark("attack-found")

    async def attack() -> None:
        say(wrong, "")
        place.clear()
        if sample.value is None or not 0 < sample.value <= 100:
            say(wrong, f"{sample.value} is no share of the people: give a number above 0, up to 100.")
            return
        button.disable()
        waiting.set_visibility(True)
        try:
            found = await bench.attack(shown, [str(name) for name in known.value or []], float(sample.value) / 100)
        except (WorkError, shoal.ShoalError) as error:
            say(wrong, str(error))
        else:
            with place:
                _show(found)
        finally:
            waiting.set_visibility(False)
            button.enable()

    button.on_click(attack)


def _show(found: dict[str, Any]) -> None:
    for sentence in attack_words(found):
        ui.label(sentence).classes("text-base max-w-4xl").mark("attack-sentence")
    with ui.element("table").classes("text-sm mt-1"):
        with ui.element("tr").classes("text-left opacity-70"):
            for head in ("", "in the original", "in the release"):
                with ui.element("th").classes("py-1 pr-6 font-normal"):
                    ui.label(head)
        for name, before, after, meaning in attack_figures(found):
            with ui.element("tr").classes("border-t border-gray-500/30 cursor-help").props("tabindex=0") as line:
                for text in (name, before, after):
                    with ui.element("td").classes("py-1 pr-6"):
                        ui.label(text)
            hint(line, meaning)


def attack_words(found: dict[str, Any]) -> list[str]:
    """What came of an attack, in sentences."""
    before, after = found["original"], found["released"]
    people = found["people"]
    sentences = [
        f"Of {people:,} people, {before['linked']:,} were found in the original, {after['linked']:,} in the release."
    ]
    for name, learned in after["learned"].items():
        sentences.append(
            f"The {name} of {before['learned'][name]['certain']:,} could be told for certain from the original, "
            f"of {learned['certain']:,} from the release."
        )
    if after["linked"]:
        sentences.append(
            "Some are still found: the attacker knows columns that are released as they are. Make them "
            "quasi-identifying on the Data page, or identifying, which removes them."
        )
    unread = {name: labels for name, labels in found["unread"].items() if labels}
    for name, labels in unread.items():
        sentences.append(
            f"Some labels of {name} could not be read, such as {labels[0]!r}: rows that show them were ruled out."
        )
    return sentences


def attack_figures(found: dict[str, Any]) -> list[tuple[str, str, str, str]]:
    """The figures of an attack: their names, before, after, and what they mean."""
    both = (found["original"], found["released"])
    lines = [
        ("people found", *(f"{one['linked']:,} ({percent(one['linked'] / found['people'])})" for one in both)),
        ("fewest rows", *(f"{one['smallest']:,}" for one in both)),
        ("rows on average", *(f"{one['average']:,.1f}" for one in both)),
    ]
    figures = [(name, before, after, FIGURES[name]) for name, before, after in lines]
    for name in found["released"]["learned"]:
        learned = [one["learned"][name] for one in both]
        certain = [f"{one['certain']:,} ({percent(one['certain'] / found['people'])})" for one in learned]
        guessed = [percent(one["average_confidence"]) for one in learned]
        for (what, meaning), (before, after) in zip(LEARNED.items(), (certain, guessed), strict=True):
            figures.append((f"{name}: {what}", before, after, meaning.format(name=name)))
    return figures
