"""SteerBench for the commands of verifiers, which take the one taskset of a module."""

from steerbench.verifiers import SteerTaskset

__all__ = ["SteerTaskset"]
