"""Adapters in both directions: trained here and read by peft, trained with peft and read here."""

import json
import subprocess

import pytest

pytest.importorskip("peft")

import numpy  # noqa: E402
import torch  # noqa: E402
from conftest import DEMO, REPOSITORY, steerbench  # noqa: E402
from peft import LoraConfig, PeftModel, get_peft_model  # noqa: E402
from tiny_model import make_tiny_model  # noqa: E402
from transformers import AutoModelForCausalLM, AutoTokenizer  # noqa: E402
from transformers import LlamaConfig, Qwen2Config  # noqa: E402

CONFIGS = {"llama": LlamaConfig, "qwen2": Qwen2Config}
PROJECTIONS = ("q_proj", "k_proj", "v_proj", "o_proj", "gate_proj", "up_proj", "down_proj")
TOLERANCE = 1e-3
#: Of each prompt, how many tokens' logits are compared.
LAST = 16
#: Four steps that move the adapter far.
BRIEFLY = ("--limit", "8", "--batch", "2", "--steps", "4", "--warm-up", "0")
BRIEFLY += ("--learning-rate", "0.02")


@pytest.fixture(scope="module", params=CONFIGS)
def model(request, repository, tmp_path_factory):
    """A random model of each architecture; weights so large that its logits differ widely."""
    folder = tmp_path_factory.mktemp(request.param)
    texts = [path.read_text("utf-8") for path in sorted((repository / DEMO[0]).glob("traces/*"))]
    make_tiny_model(folder, texts=texts, vocabulary=2000)
    tokenizer = AutoTokenizer.from_pretrained(folder)
    torch.manual_seed(0)
    config = CONFIGS[request.param](
        vocab_size=len(tokenizer),
        hidden_size=32,
        intermediate_size=64,
        num_hidden_layers=2,
        num_attention_heads=4,
        num_key_value_heads=2,
        max_position_embeddings=4096,
        initializer_range=0.3,
        bos_token_id=None,
        eos_token_id=tokenizer.eos_token_id,
        pad_token_id=tokenizer.pad_token_id,
    )
    made = AutoModelForCausalLM.from_config(config)
    # transformers begins biases at zero, where leaving one out would not be noticed.
    biases = [p for name, p in made.named_parameters() if name.endswith("bias")]
    assert bool(biases) == (request.param == "qwen2")
    for bias in biases:
        torch.nn.init.normal_(bias, std=0.5)
    made.save_pretrained(folder)
    return folder


@pytest.fixture(scope="module")
def prompts(model, demo_export):
    """Token ids of all held-out prompts."""
    tokenizer = AutoTokenizer.from_pretrained(model)
    rows = read_rows(demo_export("rl", "--part", "test", "--allow-test") / "test.jsonl")
    texts = [chat_text(tokenizer, row["prompt"]) for row in rows]
    assert len(texts) == 30
    return [tokenizer(text, add_special_tokens=False)["input_ids"] for text in texts]


def test_an_adapter_that_was_trained_here_gives_the_same_logits_in_peft(model, prompts, tmp_path):
    adapter = tmp_path / "adapter"
    steerbench("train", "sft", *DEMO, "--model", model, *BRIEFLY, "-o", adapter)
    require_equal(model, adapter, prompts, tmp_path)


def test_an_adapter_that_peft_trained_and_saved_gives_the_same_logits_here(
    model, prompts, tmp_path
):
    torch.manual_seed(1)
    lora = LoraConfig(r=4, lora_alpha=6, target_modules=list(PROJECTIONS), task_type="CAUSAL_LM")
    trained = get_peft_model(load(model), lora)
    optimizer = torch.optim.AdamW([p for p in trained.parameters() if p.requires_grad], lr=0.02)
    for prompt in prompts[:4]:
        ids = torch.tensor([prompt])
        trained(input_ids=ids, labels=ids).loss.backward()
        optimizer.step()
        optimizer.zero_grad()
    adapter = tmp_path / "adapter"
    trained.save_pretrained(adapter)
    require_equal(model, adapter, prompts, tmp_path)


def test_letters_that_the_command_stores_are_those_of_peft(model, tmp_path, demo_export):
    adapter, run = tmp_path / "adapter", tmp_path / "run"
    steerbench("train", "decision", *DEMO, "--model", model, *BRIEFLY, "-o", adapter)
    asked = ["--model", f"hf:{model}", "--adapter", adapter, "--readout", "decision"]
    steerbench("eval", *DEMO, *asked, "--workers", "1", "-o", run)
    stored = {row["id"]: row["logprobs"] for row in read_rows(run / "answers.jsonl")}

    tokenizer = AutoTokenizer.from_pretrained(model)
    theirs = PeftModel.from_pretrained(load(model), adapter).eval()
    rows = read_rows(demo_export("decisions", "--part", "test", "--allow-test") / "test.jsonl")
    assert {row["trace_id"] for row in rows} == stored.keys()
    for row in rows:
        begun = chat_text(tokenizer, row["prompt"]) + row["prefix"]
        ids = tokenizer(begun, add_special_tokens=False)["input_ids"]
        letters = [tokenizer(begun + letter)["input_ids"] for letter in "ABCDE"]
        assert all(each[:-1] == ids for each in letters)
        with torch.inference_mode():
            [logits] = theirs(input_ids=torch.tensor([ids]), logits_to_keep=1).logits[0]
        wanted = torch.log_softmax(logits.double(), -1)[[each[-1] for each in letters]]
        assert stored[row["trace_id"]] == pytest.approx(wanted.tolist(), abs=TOLERANCE)


@torch.inference_mode()
def require_equal(model, adapter, prompts, tmp_path):
    """Logits over the whole vocabulary, ours and torch's; and that the adapter changes them."""
    theirs = PeftModel.from_pretrained(load(model), adapter).eval()
    gap, moved = 0.0, 0.0
    for prompt, ours in zip(prompts, our_logits(model, adapter, prompts, tmp_path)):
        ids = torch.tensor([prompt])
        wanted = theirs(input_ids=ids, logits_to_keep=LAST).logits[0]
        with theirs.disable_adapter():
            bare = theirs(input_ids=ids, logits_to_keep=LAST).logits[0]
        gap = max(gap, (wanted - ours).abs().max().item())
        moved = max(moved, (wanted - bare).abs().max().item())
    assert gap < TOLERANCE
    assert moved > 100 * TOLERANCE


def our_logits(model, adapter, prompts, tmp_path):
    """Of `hf:` with `--adapter`, at the last tokens: [prompts, LAST, vocabulary]."""
    asked, out = tmp_path / "asked.json", tmp_path / "logits"
    names = {"model": str(model), "adapter": str(adapter)}
    asked.write_text(json.dumps({**names, "prompts": prompts, "last": LAST}))
    script = REPOSITORY / "bench/peft/logits.mjs"
    done = subprocess.run(["node", script, asked, out], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return torch.from_numpy(numpy.fromfile(out, "<f4")).view(len(prompts), LAST, -1)


def read_rows(path):
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def chat_text(tokenizer, messages):
    return tokenizer.apply_chat_template(messages, add_generation_prompt=True, tokenize=False)


def load(folder):
    return AutoModelForCausalLM.from_pretrained(folder, dtype=torch.float32)
