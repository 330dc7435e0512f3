"""Step 3, Protection: what every class of the release must satisfy, and the algorithm."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from nicegui import events, ui

import shoal
from shoal.ui.pages.elements import figure, hint, note, percent, problem, set_problem, title
from shoal.ui.state.models import Offer, offers
from shoal.ui.state.project import algorithms, parameters_of, weighted
from shoal.ui.state.workbench import Workbench

EFFORTS = {
    "": "by default",
    "fast": "fast (seconds)",
    "balanced": "balanced",
    "best": "best (minutes)",
    "2": "2 seconds",
    "10": "10 seconds",
    "60": "60 seconds",
}
CARDS = "grid grid-cols-1 lg:grid-cols-3 gap-2 w-full"
WEIGHTS = {"0 or more": lambda value: _is_weight(value)}


def protection_page(bench: Workbench) -> Callable[[], None] | None:
    """Show the models, the suppression limit and the algorithm."""
    if bench.facts is None:
        ui.label("There is no table yet: open one on the Data page.").mark("empty")
        return None
    figures = _at_risk(bench)
    title(
        "What every class must satisfy",
        "All models that are switched on must hold. Click “formula” to see the definition.",
    )
    main = [offer for offer in offers().values() if offer.form.option]
    others = [offer for offer in offers().values() if not offer.form.option]
    with ui.element("div").classes(CARDS):
        updates = [figures, *(_card(bench, offer) for offer in main)]
    opened = any(offer.key in bench.project.models for offer in others)
    more = ui.expansion("More models", icon="tune", value=opened).classes("w-full").props("dense").mark("more-models")
    with more, ui.element("div").classes(CARDS):
        updates += [_card(bench, offer) for offer in others]
    updates.append(_population(bench))
    _limits(bench)
    _search(bench)

    def update() -> None:
        for update_part in updates:
            update_part()

    update()
    return update


def _at_risk(bench: Workbench) -> Callable[[], None]:
    """Show the rows of the original table that are at risk, by all models together."""
    with ui.row().classes("gap-6 items-end"):
        together = figure(
            "…", "rows at risk now", "Rows of the original table in classes that fail a model that is switched on."
        )
        least = figure("…", "k of the original", "Rows of the smallest class of the original table.")
        unique = figure("…", "rows unique", "Rows whose quasi-identifiers no other row shares.")
    wrong = problem().mark("risks-problem")

    def update() -> None:
        risks = bench.risks
        set_problem(wrong, bench.risks_problem)
        failing = None if risks is None else risks.together
        together.set_text(f"{failing:,} ({percent(failing / bench.rows)})" if failing is not None else "–")
        least.set_text(f"{risks.k:,}" if risks else "–")
        unique.set_text(f"{risks.unique:,}" if risks else "–")

    return update


def _card(bench: Workbench, offer: Offer) -> Callable[[], None]:
    """Show a model: a switch, its promise, its sliders, and the rows of the original that fail it."""
    with ui.card().classes("gap-1 py-2 px-3 min-w-0").props("flat bordered"):
        with ui.row().classes("w-full items-center no-wrap gap-2"):
            switch = ui.switch(offer.title, value=offer.key in bench.project.models).mark(f"model-{offer.key}")
            switch.classes("font-medium")
            ui.space()
            formula = ui.button("formula").props("flat dense no-caps size=sm").mark(f"formula-{offer.key}")
            hint(formula, offer.form.formula)
        promise = ui.label().classes("text-sm opacity-80")
        shown = ui.label(offer.form.formula).classes("text-sm font-mono bg-primary/10 rounded px-2 py-1")
        shown.set_visibility(False)
        formula.on_click(lambda: shown.set_visibility(not shown.visible))
        with ui.column().classes("w-full gap-0") as sliders:
            for parameter in offer.form.parameters:
                _slider(bench, offer, parameter)
        risk = ui.label().classes("text-sm").mark(f"at-risk-{offer.key}")
        hint(risk, "Rows of the original table in classes that fail this model.")
        wrong = problem()

    def changed(event: events.ValueChangeEventArguments[Any]) -> None:
        if event.value:
            bench.project.models.setdefault(offer.key, offer.checked({}))
        else:
            bench.project.models.pop(offer.key, None)
        bench.changed()

    switch.on_value_change(changed)

    def update() -> None:
        on = offer.key in bench.project.models
        promise.set_text(offer.promise(offer.checked(bench.project.models.get(offer.key, {})), bench.project.sensitive))
        sliders.set_visibility(on)
        risk.set_visibility(on)
        set_problem(wrong, bench.risks.refused.get(offer.key, "") if on and bench.risks else "")
        failing = bench.risks.at_risk.get(offer.key) if bench.risks else None
        if failing is None or bench.risks is None:
            risk.set_text("")
        elif failing:
            risk.set_text(f"At risk now: {failing:,} rows ({percent(failing / bench.risks.rows)})")
        else:
            risk.set_text("Holds already in the original table.")

    return update


def _slider(bench: Workbench, offer: Offer, parameter: shoal.models.Parameter) -> None:
    """Show a slider, and a field to type the number, also beyond the end of the slider."""
    value = offer.checked(bench.project.models.get(offer.key, {}))[parameter.name]
    name = {"l": "ℓ", "alpha": "α", "beta": "β", "delta": "δ"}.get(parameter.name, parameter.name)
    setting = False  # True while one of the two sets the other, which is not a choice of the user

    def within(number: float) -> float:
        return min(max(number, parameter.low), parameter.high)

    def take(number: float) -> None:
        nonlocal setting
        if setting or offer.key not in bench.project.models:
            return
        bench.project.models[offer.key] = offer.checked(bench.project.models[offer.key] | {parameter.name: number})
        setting = True
        field.set_value(offer.checked({parameter.name: number})[parameter.name])
        slider.set_value(within(number))
        setting = False
        bench.changed()

    def typed(event: events.ValueChangeEventArguments[Any]) -> None:
        if parameter.allows(event.value):
            take(float(event.value))

    with ui.row().classes("w-full items-center no-wrap gap-3"):
        ui.label(name).classes("w-10 text-right font-mono")
        slider = ui.slider(min=parameter.low, max=parameter.high, step=parameter.step, value=within(value))
        slider.classes("grow").mark(f"slider-{offer.key}-{parameter.name}")
        slider.props(f'label aria-label="{offer.title}: {parameter.meaning}"')
        slider.on_value_change(lambda event: take(float(event.value)))
        allowed: dict[str, Any] = {parameter.limits: parameter.allows}
        field = ui.number(value=value, step=parameter.step, on_change=typed, validation=allowed)
        field.props("dense").classes("w-28").mark(f"number-{offer.key}-{parameter.name}")
        field.props(f'aria-label="{offer.title}: {parameter.meaning}"')
        hint(field, parameter.meaning)


def _population(bench: Workbench) -> Callable[[], None]:
    """A field for the population table, shown if a chosen model needs one."""
    with ui.row().classes("w-full items-center gap-2") as row:
        field = ui.input("population table: a path on this machine, or the address of a database table")
        field.props("dense").classes("grow").mark("population")
        field.set_value(bench.project.population)
    wrong = problem().mark("population-problem")

    def take() -> None:
        try:
            if bench.may_open is None:
                raise shoal.InputError("No files of this machine can be opened here: start shoal ui with --folder.")
            bench.project.population = bench.may_open(str(field.value).strip()) if field.value else ""
        except shoal.ShoalError as error:
            set_problem(wrong, str(error))
            return
        set_problem(wrong, "")
        bench.changed()

    field.on("blur", take)
    field.on("keydown.enter", take)

    def update() -> None:
        known = offers()
        row.set_visibility(any(known[key].model.uses_population for key in bench.project.models))

    return update


def _limits(bench: Workbench) -> None:
    """Show how many rows may be suppressed."""
    title("Suppression", "Rows that fit into no class may be suppressed (all their values hidden), up to a limit.")
    project = bench.project

    def words() -> str:
        return f"at most {int(project.max_suppression * bench.rows):,} of {bench.rows:,} rows"

    def limited(event: events.ValueChangeEventArguments[Any]) -> None:
        project.max_suppression = min(1.0, max(0.0, float(event.value or 0) / 100))
        limit.set_text(words())
        bench.changed()

    with ui.row().classes("items-center gap-4"):
        slider = ui.slider(min=0, max=20, step=0.5, value=project.max_suppression * 100, on_change=limited)
        slider.classes("w-64").props('label aria-label="suppression limit in percent"').mark("suppression")
        limit = ui.label(words()).classes("text-sm")
        hint(limit, "Full-domain algorithms suppress rows, local recoding only to lose less, Mondrian never.")
        choices = {"usual": "as usual", "keep": "keep them, all values hidden", "drop": "leave them out"}
        toggle = ui.toggle(choices, value=project.suppressed).props("dense no-caps").mark("suppressed")
        toggle.on_value_change(lambda event: setattr(project, "suppressed", event.value))
        hint(toggle, "As usual: suppressed rows are kept, except by Samarati's algorithm, which leaves them out.")


def _search(bench: Workbench) -> None:
    """Show the algorithm, its effort, the time limit, and the weights of the columns."""
    project = bench.project
    title("Algorithm")

    @ui.refreshable
    def weights() -> None:
        if "weights" not in parameters_of(project.algorithm):
            note(f"The weight of a column can be set for {weighted()}.")
            return
        with ui.row().classes("gap-3 items-center"):
            label = ui.label("weights of columns").classes("text-sm")
            hint(label, "3: detail in this column is worth three times that of the others; 0: it may be lost.")
            for name in bench.quasi:
                field = ui.number(name, value=project.weights.get(name, 1), step=0.5, validation=WEIGHTS)
                field.props("dense").classes("w-28").mark(f"weight-{name}")
                field.on_value_change(lambda event, name=name: _weigh(project.weights, name, event.value))

    def chosen(event: events.ValueChangeEventArguments[Any]) -> None:
        project.algorithm, project.levels = str(event.value), {}
        effort.set_visibility("effort" in parameters_of(project.algorithm))
        if "weights" not in parameters_of(project.algorithm):
            project.weights = {}
        weights.refresh()

    def timed(event: events.ValueChangeEventArguments[Any]) -> None:
        if positive(event.value):
            project.seconds = float(event.value) if event.value else None

    with ui.row().classes("items-center gap-3"):
        choice = ui.select(algorithms(), value=project.algorithm, label="algorithm", on_change=chosen)
        choice.props("dense").classes("w-96").mark("algorithm")
        effort = ui.select(EFFORTS, value=project.effort, label="effort").props("dense").classes("w-40").mark("effort")
        effort.on_value_change(lambda event: setattr(project, "effort", event.value))
        effort.set_visibility("effort" in parameters_of(project.algorithm))
        limit = ui.number("time limit (s)", value=project.seconds, step=10, on_change=timed).props("dense clearable")
        limit.classes("w-36").mark("seconds")
        hint(
            limit, "After this many seconds the best release so far is taken, as soon as there is one. Empty: no limit."
        )
        seed = ui.number("seed", value=project.seed, min=0, step=1, precision=0)
        seed.props("dense").classes("w-24").mark("seed")
        seed.on_value_change(lambda event: setattr(project, "seed", int(event.value or 0)))
        hint(seed, "For randomized algorithms: the same seed gives the same release.")
    weights()


def positive(value: float | None) -> bool:
    """Whether a number of seconds is empty or reasonable."""
    return value is None or 0 < value < 10**7


def _weigh(weights: dict[str, float], name: str, value: float | None) -> None:
    if value is None or _is_weight(value):
        weights[name] = 1.0 if value is None else float(value)


def _is_weight(value: float | None) -> bool:
    return value is None or 0 <= value <= 10**6
