"""Step 6, Release: take away the release, its reports, and what makes it again."""

from __future__ import annotations

from nicegui import ui

from shoal.ui.pages.parts import figure, hint, percent, title
from shoal.ui.state.runs import Run
from shoal.ui.state.workbench import Workbench

FILES = {
    "csv": ("CSV", "table_view", "The release, verified from what was written."),
    "parquet": ("Parquet", "dataset", "The same table as a Parquet file, with its types."),
    "html": ("Report (HTML)", "description", "A page in one file that may be published with the release."),
    "pdf": ("Report (PDF)", "picture_as_pdf", "The same report on paper."),
    "json": (
        "Report (JSON)",
        "data_object",
        "For your own files, not to publish: shoal apply does the same with it again.",
    ),
    "hierarchies": ("Hierarchies", "account_tree", "The trees that were edited or uploaded, as text files in a zip."),
    "toml": (
        "shoal.toml",
        "settings",
        "The configuration: shoal anonymize --config shoal.toml makes the release again.",
    ),
    "py": ("release.py", "code", "The script in Python that makes the release again."),
    "bundle": (
        "Everything (zip)",
        "folder_zip",
        "All of these in one file, for your own files, not to publish.",
    ),
}


def release_page(bench: Workbench) -> None:
    """What may be taken away of the run that is looked at."""
    done = [run for run in bench.runs if run.result is not None]
    if not done:
        ui.label("There is no release yet: make one on the Run page.").mark("empty")
        return
    run = bench.run(bench.shown) or done[-1]
    run = run if run.result is not None else done[-1]

    def other(number: int) -> None:
        bench.shown = number
        ui.navigate.reload()

    ui.select({one.number: f"Run {one.name}" for one in done}, value=run.number, label="release of").props(
        "dense"
    ).classes("w-96").on_value_change(lambda event: other(int(event.value))).mark("which")
    _figures(run)
    title("Take away", "Every file was verified from what was written before it came here.")
    with ui.row().classes("gap-2"):
        for name, (label, icon, meaning) in FILES.items():
            if name == "hierarchies" and not any(run.folder.glob("hierarchies/*")):
                continue
            button = ui.button(label, icon=icon, on_click=lambda name=name: _download(run, name))
            button.props("no-caps outline" if name != "csv" else "no-caps").mark(f"download-{name}")
            hint(button, meaning)
    _again(bench, run)


def _download(run: Run, name: str) -> None:
    ui.navigate.to(f"/download/{run.number}/{name}")


def _figures(run: Run) -> None:
    """What the release promises and costs, and what to mind."""
    report, after = run.result.report, run.result.after  # type: ignore[union-attr]
    with ui.row().classes("gap-6"):
        figure(f"{report['k']:,}", "rows in the smallest class", "Everybody looks the same as so many rows, at least.")
        figure(percent(after["prosecutor"]["highest"]), "highest risk", "The probability that a row is found, at most.")
        figure(f"{report['metrics']['loss']:.4f}", "loss", "0 keeps every value, 1 hides everything.")
        figure(f"{report['classes']:,}", "classes", "Groups of rows that look the same.")
        figure(f"{report['suppressed_rows']:,}", "rows suppressed", "Rows that were hidden whole or left out.")
    ui.label(f"Verified: {report['parameters']['model']}").classes("text-sm text-positive").mark("verified")
    for sentence in report["warnings"]:
        ui.label(sentence).classes("text-sm text-warning max-w-4xl")
    if report["choice"]:
        ui.label(report["choice"]).classes("text-sm opacity-80 max-w-4xl")


def _again(bench: Workbench, run: Run) -> None:
    """The script, the configuration and the command that make the release again."""
    result = run.result
    assert result is not None  # noqa: S101  the page shows runs with a result
    where = f"beside {run.project.data}" if bench.uploaded else "in one folder, on this machine, as they name its path"
    trees = ", with the folder hierarchies," if any(run.folder.glob("hierarchies/*")) else ""
    title("The same release again", f"Put the files{trees} {where}; either way gives the same bytes.")
    with ui.tabs().props("dense no-caps align=left") as tabs:
        ui.tab("Python", label="release.py")
        ui.tab("Configuration", label="shoal.toml")
        ui.tab("Command", label="command")
    with ui.tab_panels(tabs, value="Python").classes("w-full bg-transparent"):
        with ui.tab_panel("Python").classes("p-0"):
            ui.code(result.script, language="python").classes("w-full").mark("script")
        with ui.tab_panel("Configuration").classes("p-0"):
            ui.code(result.config, language="toml").classes("w-full").mark("config")
        with ui.tab_panel("Command").classes("p-0"):
            ui.code(result.command, language="bash").classes("w-full").mark("command")
