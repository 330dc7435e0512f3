"""A second verifier of releases: the standard library alone, and not a line shared with the package.

    python tests/oracles/second_verifier --original a.csv --release b.csv --case case.json [--population everyone.csv]

or, for a certificate of shoal's with its case beside it,

    python second_verifier.pyz --original a.csv --release b.csv --certificate certificate.json [--key secret.key]

prints what was checked and ends with 0, with 1 where the release breaks a promise, with 2 where it cannot be checked.
The case is a JSON object:

    quasi           {column: meaning}, where a meaning says how its labels are read:
                    {"kind": "numbers"}   20-29, a number, or with "dates" as kind a date in ISO form
                    {"kind": "sets"}      Divorced | Widowed
                    {"kind": "order", "values": ["S", "M", "L"]}          S - M
                    {"kind": "tree", "paths": {"13053": ["1305*", "*"]}}  each value with its ancestors, the root last
    sensitive, identifying, pseudonymized    lists of columns; any other column must be as it was
    models          [{"model": "k-anonymity", "k": 5}, …], all of which must hold:
                    k-anonymity k, limited-contribution k (nobody has more than 1/k of the rows), highest-risk risk,
                    average-risk risk, and with a population k-map k, delta-presence low high; for one "sensitive"
                    column, or each where none is named: distinct-l l, frequency-l l, entropy-l l, recursive-cl c l,
                    alpha-k alpha k, p-sensitive-k p k, t-closeness t (distance "equal", "ordered" with order,
                    "hierarchical" with paths as those of a tree), beta-likeness beta (enhanced: true),
                    delta-disclosure delta
    max_suppressed  rows that may be suppressed (0), and suppressed: "keep" (shown as tops) or "drop"
    tops            {column: the label of a suppressed cell}; "*", or the root of a tree, where not given
    missing         texts that mean missing, such as ["", "NA"]; drop_missing: true where such rows were left out
    order           "rows", "classes" or "shuffled"; match names a column that tells the rows apart, where there is one,
                    else rows are matched as a multiset: each released row is a row of the original of its own
    class_column    a new column with the number of each row's class
    style           {"numbers": "{low}-{high}", "ordered": "{low} - {high}", "separator": " | ", "top": "*",
                    "missing": "?"} or those that differ; numbers "mean" for the mean of a class
    escaped         true where cells that begin like formulas have an apostrophe before them
    unit            whose rows they are, where people are counted: {"column", "group", "promise", "strict", "missing"};
                    "classes": rows of a person cannot be linked; "profiles" and "households": they can, and the whole
                    set of them is shared. A person counts once for each of their values; entropy, recursive, ordered
                    and hierarchical ones divide each person evenly among their values
    matched         where people are counted and rows cannot be told apart: the row of the original, from 0, of each
    report          figures that were reported and are computed again: loss, loss_by_attribute, k, classes, rows,
                    suppressed_rows, dropped_rows

A case that came with a certificate stands in such an object under "case"; its "files" say how they are read: by which
separator and encoding. With a certificate its own SHA-256, its signature by the key, the SHA-256 of the files and the
case are checked, and that it says what the case says.

Numbers in the case are taken as they are written: 0.2 is one fifth.
"""

from .checks import Verifier, verify

__all__ = ["Verifier", "verify"]
