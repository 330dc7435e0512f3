"""Attack: an attacker who knows some facts about people looks for them in the release."""

from __future__ import annotations

from typing import Any

from nicegui import ui

import shoal
from shoal.ui.pages.elements import before_after_table, hint, percent, problem, set_problem, title
from shoal.ui.state.runs import Run
from shoal.ui.state.workbench import Workbench
from shoal.ui.state.worker import WorkError

FOUND = "People whom exactly one row matches, so it is theirs."
FEWEST = "The fewest rows that match a person; a suppressed row matches everybody."
AVERAGE = "The average number of rows that match a person."
CERTAIN = "People whose matching rows all have the same {name}, learned without finding theirs."
GUESSED = "How often the most frequent {name} among a person's matching rows is correct, on average."


def attack_part(bench: Workbench, shown: Run) -> None:
    """Choose what the attacker knows, and see what they find."""
    project = shown.project
    title(
        "Try an attack",
        "The attacker knows the original values of some columns for some people, and looks for their rows.",
    )
    names = [*project.quasi, *project.having("other")]
    with ui.row().classes("items-center gap-3"):
        known = ui.select(names, value=list(project.quasi), multiple=True, label="what the attacker knows")
        known.props("dense options-dense use-chips").classes("min-w-80 max-w-3xl").mark("known")
        hint(known, "The attacker may also know columns that are released unchanged: see how much they reveal.")
        sample = ui.number("known people, in %", value=10, min=0.01, max=100, step=1).props("dense").classes("w-36")
        sample.mark("sample")
        hint(sample, "The share of people whom the attacker looks for, drawn at random.")
        button = ui.button("Attack", icon="person_search").props("no-caps").mark("attack")
        waiting = ui.spinner(size="md")
        waiting.set_visibility(False)
    wrong = problem().mark("attack-problem")
    place = ui.column().classes("w-full gap-2").mark("attack-found")

    async def attack() -> None:
        set_problem(wrong, "")
        place.clear()
        if sample.value is None or not 0 < sample.value <= 100:
            set_problem(wrong, f"{sample.value} % is not a share of the people: give a number above 0, up to 100.")
            return
        button.disable()
        waiting.set_visibility(True)
        try:
            result = await bench.attack(shown, [str(name) for name in known.value or []], float(sample.value) / 100)
        except (WorkError, shoal.ShoalError) as error:
            set_problem(wrong, str(error))
        else:
            with place:
                _show(result)
        finally:
            waiting.set_visibility(False)
            button.enable()

    button.on_click(attack)


def _show(result: dict[str, Any]) -> None:
    for sentence in attack_words(result):
        ui.label(sentence).classes("text-base max-w-4xl").mark("attack-sentence")
    before_after_table(("", "in the original", "in the release"), attack_figures(result)).classes("mt-1")


def attack_words(result: dict[str, Any]) -> list[str]:
    """Describe the result of an attack in sentences."""
    before, after = result["original"], result["released"]
    sentences = [
        f"Of {result['people']:,} people, {before['linked']:,} were found in the original, "
        f"{after['linked']:,} in the release."
    ]
    sentences += [
        f"The {name} of {before['learned'][name]['certain']:,} people is certain from the original, "
        f"and of {learned['certain']:,} from the release."
        for name, learned in after["learned"].items()
    ]
    if after["linked"]:
        sentences.append(
            "Some people are still found, because the attacker knows columns that are released unchanged. On the Data "
            "page, make them quasi-identifying, or identifying, which removes them."
        )
    sentences += [
        f"Some labels of {name} could not be read, such as {labels[0]!r}: rows with them were ruled out."
        for name, labels in result["unread"].items()
        if labels
    ]
    return sentences


def attack_figures(result: dict[str, Any]) -> list[tuple[str, ...]]:
    """Return the figures of an attack: name, before, after, and meaning."""
    both = (result["original"], result["released"])

    def people(number: int) -> str:
        return f"{number:,} ({percent(number / result['people'])})"

    figures: list[tuple[str, ...]] = [
        ("people found", *(people(side["linked"]) for side in both), FOUND),
        ("fewest rows", *(f"{side['smallest']:,}" for side in both), FEWEST),
        ("rows on average", *(f"{side['average']:,.1f}" for side in both), AVERAGE),
    ]
    for name in result["released"]["learned"]:
        learned = [side["learned"][name] for side in both]
        certain = [people(side["certain"]) for side in learned]
        guessed = [percent(side["average_confidence"]) for side in learned]
        figures += [
            (f"{name}: known with certainty", *certain, CERTAIN.format(name=name)),
            (f"{name}: best guess correct", *guessed, GUESSED.format(name=name)),
        ]
    return figures
