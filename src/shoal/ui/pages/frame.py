"""The frame of the workbench: the six steps, light and dark mode, keys, and the guide of a first run."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from nicegui import events, ui

from shoal.ui.pages.data import data_page
from shoal.ui.pages.elements import icon_button
from shoal.ui.pages.explore import explore_page
from shoal.ui.pages.hierarchies import hierarchies_page
from shoal.ui.pages.protection import protection_page
from shoal.ui.pages.release import release_page
from shoal.ui.pages.run import run_page
from shoal.ui.state.workbench import Workbench

if TYPE_CHECKING:
    from shoal.ui.server.visitors import Visitor

Update = Callable[[], None]


class Step(NamedTuple):
    """A step of the workbench: its title, its icon, its page, and the guide of a first run."""

    title: str
    icon: str
    page: Callable[[Workbench], Update | None]
    guide: str


STEPS = {
    "data": Step(
        "Data",
        "table_rows",
        data_page,
        "This is the Adult table: 32,561 people from a census. Each column has a role: what others may know about a "
        "person is quasi-identifying, and what must not be learned is sensitive. Point at a reason to see more.",
    ),
    "hierarchies": Step(
        "Hierarchies",
        "account_tree",
        hierarchies_page,
        "A hierarchy says how a value is generalized: Bachelors → Higher education → *. Look at education. Age has "
        "none, so it becomes free ranges; if you like, choose custom bounds for it and drag them.",
    ),
    "protection": Step(
        "Protection",
        "shield",
        protection_page,
        "Every person must look like at least nine others (k = 10), with three different occupations among them "
        "(ℓ = 3). Move a slider to see how many rows of the original are at risk.",
    ),
    "run": Step(
        "Run",
        "play_arrow",
        run_page,
        "Click Make a release. It takes less than a minute. Then try another algorithm or another k, and compare.",
    ),
    "explore": Step(
        "Explore",
        "insights",
        explore_page,
        "See what is lost, and what an attacker can still learn: rows before and after, distributions, risks.",
    ),
    "release": Step(
        "Release",
        "download",
        release_page,
        "Download the release with its report, and the script that makes it again, byte for byte.",
    ),
}
STYLE = """
body.body--dark { --q-primary: #56a8d6 !important; --q-negative: #ef6c6c !important; --q-positive: #66bb6a !important;
  --q-warning: #ffb74d !important; }
.shoal-head { background: #0f5278; color: white }
.q-table td, .q-table th { font-size: 13px }
.shoal-roles .q-field__control, .shoal-roles .q-field__native, .shoal-roles .q-field__append
  { min-height: 26px !important; height: 26px; font-size: 13px }
.shoal-roles td:first-child, .q-item .q-item__label { max-width: 15em; overflow: hidden; text-overflow: ellipsis }
.q-notification .q-btn { color: white !important }
.shoal-roles td { height: 30px !important }
"""
KEYS = "1 to 6: the steps; d: light or dark mode; ?: this list. Tab and Enter reach everything else."


def frame(visitor: Visitor) -> None:
    """Build the whole page for a visitor, at their last step."""
    bench = visitor.bench
    updates: list[Update] = []
    dark = ui.dark_mode(visitor.dark)
    ui.colors(primary="#11638f", positive="#2e7d32", negative="#c62828", warning="#b26a00")
    ui.add_css(STYLE)
    ui.query(".nicegui-content").classes("p-3 gap-2")

    @ui.refreshable
    def content() -> None:
        updates.clear()
        if bench.guided:
            _guide(bench.step)
        update = STEPS[bench.step].page(bench)
        if update is not None:
            updates.append(update)
        _next_button(bench.step, go)

    def go(step: str) -> None:
        bench.step = step
        tabs.set_value(step)

    def changed(event: events.ValueChangeEventArguments[Any]) -> None:
        bench.step = str(event.value)
        content.refresh()

    async def toggle_dark() -> None:
        now = dark.value
        if now is None:  # the setting of the machine, which only the browser knows
            now = await ui.run_javascript("Quasar.Dark.isActive")
        visitor.dark = not now
        dark.set_value(visitor.dark)

    def show_keys() -> None:
        ui.notify(KEYS, position="top", timeout=8000, close_button="OK")

    async def typed(event: events.KeyEventArguments) -> None:
        if not event.action.keydown or event.modifiers.ctrl or event.modifiers.alt or event.modifiers.meta:
            return
        key = event.key.name
        if key in ("1", "2", "3", "4", "5", "6"):
            go(list(STEPS)[int(key) - 1])
        elif key == "d":
            await toggle_dark()
        elif key == "?":
            show_keys()

    with ui.header().classes("items-center gap-3 py-1 px-3 shoal-head").props("elevated=false"):
        ui.label("shoal").classes("text-lg font-semibold tracking-wide")
        with ui.tabs().props("dense inline-label no-caps").mark("steps") as tabs:
            for number, (name, step) in enumerate(STEPS.items(), start=1):
                ui.tab(name, label=f"{number} {step.title}", icon=step.icon).mark(f"step-{name}")
        tabs.set_value(bench.step)
        tabs.on_value_change(changed)
        ui.space()
        about = ui.label().classes("text-sm opacity-90 ellipsis max-w-xs").mark("about")
        icon_button("keyboard", f"Keys: {KEYS}", show_keys, marker="keys").props("color=white")
        icon_button("dark_mode", "Light or dark mode (d)", toggle_dark, marker="dark").props("color=white")

    shown = bench.opened

    def refresh() -> None:
        nonlocal shown
        if shown != bench.opened:
            shown = bench.opened
            content.refresh()
        about.set_text(f"{Path(bench.project.data).name} · {bench.rows:,} rows" if bench.facts else "no table yet")
        for update in list(updates):
            update()

    content()
    refresh()
    ui.keyboard(on_key=typed, ignore=["input", "select", "textarea"])
    bench.listen(refresh)
    ui.context.client.on_delete(lambda: bench.forget(refresh))


def _guide(step: str) -> None:
    """Show the guide of a first run at a step."""
    number = list(STEPS).index(step)
    with ui.card().classes("w-full bg-primary/10 py-2 px-3 gap-1").props("flat bordered").mark("guide"):
        ui.label(f"First run, step {number + 1} of {len(STEPS)}").classes("text-xs uppercase opacity-70")
        ui.label(STEPS[step].guide).classes("text-sm max-w-4xl")


def _next_button(step: str, go: Callable[[str], None]) -> None:
    later = list(STEPS)[list(STEPS).index(step) + 1 :]
    with ui.row().classes("w-full justify-end"):
        if later:
            button = ui.button(f"Next: {STEPS[later[0]].title}", icon="arrow_forward", on_click=lambda: go(later[0]))
            button.props("no-caps outline").mark("next")
