"""Everything that faces outwards."""

import os

# One thread for a product of matrices: those of a search are small, and a second thread that waits for its next one
# burns a core meanwhile. Here, because it is read when NumPy is first imported.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
