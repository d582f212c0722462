"""What a GRPO step of TRL takes with our reward function and with a trivial one, alternately."""

import sys
import tempfile
from pathlib import Path
from statistics import median
from time import perf_counter, process_time

from transports import ROOT

sys.path.insert(0, str(ROOT / "envs/tests/clients"))

from datasets import Dataset  # noqa: E402
from tiny_model import make_tiny_model  # noqa: E402
from transformers import PrinterCallback, TrainerCallback  # noqa: E402
from transformers.utils import logging  # noqa: E402
from trl import GRPOConfig, GRPOTrainer  # noqa: E402

from steerbench.trl import asymmetric_reward  # noqa: E402

STEPS = 60
ROUNDS = 3
SIZES = (8, 64)


def trivial(completions, **_):
    """What a reward function costs at least."""
    return [float(len(each)) for each in completions]


class OnAnswers:
    """Calls a reward function with real answers in place of the tiny model's, and times it."""

    def __init__(self, function, rows):
        self.__name__ = function.__name__
        self._function = function
        self._rows = rows
        self._next = 0
        self.times = []

    def __call__(self, completions, gold, **columns):
        rows = [self._rows[(self._next + k) % len(self._rows)] for k in range(len(completions))]
        self._next += len(rows)
        columns["letters"] = [row.get("letters") for row in rows]
        answers = [row["answer"] for row in rows]
        start = perf_counter()
        rewards = self._function(answers, gold=gold, **columns)
        self.times.append(1000 * (perf_counter() - start))
        return rewards


class Steps(TrainerCallback):
    """CPU milliseconds of each step: other work on the machine does not count."""

    def __init__(self):
        self.times = []

    def on_step_begin(self, *_, **__):
        self._begun = process_time()

    def on_step_end(self, *_, **__):
        self.times.append(1000 * (process_time() - self._begun))


def compare(rows):
    """Prints both, for each number of answers in a step."""
    logging.set_verbosity_error()
    logging.disable_progress_bar()
    with tempfile.TemporaryDirectory() as folder:
        model = make_tiny_model(Path(folder) / "model")
        print(f"\nGRPO steps of a tiny model, medians of {ROUNDS} x {STEPS}, CPU ms")
        for size in SIZES:
            found = {function: ([], []) for function in (trivial, asymmetric_reward)}
            for _ in range(ROUNDS):
                for function, (calls, steps) in found.items():
                    reward, timed = OnAnswers(function, rows), Steps()
                    train(model, folder, reward, timed, size)
                    calls += reward.times[5:]
                    steps += timed.times[5:]
            without, own = (median(steps) for _, steps in found.values())
            call = median(found[asymmetric_reward][0])
            print(
                f"  {size:3} answers a step: {without:.1f} with a trivial reward,"
                f" {own:.1f} with ours: {own - without:+.2f}; one call takes {call:.2f} ms"
            )


def train(model, folder, reward, timed, size):
    """Trains for STEPS steps, in silence."""
    trainer = GRPOTrainer(
        model=model,
        reward_funcs=reward,
        train_dataset=Dataset.from_list([{"prompt": f"{k}?", "gold": "ASK"} for k in range(64)]),
        callbacks=[timed],
        args=GRPOConfig(
            folder,
            per_device_train_batch_size=size,
            num_generations=8,
            max_completion_length=16,
            max_steps=STEPS,
            report_to="none",
            save_strategy="no",
            logging_steps=1,
            use_cpu=True,
            bf16=False,
            disable_tqdm=True,
            log_level="error",
        ),
    )
    trainer.remove_callback(PrinterCallback)
    trainer.train()
