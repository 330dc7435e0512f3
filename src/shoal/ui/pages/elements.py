"""Small elements that the pages share."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from nicegui import ui

from shoal.ui.state.workbench import Workbench


def hint(element: ui.element, meaning: str) -> None:
    """Describe an element, in a tooltip and for screen readers."""
    element.props(f'aria-description="{_quoted(meaning)}"')
    with element:
        ui.tooltip(meaning).classes("text-sm max-w-sm whitespace-normal")


def figure(value: str, name: str, meaning: str) -> ui.label:
    """Show a number with its name below, and its meaning on hover; return the label of the number."""
    with ui.column().classes("gap-0 items-start min-w-24 cursor-help").props("tabindex=0") as whole:
        shown = ui.label(value).classes("text-xl font-medium leading-tight")
        ui.label(name).classes("text-xs opacity-70")
    hint(whole, meaning)
    return shown


def loss_figures(report: Mapping[str, Any]) -> None:
    """Show the loss of a release, and what reports to publish show in its place if rows are suppressed."""
    figure(
        f"{report['metrics']['loss']:.4f}", "loss (LM)", "How much is lost: 0 keeps every value, 1 hides everything."
    )
    if report["by_released_values"] is not None:
        meaning = "The same by the values of rows that are not suppressed, as in reports to publish."
        figure(f"{report['by_released_values']['loss']:.4f}", "loss (LM) by released values", meaning)


def problem(text: str = "") -> ui.label:
    """Show an error beside its cause; it is hidden if the text is empty."""
    label = ui.label().classes("text-red-700 dark:text-red-300 text-sm whitespace-pre-wrap break-words max-w-3xl")
    set_problem(label.props("role=alert"), text)
    return label


def set_problem(label: ui.label, text: str) -> None:
    """Change the text of an error; an empty text hides it."""
    label.set_text(text)
    label.set_visibility(bool(text))


def title(text: str, meaning: str = "") -> None:
    """Show the title of a part of a page, with a sentence about its purpose."""
    ui.label(text).classes("text-base font-medium mt-1").props("role=heading aria-level=2")
    if meaning:
        ui.label(meaning).classes("text-sm opacity-70 -mt-2 max-w-4xl")


def icon_button(icon: str, meaning: str, on_click: Callable[..., object], *, marker: str) -> ui.button:
    """Show a small round button whose tooltip says what it does."""
    button = ui.button(icon=icon, on_click=on_click).props(f'flat round dense aria-label="{_quoted(meaning)}"')
    hint(button, meaning)
    return button.mark(marker)


def chart(options: dict[str, Any], meaning: str, *, height: str, marker: str) -> ui.echart:
    """Show a chart, with a description for screen readers."""
    picture = ui.echart(options, renderer="svg").classes("w-full").style(f"height: {height}").mark(marker)
    return picture.props(f'role=img aria-label="{_quoted(meaning)}"')


def draw_again(picture: ui.echart, options: dict[str, Any]) -> None:
    """Show other options in a chart."""
    picture.options.clear()
    picture.options.update(options)
    picture.update()


def table_columns(labels: Mapping[str, str], **options: Any) -> list[dict[str, Any]]:
    """Return the columns of a table, by the names of their fields."""
    return [{"name": name, "label": label, "field": name, "align": "left"} | options for name, label in labels.items()]


def note(text: str = "") -> ui.label:
    """Show a remark in pale letters."""
    return ui.label(text).classes("text-sm opacity-70")


def go_to(bench: Workbench, step: str) -> None:
    """Load the page of another step."""
    bench.step = step
    ui.navigate.reload()


def before_after_table(
    heads: tuple[str, str, str], lines: Iterable[tuple[str, ...]], *, marker: str = ""
) -> ui.element:
    """Show lines of a name and its values before and after, each with its meaning on hover."""
    with ui.element("table").classes("text-sm").mark(marker) as table:
        with ui.element("tr").classes("text-left opacity-70"):
            for head in heads:
                with ui.element("th").classes("py-0.5 pr-5 font-normal"):
                    ui.label(head)
        for *cells, meaning in lines:
            with ui.element("tr").classes("border-t border-gray-500/30 cursor-help").props("tabindex=0") as row:
                for text in cells:
                    with ui.element("td").classes("py-0.5 pr-5"):
                        ui.label(text)
            hint(row, meaning)
    return table


def enable(button: ui.button, on: bool) -> None:
    """Enable or disable a button."""
    button.set_enabled(on)
    button.props(f"color={'primary' if on else 'grey'}")


def percent(share: float) -> str:
    """Write a share as a percentage; 0 % and 100 % are exact."""
    if share in (0, 1):
        return f"{100 * share:.0f} %"
    return "< 0.1 %" if share < 0.001 else "> 99.9 %" if share > 0.999 else f"{100 * share:.1f} %"


def _quoted(text: str) -> str:
    return text.replace('"', "”").replace("\\", "/").replace("\n", " ")
