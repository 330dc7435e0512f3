"""One case from its draw to the verdict, in a separate process that may hang or crash."""

from __future__ import annotations

import multiprocessing
import random
import tempfile
import time
import traceback
import warnings
from contextlib import contextmanager
from dataclasses import dataclass
from unittest import mock

import shoal
from fuzz.outcomes import BROKEN, DONE, REFUSED, SKIPPED, SkippedError, WrongError, check_sentence
from fuzz.places import Place
from fuzz.targets import TARGETS

PATIENCE = 90.0  # seconds for one case, which may compile a kernel
STARTING = 300.0


@dataclass(frozen=True)
class Verdict:
    """The outcome of a case."""

    target: str
    seed: int
    outcome: str
    why: str = ""
    seconds: float = 0.0


def drawn(target, seed):
    """Return the random generator and the bytes of a case."""
    rng = random.Random(f"{target}:{seed}")
    return rng, TARGETS[target].content(rng)


def judge(place, target, seed, content=None):
    """Run a case; anything but a correct result or a clear message that leaves no files is broken."""
    rng, own = drawn(target, seed)
    start = time.monotonic()
    outcome, why = _outcome(place, target, rng, own if content is None else content)
    return Verdict(target, seed, outcome, why, time.monotonic() - start)


def _outcome(place, target, rng, content):
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            warnings.simplefilter("ignore", shoal.PrivacyWarning)
            TARGETS[target].run(place, rng, content)
    except (shoal.InputError, shoal.InfeasibleError) as error:
        try:
            check_sentence(str(error))
        except WrongError as wrong:
            return BROKEN, str(wrong)
        left = place.differences()
        return (BROKEN, f"{left} after: {error}") if left else (REFUSED, str(error))
    except SkippedError:
        return SKIPPED, ""
    except Exception as error:
        return BROKEN, str(error) if isinstance(error, WrongError) else traceback.format_exc(limit=-6)[:3000]
    finally:
        place.clean()
    return DONE, ""


@contextmanager
def working():
    """Set up the folder of a process, with no server within reach."""
    import psycopg

    def away(conninfo="", **options):
        psycopg.conninfo.make_conninfo(conninfo, **options)
        raise psycopg.OperationalError("connection refused: no server in this campaign")

    with tempfile.TemporaryDirectory() as root, mock.patch.object(psycopg, "connect", away):
        yield Place(root)


def _work(cases, pipe):
    with working() as place:
        for target, seed in cases:
            pipe.send(judge(place, target, seed))
    pipe.close()


def verdicts(cases):
    """Yield the verdicts of cases one after another; a process that hangs or crashes is a verdict as well."""
    context = multiprocessing.get_context("spawn")
    while cases:
        receiving, sending = context.Pipe(duplex=False)
        process = context.Process(target=_work, args=(cases, sending), daemon=True)
        process.start()
        sending.close()
        wait, done = STARTING, 0
        try:
            while done < len(cases):
                if not receiving.poll(wait):
                    yield Verdict(*cases[done], BROKEN, f"no answer in {wait:.0f} seconds", wait)
                    done += 1
                    break
                yield receiving.recv()
                wait, done = max(PATIENCE, wait / 1.2), done + 1
        except EOFError:
            process.join()
            yield Verdict(*cases[done], BROKEN, f"the process fell ({process.exitcode})")
            done += 1
        finally:
            process.kill()
            process.join()
            receiving.close()
        cases = cases[done:]
