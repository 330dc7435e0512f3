"""Checks of the paths of a release and its reports."""

from __future__ import annotations

import stat
from pathlib import Path

from shoal.errors import InputError
from shoal.io import files
from shoal.io.compression import codec_of
from shoal.io.outputs import check_reports, check_target
from shoal.release.request import Request
from shoal.system import atomic_files
from shoal.system.temporary_files import remove_leftovers


def is_folder_of_files(target: Path) -> bool:
    """Tell whether a release goes into a folder: the name has no ending, or an unknown one and the folder exists."""
    is_file_name = codec_of(target) is not None or target.suffix.lower() in (*files.CSV, *files.PARQUET)
    return not target.suffix or (not is_file_name and files.is_folder(target))


def check_outputs(target: Path, reports: list[Path], source: Path, request: Request) -> None:
    """Refuse outputs that cannot be written or would replace an input, before any work is done."""
    mode = atomic_files.mode_of(target)
    remove_leftovers(target)  # a killed run may have left a complete folder there, which would block this run
    inputs = [Path(path) for path in request.inputs(str(source))]
    if files.is_pattern(source):
        inputs += files.like(source)
        for path in (target, *reports):
            if files.matches(path, source) or (is_folder_of_files(path) and files.matches(path, source.parent)):
                raise InputError(f"{path}: the next run would read this as input {str(source)!r}. Choose another name.")
    if is_folder_of_files(target):
        if mode is not None and not stat.S_ISDIR(mode):
            raise InputError(f"{target}: this is not a folder. Choose another name, or an ending such as .csv.")
        if not files.is_folder(target.parent):
            raise InputError(f"{target}: there is no folder {str(target.parent)!r}. Make it first.")
        atomic_files.check_folder(target)
        if target.is_dir() and any(target.iterdir()):
            raise InputError(f"{target}: the folder is not empty. Remove it first, or choose another one.")
    else:
        files.format_of(target)
        check_target(target, inputs)
    if source.is_dir() and target.resolve().is_relative_to(source.resolve()):
        raise InputError(f"{target}: this is inside the input folder. Choose another place.")
    for path in reports:
        if path.resolve().is_relative_to(target.resolve()):
            raise InputError(f"{path}: this is the release, or inside its folder. Choose another place for the report.")
    check_reports(reports, [*inputs, target])
