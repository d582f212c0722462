"""Timing of calls, and the table that they are shown in."""

import os
from time import perf_counter, process_time
from typing import NamedTuple


class Figures(NamedTuple):
    """Rewards a second, median and 99th percentile of a call in ms, rewards a CPU second."""

    per_second: float
    p50: float
    p99: float
    per_cpu_second: float


def measure(call, batches, rounds, pid=None):
    """Calls with each batch in turn, the first fifth to warm up; ``pid`` also uses CPU time."""
    for k in range(max(1, rounds // 5)):
        call(batches[k % len(batches)])
    times, used = [], cpu_seconds(pid)
    begun = perf_counter()
    for k in range(rounds):
        start = perf_counter()
        call(batches[k % len(batches)])
        times.append(perf_counter() - start)
    answers = rounds * _size(batches[0])
    return figures(times, answers, perf_counter() - begun, cpu_seconds(pid) - used)


def figures(times, answers, seconds, cpu):
    """Of calls that took so long each, for so many answers, in so many seconds."""
    times = sorted(times)
    p50, p99 = (1000 * times[int(len(times) * share)] for share in (0.5, 0.99))
    return Figures(answers / seconds, p50, p99, answers / max(cpu, 0.01))


def cpu_seconds(pid=None):
    """CPU seconds of this process and of another one, on Linux."""
    if pid is None:
        return process_time()
    with open(f"/proc/{pid}/stat", encoding="utf-8") as file:
        fields = file.read().rsplit(") ", 1)[1].split()
    return process_time() + (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def line(name, size, *values):
    """Prints a row: texts as they are, figures with their units' digits."""
    if not isinstance(values[0], str):
        per_second, p50, p99, per_cpu = values
        values = (grouped(per_second), f"{p50:.3f}", f"{p99:.3f}", grouped(per_cpu))
    print(f"{name:20}{size!s:>6}" + "".join(f"{value:>12}" for value in values), flush=True)


def grouped(value):
    """A number with commas between thousands."""
    return f"{round(value):,}"


def _size(batch):
    if isinstance(batch, tuple):
        return len(batch[0])
    return 512 if isinstance(batch, bytes) else len(batch)
