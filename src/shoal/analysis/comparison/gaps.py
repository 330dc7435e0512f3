"""What a comparison says of the settings without a release."""

from __future__ import annotations

from shoal.analysis.comparison.phrases import MAX_NAMED, at, few, listed
from shoal.analysis.comparison.plan import Setting
from shoal.analysis.comparison.results import Results

INFEASIBLE = "No release of this table can satisfy"  # begins the reasons that name the model


def gaps(results: Results) -> list[str]:
    """Say which settings have no release, with the reasons: those of k before those of ℓ, the most frequent first."""
    failed = {cell.setting: cell.failure for cell in results.cells if cell.failure}
    by_reason: dict[str, list[Setting]] = {}
    for setting, failure in failed.items():
        lowest = Setting(setting.algorithm, setting.k, results.fixed_l)
        if setting == lowest or lowest not in failed:  # what fails at the lowest ℓ fails at every other
            by_reason.setdefault(_reason(failure), []).append(setting)
    by_number = sorted(
        by_reason.items(), key=lambda pair: (min(s.l for s in pair[1]) != results.fixed_l, -len(pair[1]))
    )
    parts = [f"{_places(results, settings)} ({why})" for why, settings in by_number]
    first, more = parts[: MAX_NAMED - 1], parts[MAX_NAMED - 1 :]
    named = [*first, f"in {len(more)} more cases"] if len(more) > 1 else parts
    return [f"there is no release {listed(named)}"] if parts else []


def _reason(failure: str) -> str:
    """Return why there is no release, without the model, which the setting tells."""
    reason = failure.rstrip(".")
    return reason.partition(": ")[2] if reason.startswith(INFEASIBLE) else reason


def _places(results: Results, settings: list[Setting]) -> str:
    """Name settings: `from k = 16 on`, `at k = 8 from ℓ = 4 on`; with their algorithms, if others have a release."""
    every = [cell.setting for cell in results.cells]
    parts = []
    for names, those in _by_names(every, settings).items():
        by = f" by {few(list(names))}" if names else ""
        ks = [setting.k for setting in those if setting.l == results.fixed_l]
        if ks:
            all_ks = {setting.k for setting in every if setting.l == results.fixed_l}
            parts.append(f"{_last(ks, all_ks, 'k') or at(ks)}{by}")
        for k in dict.fromkeys(setting.k for setting in those if setting.l != results.fixed_l):
            ls = [setting.l for setting in those if setting.k == k and setting.l != results.fixed_l]
            last = _last(ls, {setting.l for setting in every if setting.k == k}, "ℓ")
            parts.append(f"at k = {k}{f' {last}' if last else f', ℓ = {listed(list(map(str, ls)))}'}{by}")
    return "; ".join(parts[:MAX_NAMED]) + ("; …" if len(parts) > MAX_NAMED else "")


def _by_names(every: list[Setting], settings: list[Setting]) -> dict[tuple[str, ...], list[Setting]]:
    """Return one setting for each k and ℓ, by the algorithms that fail there; by none, if all fail."""
    found: dict[tuple[str, ...], list[Setting]] = {}
    for setting in {(setting.k, setting.l): setting for setting in reversed(settings)}.values():
        names, there = (
            tuple(other.algorithm for other in several if (other.k, other.l) == (setting.k, setting.l))
            for several in (settings, every)
        )
        found.setdefault(() if names == there else names, []).append(setting)
    return {names: sorted(those, key=lambda setting: (setting.k, setting.l)) for names, those in found.items()}


def _last(numbers: list[int], every: set[int], symbol: str) -> str:
    """Write `from k = 16 on`, if the numbers are several and the last of all; otherwise nothing."""
    if len(numbers) > 1 and numbers == sorted(every)[-len(numbers) :]:
        return f"from {symbol} = {numbers[0]} on"
    return ""
