"""Letters of many texts as one array of bytes."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

EIGHT = 8
"""Letters that are read together: as many as one number has bytes, which is ten times as fast as one by one."""


def eight_letters(letters: NDArray[Any], at: NDArray[Any]) -> NDArray[Any]:
    """Return the eight letters from each of some positions on."""
    overlapping: NDArray[Any] = np.ndarray((len(letters) - EIGHT + 1,), np.uint64, letters.data, strides=(1,))
    return overlapping[at].view(np.uint8).reshape(*at.shape, EIGHT)
