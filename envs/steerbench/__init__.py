"""SteerBench in Python: ``steerbench.scorer`` is the scorer, pinned by shared vectors."""

__version__ = "0.1.0"
