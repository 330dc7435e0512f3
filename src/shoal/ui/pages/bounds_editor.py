"""Custom bounds: a histogram on which bounds are dragged with the mouse, and fields to type them, level by level."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from decimal import Decimal

from nicegui import events, ui

import shoal
from shoal.ui.charts.histogram import HEIGHT, WIDTH, draw, histogram
from shoal.ui.trees import bounds
from shoal.ui.trees.bounds import Levels
from shoal.ui.trees.methods import Counts

Apply = Callable[[str], Awaitable[str]]
# Mouse moves are sent only while the button is pressed.
PRESSED = "(event) => { if (event.mouse_event_type !== 'mousemove' || event.buttons === 1) emit(event); }"
HINT = "Drag a bound, or double-click to add one. Bounds of higher levels are thicker."


class BoundsEditor:
    """The bounds of a numeric column; `apply` takes each new spelling and returns the error, if any."""

    def __init__(self, counts: Counts, levels: Levels, apply: Apply) -> None:
        self.counts, self.levels, self.apply = counts, levels, apply
        self.shape = histogram(counts)
        self.chosen: int | None = None
        self.dragging = False
        self.fields: list[ui.input] = []
        self.picture = ui.interactive_image(
            size=(WIDTH, HEIGHT), events=["mousedown", "mousemove", "mouseup", "mouseleave", "dblclick"]
        )
        self.picture.classes("w-full").style(f"max-width: {WIDTH}px; cursor: ew-resize")
        label = "Histogram of the column with the bounds of level 1, which can be typed below"
        self.picture.props(f"role=img aria-label='{label}'").mark("histogram")
        self.picture.on("mouse", self._mouse, js_handler=PRESSED)
        ui.label(f"{HINT} {self.shape.caption}").classes("text-caption opacity-70")
        with ui.row().classes("items-center gap-1"):
            _button("Add a bound", self._add).mark("add-bound")
            self.remover = _button("Remove", self._remove).mark("remove-bound")
            _button("Add a level", self._add_level).mark("add-level")
            self.leveller = _button("Remove the last level", self._remove_level).mark("remove-level")
        self.rows = ui.refreshable(self._rows)
        self.rows()
        self._draw()

    def _rows(self) -> None:
        self.fields = []
        with ui.row().classes("items-start gap-2 w-full"):
            for place, level in enumerate(self.levels):
                field = ui.input(f"Bounds of level {place + 1}", value=bounds.write_level(level))
                field.on_value_change(lambda place=place: self._typed(place))
                field.props("dense outlined debounce=500 hide-bottom-space").classes("w-56").mark(f"bounds-{place + 1}")
                self.fields.append(field)

    def _draw(self) -> None:
        self.picture.content = draw(self.shape, self.levels, chosen=self.chosen)
        number = "" if self.chosen is None else f" {bounds.write_level((self.levels[0][self.chosen],))}"
        self.remover.text = f"Remove{number}"
        self.remover.set_enabled(self.chosen is not None)
        self.leveller.set_enabled(len(self.levels) > 1)

    async def _mouse(self, event: events.GenericEventArguments) -> None:
        kind, x = event.args["mouse_event_type"], float(event.args["image_x"])
        if kind == "mousedown":
            self.chosen = self.shape.bound_at(x, self.levels[0])
            self.dragging = self.chosen is not None
            self.before = self.levels
            self._draw()
        elif kind == "mousemove" and self.dragging and self.chosen is not None:
            self.levels = bounds.moved(self.levels, self.chosen, self.shape.number_at(x))
            self._draw()
            for field, level in zip(self.fields, self.levels, strict=True):
                field.value = bounds.write_level(level)
        elif kind in ("mouseup", "mouseleave") and self.dragging:
            self.dragging = False
            if self.levels != self.before:
                await self._take(self.levels)
        elif kind == "dblclick" and self.shape.bound_at(x, self.levels[0]) is None:
            await self._add_at(self.shape.number_at(x))

    async def _add(self) -> None:
        bound = bounds.widest_split(self.counts, self.shape, self.levels)
        if bound is not None:
            await self._add_at(bound)

    async def _add_at(self, bound: Decimal) -> None:
        levels = bounds.with_bound(self.levels, bound)
        self.chosen = levels[0].index(bound)
        await self._take(levels)

    async def _remove(self) -> None:
        if self.chosen is not None:
            try:
                levels = bounds.without_bound(self.levels, self.chosen)
            except shoal.InputError as error:
                self.fields[0].error = str(error)
                return
            self.chosen = None
            await self._take(levels)

    async def _add_level(self) -> None:
        try:
            await self._take(bounds.with_level(self.levels))
        except shoal.InputError as error:
            self.fields[-1].error = str(error)

    async def _remove_level(self) -> None:
        await self._take(self.levels[:-1])

    async def _take(self, levels: Levels) -> None:
        """Show new levels in the histogram and in the fields, and apply them."""
        self.levels = levels
        self._draw()
        await self.rows.refresh()
        self.fields[0].error = await self.apply(bounds.spelling(levels)) or None

    async def _typed(self, place: int) -> None:
        """Parse the fields; show an error under its field, and then leave the bounds unchanged."""
        if self.dragging:  # the fields follow the mouse
            return
        levels: Levels = ()
        for field in self.fields:
            try:
                levels = (*levels, bounds.read_level(field.value or ""))
                bounds.check_nested(levels)
            except shoal.InputError as error:
                field.error = str(error)
                return
            field.error = None
        self.levels, self.chosen = levels, None
        self._draw()
        self.fields[place].error = await self.apply(bounds.spelling(levels)) or None


def _button(text: str, act: Callable[[], Awaitable[None]]) -> ui.button:
    return ui.button(text, on_click=act).props("flat dense no-caps size=sm")
