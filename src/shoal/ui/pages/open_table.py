"""The card that opens a table: an upload, a path, or the Adult table with a guided first run."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from nicegui import events, ui

import shoal
from shoal.ui.pages.elements import hint, note, problem, set_problem, title
from shoal.ui.state.places import upload_name
from shoal.ui.state.workbench import Workbench

ENCODINGS = ["utf-8", "latin-1", "cp1252", "utf-16"]
FIRST_LINES = {"": "detected", "names": "the names of the columns", "row": "a row"}
SEPARATORS = {"": "detected", ",": "comma ,", ";": "semicolon ;", "\t": "tab", "|": "bar |"}


def open_card(bench: Workbench) -> None:
    """Show the card."""
    with ui.card().classes("w-full max-w-3xl gap-2").props("flat bordered"):
        title("Open a table", "CSV, Parquet, Excel, SPSS, Stata or SAS. It stays on this machine.")
        with ui.row().classes("items-center gap-3"):
            encoding = ui.select(ENCODINGS, value="utf-8", label="encoding of a CSV").props("dense").classes("w-40")
            separator = ui.select(SEPARATORS, value="", label="separator").props("dense").classes("w-40")
            first = ui.select(FIRST_LINES, value="", label="first line of a CSV").props("dense").classes("w-48")
            first.mark("first-line")
            named = ui.input("names of its columns").props("dense").classes("w-full").mark("names")
            named.bind_visibility_from(first, "value", value="row")
            hint(named, "All of them in their order, such as age,sex,income. Empty: column1, column2, …")
        wrong = problem().mark("open-problem")
        busy = ui.linear_progress(show_value=False).props("indeterminate").classes("w-full")
        busy.set_visibility(False)
        stage = note()

        async def opening(start: Any) -> None:
            if busy.visible:
                return  # one at a time
            set_problem(wrong, "")
            busy.set_visibility(True)
            try:
                await start(lambda name, share: stage.set_text(f"{name} …"))
            except (shoal.ShoalError, OSError) as error:
                set_problem(wrong, str(error))
                busy.set_visibility(False)
                stage.set_text("")

        def options() -> dict[str, Any]:
            names: list[str] | bool | None = {"names": True, "row": False}.get(str(first.value))
            if names is False and str(named.value).strip():
                names = [name.strip() for name in str(named.value).split(",")]
            return {"encoding": str(encoding.value), "separator": str(separator.value) or None, "names": names}

        async def uploaded(event: events.UploadEventArguments) -> None:
            name = upload_name(event.file.name)
            target = bench.place_for(name)
            try:
                await event.file.save(target)
            except BaseException:  # a full disk, or a visitor who left
                bench.discard_upload(target)
                raise
            await opening(lambda progress: bench.open(str(target), name=name, progress=progress, **options()))

        def refused() -> None:
            remedy = "open it by its path, or start shoal ui with --max-upload."
            set_problem(wrong, f"The file is too large to upload: {remedy}")

        ui.upload(
            label="Upload a file, or drop it here",
            on_upload=uploaded,
            on_rejected=refused,
            auto_upload=True,
            max_file_size=bench.max_upload,
        ).props("flat bordered").classes("w-full").mark("upload")
        may_open = bench.may_open
        if may_open is not None:
            with ui.row().classes("w-full items-center gap-2 no-wrap"):
                path = ui.input("or a path on this machine, or the address of a database table").classes("grow")
                path.props("dense").mark("path")
                path.set_autocomplete(_files_in(bench.home or Path.cwd()))

                async def start(progress: Any) -> None:
                    await bench.open(may_open(str(path.value).strip()), progress=progress, **options())

                async def open_path() -> None:
                    await opening(start)

                path.on("keydown.enter", open_path)
                ui.button("Open", on_click=open_path).props("no-caps").mark("open")
        with ui.row().classes("items-center gap-2"):
            adult = ui.button("Try it with the Adult table", icon="school", on_click=lambda: opening(bench.open_adult))
            adult.props("no-caps outline").mark("adult")
            note("a guided first run of two minutes")


def _files_in(folder: Path) -> list[str]:
    """List the tables of a folder, as suggestions for a path."""
    kinds = (".csv", ".csv.gz", ".csv.zst", ".data", ".test", ".parquet", ".tsv", ".xlsx", ".sav", ".dta")
    return sorted(path.name for path in folder.glob("*") if path.name.lower().endswith(kinds))[:200]
