"""identifying-column and free-text: what the values of a column that leaves as it is say about people."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping

import pyarrow as pa
import pyarrow.compute as pc

from shoal.release.request import Request
from shoal.release.review.content import Content, content_of
from shoal.release.review.finding import Finding
from shoal.release.review.sampling import spread


def identifying_columns(columns: Mapping[str, pa.ChunkedArray], request: Request) -> list[Finding]:
    """Find identifying values and free text in columns that leave as they are; a sensitive one does not stop them."""
    found = []
    for name, column in columns.items():
        contents = (content_of(own, part, missing=request.missing_values) for own, part in parts_of(name, column))
        content = next((content for content in contents if content is not None), None)
        if content is not None:
            found.append(_finding(name, content, sensitive=name in request.roles.sensitive))
    return found


def parts_of(name: str, column: pa.ChunkedArray) -> Iterator[tuple[str, pa.ChunkedArray]]:
    """Yield the fields of structs, and the keys and values of maps, each as a column; any other column as it is.

    A field goes by its own name; lists of two numbers with decimals are also written as pairs.
    """
    kind = column.type
    if pa.types.is_struct(kind):
        for at in range(kind.num_fields):
            yield from parts_of(kind.field(at).name, pc.struct_field(column, [at]))
    elif pa.types.is_map(kind):
        yield from parts_of(name, pa.chunked_array([chunk.keys for chunk in column.chunks], kind.key_type))
        yield from parts_of(name, pa.chunked_array([chunk.items for chunk in column.chunks], kind.item_type))
    elif _is_list(kind) and pa.types.is_nested(kind.value_type):
        yield from parts_of(name, pc.list_flatten(column))
    else:
        yield name, column
        if _is_list(kind) and pa.types.is_floating(kind.value_type):
            rows = spread(column).to_pylist()
            pairs = [
                f"{row[0]:.6f},{row[1]:.6f}" if row and len(row) == 2 and None not in row else None for row in rows
            ]
            yield name, pa.chunked_array([pa.array(pairs, pa.string())])


def _is_list(kind: pa.DataType) -> bool:
    return bool(pa.types.is_list(kind) or pa.types.is_large_list(kind) or pa.types.is_fixed_size_list(kind))


def columns_that_leave(columns: list[str], request: Request) -> list[str]:
    """Return the columns that are released as they are."""
    roles = request.roles
    return [name for name in columns if name not in {*roles.quasi, *roles.identifying, *roles.pseudonymized}]


def _finding(name: str, content: Content, *, sensitive: bool) -> Finding:
    option, share = shlex.quote(name), f"{content.share:.0%} of its values"
    figures = {"share": round(content.share, 4)}
    if sensitive:
        return Finding(
            content.code,
            f"The sensitive column {name!r} holds {content.kind} ({share}), which may tell who a row is about, and is "
            f"released as it is. Remove or pseudonymize it if so.",
            (name,),
            figures=figures,
        )
    return Finding(
        content.code,
        f"Column {name!r} has no role and holds {content.kind} ({share}). Remove it (identifying={name!r}, "
        f"--identifying {option}), give it another role, or, if you have looked and it may leave as it is, keep it "
        f"(keep={name!r}, --keep {option}).",
        (name,),
        figures=figures,
        blocks=True,
    )
