"""Ruin and recreate step by step: clusters are lists of rows, and every cost is worked out anew from the values."""

from __future__ import annotations

from collections import Counter
from math import log2

import numpy as np

from oracles.sequential_clustering import covered, loss, penalty
from shoal.data.domain import SetDomain


class Costs:
    """What cells cost by an objective and the weights of the attributes: fractions, or bits with 30 places."""

    def __init__(self, table, objective, weights=None):
        self.domains, self.rows, self.objective = table.domains, table.codes.tolist(), objective
        self.weights = weights or [1] * len(table.domains)
        self.counts = [Counter(column) for column in zip(*self.rows, strict=True)]
        self.known = {}

    def cell(self, a, codes):
        """What a cell costs that covers some values of an attribute."""
        key = a, frozenset(codes)
        if key not in self.known:
            if self.objective == "entropy":
                rows = sum(self.counts[a][code] for code in covered(self.domains[a], codes))
                cost = round(log2(rows) * 2**30)
            else:
                cost = {"loss": loss, "certainty_penalty": penalty}[self.objective](self.domains[a], codes)
            self.known[key] = cost * self.weights[a]
        return self.known[key]

    def row(self, cluster, favour=None):
        """What each row of a cluster costs."""
        favour = favour or [1] * len(self.domains)
        return sum(times * self.cell(a, {self.rows[i][a] for i in cluster}) for a, times in enumerate(favour))

    def all_rows(self, cluster):
        """What the rows of a cluster cost together."""
        return len(cluster) * self.row(cluster)


class Coins:
    """The xorshift generator of Marsaglia with the shifts 13, 7 and 17."""

    def __init__(self, number):
        self.number = number

    def draw(self, below):
        number = self.number
        number ^= number << 13 & 2**64 - 1
        number ^= number >> 7
        number ^= number << 17 & 2**64 - 1
        self.number = number
        return (number >> 33) % below

    def heads(self):
        """How often a coin shows heads, at most 30 times."""
        bits = f"{self.draw(2**30):030b}"
        return 30 if "1" not in bits else len(bits) - len(bits.rstrip("0"))


class Recreation:
    """The clusters of a table while they form anew; conditions are pairs of the rows' sensitive values and ℓ."""

    def __init__(self, costs, ids, smallest, seed, conditions=()):
        self.costs, self.smallest, self.conditions = costs, smallest, conditions
        self.clusters = [[row for row in range(len(ids))[::-1] if ids[row] == c] for c in sorted(set(ids))]
        self.random = np.random.RandomState(seed)
        self.coins = Coins(int(self.random.randint(1, 2**31)))

    def cost(self):
        return sum(map(self.costs.all_rows, self.clusters))

    def round(self, heat, work):
        """So much work with the rows in a random order of the attributes."""
        rows = self.costs.rows
        first = self.random.permutation(len(rows[0]))[::-1]
        order = sorted(range(len(rows)), key=lambda row: [rows[row][a] for a in first])
        while work > 0:
            gone = self.neighbours(order, order.index(self.coins.draw(len(rows))))
            freed = [row for cluster in gone for row in cluster]
            work -= 8000 + len(freed) ** 2 * len(rows[0])
            if len(freed) < 2 * self.smallest or self.many_values(freed):
                continue
            before = sum(map(self.costs.all_rows, gone))
            anew = self.moved(self.grown(freed), freed)
            after = sum(map(self.costs.all_rows, anew))
            if after > before and after - before >= heat * self.coins.heads():
                continue
            if all(map(self.diverse, anew)):
                # The last row of a cluster is the first one to be found.
                anew = [[row for row in freed[::-1] if row in cluster] for cluster in anew]
                self.clusters = [cluster for cluster in self.clusters if cluster not in gone] + anew

    def neighbours(self, order, middle):
        """Up to 2 to 8 clusters with a cost and together 400 rows or four times the smallest size, nearest first."""
        wanted = 2 + self.coins.draw(7)
        most = max(400, min(4 * self.smallest, 4000))
        found = []
        for step in range(400):
            place = middle + (-(step + 1) // 2 if step % 2 else step // 2)
            if not 0 <= place < len(order):
                continue
            cluster = next(rows for rows in self.clusters if order[place] in rows)
            fits = self.costs.row(cluster) > 0 and sum(map(len, found)) + len(cluster) <= most
            if fits and cluster not in found:
                found.append(cluster)
            if not found or len(found) == wanted:
                break
        return found

    def many_values(self, freed):
        """Whether the rows have more than 64 different values of a set."""
        sets = [a for a, domain in enumerate(self.costs.domains) if isinstance(domain, SetDomain)]
        return any(len({self.costs.rows[row][a] for row in freed}) > 64 for a in sets)

    def grown(self, freed):
        """Clusters that grow from a random row on by the row that costs least more."""
        favour = [1 + self.coins.draw(2) for _ in self.costs.domains]
        greedy = self.coins.draw(2) == 0
        free, clusters = list(freed), []

        def taken(place):
            """The last row takes the place of the one that is taken."""
            free[place], free[-1] = free[-1], free[place]
            return free.pop()

        while len(free) >= self.smallest:
            cluster = [taken(self.coins.draw(len(free)))]
            while len(cluster) < self.smallest:
                begin = self.coins.draw(len(free))
                places = [*range(begin, len(free)), *range(begin)]
                cluster.append(taken(min(places, key=lambda place: self.costs.row([*cluster, free[place]], favour))))
            if greedy:
                for place in range(len(free))[::-1]:
                    if self.costs.row([*cluster, free[place]]) == self.costs.row(cluster):
                        cluster.append(taken(place))
            clusters.append(cluster)
        for row in free:
            min(clusters, key=lambda cluster: self.rise(cluster, row)).append(row)
        return clusters

    def moved(self, clusters, freed):
        """The clusters after four passes at most, in which rows move to where that lowers the cost most."""
        for _ in range(4):
            moved = False
            for row in freed:
                home = next(cluster for cluster in clusters if row in cluster)
                if len(home) <= self.smallest:
                    continue
                without = [other for other in home if other != row]
                saved = self.costs.all_rows(home) - self.costs.all_rows(without)
                others = [cluster for cluster in clusters if cluster is not home]
                best = min(others, key=lambda cluster: self.rise(cluster, row), default=None)
                if best is not None and self.rise(best, row) < saved:
                    home.remove(row)
                    best.append(row)
                    moved = True
            if not moved:
                break
        return clusters

    def rise(self, cluster, row):
        return self.costs.all_rows([*cluster, row]) - self.costs.all_rows(cluster)

    def diverse(self, cluster):
        """Whether no sensitive value has more than 1/ℓ of the rows."""
        return all(
            max(Counter(values[row] for row in cluster).values()) <= len(cluster) / least
            for values, least in self.conditions
        )
