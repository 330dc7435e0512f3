"""Ruin and recreate step by step: clusters are lists of rows, and every cost is worked out anew from the values."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from math import floor, log2

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
    """The clusters of a table while they form anew; conditions are pairs of the rows' sensitive values and ℓ.

    The most frequent value has at most 1/ℓ of the rows, or there are ℓ different ones.
    """

    def __init__(self, costs, ids, smallest, seed, conditions=(), *, one=1, different=False):
        self.costs, self.smallest, self.conditions, self.one, self.different = (
            costs,
            smallest,
            conditions,
            one,
            different,
        )
        self.clusters = [[row for row in range(len(ids))[::-1] if ids[row] == c] for c in sorted(set(ids))]
        self.random = np.random.RandomState(seed)
        self.coins = Coins(int(self.random.randint(1, 2**31)))

    def cost(self):
        return sum(map(self.costs.all_rows, self.clusters))

    def attributes(self, rows):
        """The attributes in a random order: each is next as often as it has few values, in millionths."""
        left, order = list(range(len(rows[0]))), []
        while left:
            shares = [10**6 // len({row[a] for row in rows}) + 1 for a in left]
            number = int(self.random.randint(sum(shares)))
            while number >= shares[0]:
                number -= shares.pop(0)
                left.append(left.pop(0))
            order.append(left.pop(0))
            left.sort()
        return order

    def round(self, heat, work):
        """So much work with the rows in a random order of the attributes."""
        rows = self.costs.rows
        first = self.attributes(rows)
        order = sorted(range(len(rows)), key=lambda row: [rows[row][a] for a in first])
        while work > 0:
            gone = self.neighbours(order, rows)
            freed = [row for cluster in gone for row in cluster]
            work -= 8000 + len(freed) ** 2 * (len(rows[0]) + len(self.conditions))
            if len(freed) < 2 * self.smallest:
                continue
            work -= 16 * self.pairs(freed)
            before = sum(map(self.costs.all_rows, gone))
            rise = heat * self.coins.heads()
            anew = self.grown(freed, before, rise)
            if not anew:
                continue
            anew = self.moved(anew, freed)
            after = sum(map(self.costs.all_rows, anew))
            if after > before and after - before >= rise:
                continue
            # The last row of a cluster is the first one to be found.
            anew = [[row for row in freed[::-1] if row in cluster] for cluster in anew]
            self.clusters = [cluster for cluster in self.clusters if cluster not in gone] + anew

    def neighbours(self, order, rows):
        """Up to 2 to 5 clusters with a cost and together 400 rows or four times the smallest size, nearest first.

        The first is the dearer one of two random rows'; if clusters are small there may be 8 of them.
        """
        drawn = [self.coins.draw(len(rows)) for _ in range(2)]
        of = {row: cluster for cluster in self.clusters for row in cluster}
        middle = order.index(max(drawn, key=lambda row: self.costs.row(of[row])))
        wanted = 2 + self.coins.draw(4 if 5 * self.smallest >= 20 else 7)
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

    def pairs(self, freed):
        """How many pairs of different values these rows have in all columns; of a set, how many values."""
        columns = zip(self.costs.domains, zip(*(self.costs.rows[row] for row in freed), strict=True), strict=True)
        return sum(len(set(own)) ** (1 if isinstance(domain, SetDomain) else 2) for domain, own in columns)

    def grown(self, freed, before, rise):
        """Clusters that grow from a random row on by the row that costs least more; none if they cost too much."""
        favour = [1 + self.coins.draw(2) for _ in self.costs.domains]
        greedy = self.coins.draw(2) == 0
        free, clusters = list(freed), []
        dear = self.dear(before, rise)

        def taken(place):
            """The last row takes the place of the one that is taken."""
            free[place], free[-1] = free[-1], free[place]
            return free.pop()

        while len(free) >= self.smallest:
            cluster = [taken(self.coins.draw(len(free)))]
            while not self.good(cluster) and free:
                helps = self.helping(cluster)
                begin = self.coins.draw(len(free))
                places = [place for place in [*range(begin, len(free)), *range(begin)] if helps(free[place])]
                if not places:
                    break
                cluster.append(taken(min(places, key=lambda place: self.costs.row([*cluster, free[place]], favour))))
            if not self.good(cluster):
                free += [row for row in freed if row in cluster]
                break
            if greedy:
                for place in range(len(free))[::-1]:
                    longer = [*cluster, free[place]]
                    if self.costs.row(longer) == self.costs.row(cluster) and self.diverse(longer):
                        cluster.append(taken(place))
            clusters.append(cluster)
            if dear(clusters):
                return []
        for row in free:
            open_to = [cluster for cluster in clusters if self.diverse([*cluster, row])]
            if not open_to:
                return []
            min(open_to, key=lambda cluster: self.rise(cluster, row)).append(row)
            if dear(clusters):
                return []
        return clusters

    def dear(self, before, rise):
        """Whether clusters cost half as much again as before, rounded down in the unit of the costs."""
        limit = before + Fraction(floor(before * self.one / 2)) / self.one + rise
        return lambda clusters: sum(map(self.costs.all_rows, clusters)) > limit

    def good(self, cluster):
        return len(cluster) >= self.smallest and self.diverse(cluster)

    def helping(self, cluster):
        """Which rows may join: if there is room for one more at most, those that a condition lacks."""
        for values, least in self.conditions:
            lack = self.lack(cluster, values, least)
            if lack > 0 and self.smallest - len(cluster) <= (lack if self.different else 1):
                return lambda row: self.lack([*cluster, row], values, least) < lack
        return lambda row: True

    def lack(self, cluster, values, least):
        """How many rows of the most frequent value are too many, or how many different values are missing."""
        counts = Counter(values[row] for row in cluster)
        if self.different:
            return least - len(counts)
        return max(counts.values()) - floor(len(cluster) / least)

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
                others = [cluster for cluster in others if self.diverse([*cluster, row])]
                best = min(others, key=lambda cluster: self.rise(cluster, row), default=None)
                if best is not None and self.rise(best, row) < saved and self.diverse(without):
                    home.remove(row)
                    best.append(row)
                    moved = True
            if not moved:
                break
        return clusters

    def rise(self, cluster, row):
        return self.costs.all_rows([*cluster, row]) - self.costs.all_rows(cluster)

    def diverse(self, cluster):
        """Whether no condition lacks anything."""
        return all(self.lack(cluster, values, least) <= 0 for values, least in self.conditions)
