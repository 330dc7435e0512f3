"""The form of each generalization method: a few fields that make a spelling, applied as they change."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from decimal import Decimal, InvalidOperation

from nicegui import events, ui

import shoal
from shoal.ui.charts.histogram import HEIGHT, WIDTH, draw, histogram, text_of
from shoal.ui.pages.bounds_editor import BoundsEditor
from shoal.ui.state.places import upload_name
from shoal.ui.state.workbench import Workbench
from shoal.ui.trees import bounds
from shoal.ui.trees.methods import DATE_LEVELS, Counts, parts

Apply = Callable[[str], Awaitable[str]]
Accept = Callable[[shoal.Hierarchy], Awaitable[str]]

MAX_FILE_SIZE = 20_000_000  # bytes
MAX_LINES = 60  # interval bounds that are drawn


def first_spelling(method: str, counts: Counts, suggested: list[str]) -> str:
    """Return the spelling to start with when a method is chosen."""
    suggestion = next((spelling for spelling in suggested if spelling.partition(":")[0] == method), None)
    if suggestion:
        return suggestion
    if method == "intervals":
        width = text_of((histogram(counts).step * 5).normalize())
        return f"intervals:{width},{text_of(Decimal(width) * 2)}"
    if method == "cuts":
        return bounds.spelling(bounds.first_bounds(counts, histogram(counts)))
    if method == "ordered":
        return "ordered:" + ",".join(counts)
    return f"{method}:2" if method.startswith("by-") else method


def show_form(method: str, spelling: str, counts: Counts, apply: Apply) -> None:
    """Show the fields of a method, filled from a spelling."""
    rest = spelling.partition(":")[2]
    if method == "intervals":
        _intervals(rest, counts, apply)
    elif method == "cuts":
        BoundsEditor(counts, bounds.read_spelling(spelling), apply)
    elif method == "prefix":
        _prefix(rest, apply)
    elif method == "dates":
        _dates(rest, apply)
    elif method in ("by-order", "by-frequency"):
        _fanout(method, rest, apply)
    elif method == "ordered":
        _order(rest, apply)


def _prefix(rest: str, apply: Apply) -> None:
    async def changed() -> None:
        typed = parts(field.value or "")
        field.error = await apply(f"prefix:{','.join(typed)}" if typed else "prefix") or None

    label = "Characters to hide at each level (empty: one more each time)"
    field = ui.input(label, value=", ".join(parts(rest)), placeholder="2, 4", on_change=changed)
    field.props("dense outlined debounce=400 hide-bottom-space").classes("w-96").mark("steps")


def _intervals(rest: str, counts: Counts, apply: Apply) -> None:
    spelled_widths, _, origin = rest.partition("@")
    shape = histogram(counts)

    def lines() -> str:
        """Draw the bounds of the narrowest intervals, if they are not too many."""
        try:
            size, start = Decimal(parts(widths.value or "")[0]), Decimal(first.value or "0")
            number = (Decimal(repr(shape.end)) - Decimal(repr(shape.start))) / size
        except (InvalidOperation, ZeroDivisionError, IndexError):
            return draw(shape, [])
        if not 0 < number <= MAX_LINES:
            return draw(shape, [])
        least = ((Decimal(repr(shape.start)) - start) / size).to_integral_value(rounding="ROUND_CEILING")
        return draw(shape, [[start + (least + place) * size for place in range(int(number) + 1)]])

    async def changed() -> None:
        picture.content = lines()
        start = (first.value or "").strip()
        spelling = f"intervals:{','.join(parts(widths.value or ''))}" + (f"@{start}" if start not in ("", "0") else "")
        error = await apply(spelling) or None
        first.error, widths.error = (error, None) if error and "origin" in error else (None, error)

    picture = ui.interactive_image(size=(WIDTH, HEIGHT)).classes("w-full").style(f"max-width: {WIDTH}px")
    picture.props("role=img aria-label='Histogram of the column with the narrowest intervals'").mark("histogram")
    ui.label(shape.caption).classes("text-caption opacity-70")
    with ui.row().classes("items-start gap-2"):
        widths = ui.input("Widths, level by level", value=", ".join(parts(spelled_widths)), on_change=changed)
        widths.props("dense outlined debounce=400 hide-bottom-space").classes("w-72").mark("widths")
        first = ui.input("Start at", value=origin or "0", on_change=changed)
        first.props("dense outlined debounce=400 hide-bottom-space").classes("w-32").mark("origin")
        with first:
            ui.tooltip("A number at which an interval starts: 16 with width 5 gives 16-20, 21-25, …")
    picture.content = lines()


def _dates(rest: str, apply: Apply) -> None:
    chosen = parts(rest) or list(DATE_LEVELS)

    async def changed() -> None:
        levels = [level for level in DATE_LEVELS if boxes[level].value]
        message.text = "" if levels else "Tick at least one level."
        if levels:
            spelling = "dates" if len(levels) == len(DATE_LEVELS) else f"dates:{','.join(levels)}"
            message.text = await apply(spelling)

    with ui.row().classes("items-center gap-3"):
        boxes = {
            level: ui.checkbox(level, value=level in chosen, on_change=changed).props("dense").mark(f"level-{level}")
            for level in DATE_LEVELS
        }
    message = ui.label().classes("text-negative text-caption").props("role=alert")


def _fanout(method: str, rest: str, apply: Apply) -> None:
    async def changed() -> None:
        value = field.value
        typed = "" if value is None else f"{value:g}"
        field.error = await apply(f"{method}:{typed}") if typed else "Type a number: 2 or more."
        field.error = field.error or None

    start = int(rest) if rest.isdecimal() else 2
    field = ui.number("Values or groups in a group", value=start, min=2, step=1, format="%d", on_change=changed)
    field.props("dense outlined debounce=300 hide-bottom-space").classes("w-56").mark("fanout")


def _order(rest: str, apply: Apply) -> None:
    async def changed() -> None:
        values = [value.strip() for value in (field.value or "").replace("\n", ",").split(",")]
        field.error = await apply("ordered:" + ",".join(value for value in values if value)) or None

    label = "From the lowest to the highest, separated by commas"
    field = ui.textarea(label, value=rest.replace(",", ", "), on_change=changed)
    field.props("dense outlined autogrow debounce=500 hide-bottom-space").classes("w-full").mark("order")


def show_upload(bench: Workbench, accept: Accept) -> None:
    """Show an upload of a hierarchy file, with its errors below."""

    async def uploaded(event: events.UploadEventArguments) -> None:
        message.text = ""
        if event.file.size() > MAX_FILE_SIZE:
            too_large()
            return
        place = bench.place_for(upload_name(event.file.name))
        await event.file.save(place)
        try:
            tree = await bench.read_hierarchy(place)
        except shoal.ShoalError as error:
            message.text = str(error)
            chooser.reset()
            return
        await accept(tree)

    def too_large() -> None:
        message.text = f"The file is larger than {MAX_FILE_SIZE // 1_000_000} MB: a hierarchy has one line per value."

    chooser = ui.upload(
        label="A hierarchy file (txt or csv)",
        auto_upload=True,
        max_files=1,
        max_file_size=MAX_FILE_SIZE,
        on_upload=uploaded,
        on_rejected=too_large,
    )
    chooser.props("flat bordered").classes("w-96").mark("upload")
    message = ui.label().classes("text-negative text-caption").props("role=alert").mark("upload-message")
