"""Work that must come to an end: a bound far above what a slow and busy machine needs, so that only runaway work fails.

How fast things are is measured in benchmarks/, never here.
"""

import time
from collections.abc import Iterator
from contextlib import contextmanager

MOST_SECONDS = 40


@contextmanager
def comes_to_an_end() -> Iterator[None]:
    """Fail where the block took more of the processor's time than any honest run could."""
    before = time.process_time()
    yield
    assert time.process_time() - before < MOST_SECONDS
