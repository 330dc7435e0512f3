"""Step 6, Release: download the release, its reports, and what makes it again."""

from __future__ import annotations

from typing import Any

from nicegui import ui

from shoal.ui.pages.elements import figure, hint, loss_figures, percent, title
from shoal.ui.state.runs import Run
from shoal.ui.state.workbench import Workbench

FILES = {
    "csv": ("CSV", "table_view", "The release, verified from the written file."),
    "parquet": ("Parquet", "dataset", "The same table as a Parquet file, with its types."),
    "html": ("Report (HTML)", "description", "A page in one file, which may be published with the release."),
    "pdf": ("Report (PDF)", "picture_as_pdf", "The same report to print."),
    "json": (
        "Report (JSON)",
        "data_object",
        "For your own files, not to publish: shoal apply uses it for the next delivery.",
    ),
    "hierarchies": ("Hierarchies", "account_tree", "The trees that were edited or uploaded, as text files in a zip."),
    "toml": (
        "shoal.toml",
        "settings",
        "The configuration: shoal anonymize --config shoal.toml makes the release again.",
    ),
    "py": ("release.py", "code", "The Python script that makes the release again."),
    "bundle": (
        "Everything (zip)",
        "folder_zip",
        "All of these in one file; for your own files, not to publish.",
    ),
}


def release_page(bench: Workbench) -> None:
    """Show the downloads of the chosen run."""
    run = bench.shown_run
    if run is None:
        ui.label("There is no release yet: make one on the Run page.").mark("empty")
        return

    def choose(number: int) -> None:
        bench.shown = number
        ui.navigate.reload()

    ui.select(
        {finished.number: f"Run {finished.name}" for finished in bench.finished}, value=run.number, label="release of"
    ).props("dense").classes("w-96").on_value_change(lambda event: choose(int(event.value))).mark("which")
    _figures(run)
    title("Download", "The release files were verified after they were written.")
    with ui.row().classes("gap-2"):
        for name, (label, icon, meaning) in FILES.items():
            if name == "hierarchies" and not any(run.folder.glob("hierarchies/*")):
                continue
            link = f"/download/{run.number}/{name}"
            button = ui.button(label, icon=icon, on_click=lambda link=link: ui.navigate.to(link))
            button.props("no-caps outline" if name != "csv" else "no-caps").mark(f"download-{name}")
            hint(button, meaning)
    _again(bench, run)


def _figures(run: Run) -> None:
    """Show what the release promises and costs, and its warnings."""
    report, after = run.release.report, run.release.after
    with ui.row().classes("gap-6"):
        figure(f"{report['k']:,}", "rows in the smallest class", "The fewest rows that look the same.")
        figure(percent(after["prosecutor"]["highest"]), "highest risk", "The highest probability that a row is found.")
        loss_figures(report)
        figure(f"{report['classes']:,}", "classes", "Groups of rows that look the same.")
        figure(
            f"{report['suppressed_rows']:,}",
            "rows suppressed",
            "Rows whose values are all hidden, or that are left out.",
        )
    named = ", ".join(report["parameters"]["quasi_identifiers"])
    verified = (
        f"Verified: {report['parameters']['model']} holds for the classes formed by the released labels of {named}."
    )
    ui.label(verified).classes("text-sm text-positive").mark("verified")
    _review(report["review"])
    if report["choice"]:
        ui.label(report["choice"]).classes("text-sm opacity-80 max-w-4xl")


def _review(review: dict[str, Any]) -> None:
    """Show what the review found, how it was answered, and what it looked for without finding it."""
    for finding in review["open"]:
        ui.label(f"{finding['code']}: {finding['sentence']}").classes("text-sm text-warning max-w-4xl").mark("open")
    for finding in review["answered"]:
        said = f"{finding['code']}, {finding['answer']} as asked: {finding['sentence']}"
        ui.label(said).classes("text-sm opacity-80 max-w-4xl").mark("answered")
    clean = f"The review also looked for, and did not find: {', '.join(review['clean'])}."
    ui.label(clean).classes("text-sm opacity-80 max-w-4xl").mark("clean")


def _again(bench: Workbench, run: Run) -> None:
    """Show the script, the configuration and the command that make the release again."""
    where = (
        f"beside {run.project.data}" if bench.uploaded else "in one folder on this machine, because they name its path"
    )
    trees = " and the folder hierarchies" if any(run.folder.glob("hierarchies/*")) else ""
    title("Make the release again", f"Put the files{trees} {where}; each of the three gives the same bytes.")
    ways = {
        "release.py": (run.release.script, "python", "script"),
        "shoal.toml": (run.release.config, "toml", "config"),
        "command": (run.release.command, "bash", "command"),
    }
    with ui.tabs().props("dense no-caps align=left") as tabs:
        for name in ways:
            ui.tab(name)
    with ui.tab_panels(tabs, value="release.py").classes("w-full bg-transparent"):
        for name, (text, language, marker) in ways.items():
            with ui.tab_panel(name).classes("p-0"):
                ui.code(text, language=language).classes("w-full").mark(marker)
