"""Membership: is it seen from the release that a person is in the table?

The attacker says yes if some row of the release fits everything that is known. Rows that would fit anybody tell
nothing and do not count. The rate of the control is that of false alarms: how often the answer is yes for people who
are not in the table, and the risk is the plain difference (S. Yeom, I. Giacomelli, M. Fredrikson, S. Jha, Privacy risk
in machine learning, 2018, doi:10.1109/CSF.2018.00027). Without a control group, people are made up by drawing each
column on its own.
"""

from __future__ import annotations

from shoal.analysis.attack.facet import MEMBERS
from shoal.analysis.attack.ground import Ground
from shoal.analysis.attack.trial import Comparison, Trial


def membership(ground: Ground) -> list[Comparison]:
    """Ask for each person whether a row fits; the baseline asks it of people who were made up."""
    trials = [_trial(ground, group) for group in ground.groups]
    blind = _trial(ground.made_up(), MEMBERS)
    compared = trials[-1] if ground.held_out else blind
    return [Comparison("being in the table", trials[MEMBERS], compared, blind, ground.held_out, plain=True)]


def _trial(ground: Ground, group: int) -> Trial:
    shown = ground.shown(list(ground.facets))
    people, telling = ground.drawn(group), shown.telling
    yes = 0
    for _, distance, near in ground.nearest(shown, people, group):
        yes += int(((distance <= 0) & (near & telling).any(axis=1)).sum())
    return Trial(people.size, yes)
