"""The types of arrays, by what they hold."""

import numpy as np
from numpy.typing import NDArray

Flags = NDArray[np.bool_]
Floats = NDArray[np.float64]
Ints = NDArray[np.int32]
Longs = NDArray[np.int64]
Words = NDArray[np.uint64]
Places = NDArray[np.uint32]  # of an array: compiled code need not ask whether they count from its end
