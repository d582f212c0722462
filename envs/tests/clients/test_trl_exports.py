"""TRL's SFT, DPO, KTO and reward trainers on exported files, two steps each."""

import math

import pytest

pytest.importorskip("trl")

from datasets import load_dataset  # noqa: E402
from tiny_model import make_tiny_model  # noqa: E402
from transformers import AutoModelForSequenceClassification, AutoTokenizer  # noqa: E402
from trl import (  # noqa: E402
    DPOConfig,
    DPOTrainer,
    KTOConfig,
    KTOTrainer,
    RewardConfig,
    RewardTrainer,
    SFTConfig,
    SFTTrainer,
)

LONGEST = 4096
#: The builder of ``datasets`` that reads each ending.
BUILDERS = {"jsonl": "json", "parquet": "parquet", "arrow": "arrow"}


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    return make_tiny_model(tmp_path_factory.mktemp("model"), LONGEST)


@pytest.fixture(scope="module")
def tokenizer(model):
    return AutoTokenizer.from_pretrained(model)


@pytest.fixture
def read(repository, tmp_path):
    def rows(name):
        file, cache = repository / "exports" / name, tmp_path / "cache"
        builder = BUILDERS[name.rpartition(".")[2]]
        return load_dataset(builder, data_files=str(file), split="train", cache_dir=str(cache))

    return rows


def options(folder):
    return {
        "output_dir": str(folder),
        "max_steps": 2,
        "per_device_train_batch_size": 2,
        "max_length": LONGEST,
        "logging_steps": 1,
        "report_to": "none",
        "save_strategy": "no",
        "use_cpu": True,
        "bf16": False,
        "disable_tqdm": True,
    }


def losses(trainer):
    """Trains; the loss of each step, which must be numbers that training can use."""
    trainer.train()
    found = [entry["loss"] for entry in trainer.state.log_history if "loss" in entry]
    assert len(found) == 2 and all(map(math.isfinite, found))
    return found


@pytest.mark.parametrize("ending", BUILDERS)
def test_sft_learns_the_answer_and_its_end_and_nothing_else(
    ending, model, tokenizer, read, tmp_path
):
    rows = read(f"sft-trl.{ending}")
    trainer = SFTTrainer(model=model, args=SFTConfig(**options(tmp_path)), train_dataset=rows)
    losses(trainer)
    batch = trainer.data_collator([trainer.train_dataset[0]])
    [labels] = batch["labels"]
    learned = tokenizer.decode(labels[labels != -100])
    assert learned.startswith(rows[0]["completion"][0]["content"] + tokenizer.eos_token)
    assert learned.count(tokenizer.eos_token) == 1


def test_sft_takes_messages(model, read, tmp_path):
    rows = read("sft-messages.jsonl")
    losses(SFTTrainer(model=model, args=SFTConfig(**options(tmp_path)), train_dataset=rows))


@pytest.mark.parametrize("ending", ["jsonl", "arrow"])
def test_dpo_sees_both_answers_of_every_pair(ending, model, tokenizer, read, tmp_path):
    rows = read(f"preferences-trl.{ending}")
    trainer = DPOTrainer(model=model, args=DPOConfig(**options(tmp_path)), train_dataset=rows)
    losses(trainer)
    assert len(trainer.train_dataset) == len(rows)
    for row, prepared in zip(rows, trainer.train_dataset):
        for side in ("chosen", "rejected"):
            text = tokenizer.decode(prepared[f"{side}_ids"])
            assert text.startswith(row[side][0]["content"])


def test_kto_takes_single_answers_with_their_labels(model, read, tmp_path):
    rows = read("preferences-kto.jsonl")
    trainer = KTOTrainer(model=model, args=KTOConfig(**options(tmp_path)), train_dataset=rows)
    losses(trainer)
    assert [row["label"] for row in trainer.train_dataset] == [row["label"] for row in rows]


def test_the_reward_trainer_uses_the_margins(model, tokenizer, read, tmp_path):
    rows = read("preferences-trl.parquet")
    classifier = AutoModelForSequenceClassification.from_pretrained(model, num_labels=1)
    trainer = RewardTrainer(
        model=classifier,
        processing_class=tokenizer,
        args=RewardConfig(**options(tmp_path)),
        train_dataset=rows,
    )
    losses(trainer)
    batch = trainer.data_collator([trainer.train_dataset[k] for k in range(2)])
    assert batch["margin"].tolist() == [row["margin"] for row in rows.select(range(2))]
