"""
torch and peft's side of bench/peft.mjs, fp32.

    torch_side.py train MODEL ASKED.json ADAPTER        trains an adapter and saves it
    torch_side.py compare MODEL ADAPTER ASKED.json OURS prints how far our logits are from torch's

ASKED holds {prompts, last, ...}, OURS our logits at the last tokens, as float32. `moved` is how
far the adapter moves torch's own logits: without it, two models without adapters would agree.
"""

import json
import os
import sys

os.environ.setdefault("HF_HUB_OFFLINE", "1")

import numpy  # noqa: E402
import torch  # noqa: E402
from peft import LoraConfig, PeftModel, get_peft_model  # noqa: E402
from transformers import AutoModelForCausalLM  # noqa: E402

STEPS = 3
#: All that the engine computes, and another rank and scale than its own default.
LORA = LoraConfig(
    r=8,
    lora_alpha=12,
    target_modules="q_proj k_proj v_proj o_proj gate_proj up_proj down_proj".split(),
    task_type="CAUSAL_LM",
)


def train(folder, asked_file, adapter):
    """A few steps on the prompts themselves."""
    torch.manual_seed(0)
    model = get_peft_model(load(folder), LORA)
    optimizer = torch.optim.AdamW([p for p in model.parameters() if p.requires_grad], lr=1e-3)
    for prompt in read(asked_file)["prompts"][:STEPS]:
        ids = torch.tensor([prompt])
        model(input_ids=ids, labels=ids, use_cache=False).loss.backward()
        optimizer.step()
        optimizer.zero_grad()
    model.save_pretrained(adapter)


@torch.inference_mode()
def compare(folder, adapter, asked_file, ours_file):
    """The largest gaps of logits and of log-probabilities, and the picks that differ."""
    model = PeftModel.from_pretrained(load(folder), adapter).eval()
    asked = read(asked_file)
    prompts, last = asked["prompts"], asked["last"]
    found = torch.from_numpy(numpy.fromfile(ours_file, "<f4")).view(len(prompts), last, -1)
    gap, logp_gap, moved, other_picks = 0.0, 0.0, 0.0, 0
    for prompt, ours in zip(prompts, found):
        ids = torch.tensor([prompt])
        theirs = model(input_ids=ids, use_cache=False, logits_to_keep=last).logits[0]
        with model.disable_adapter():
            bare = model(input_ids=ids, use_cache=False, logits_to_keep=last).logits[0]
        gap = max(gap, (theirs - ours).abs().max().item())
        logps = [torch.log_softmax(each.double(), -1) for each in (theirs, ours)]
        logp_gap = max(logp_gap, (logps[0] - logps[1]).abs().max().item())
        moved = max(moved, (theirs - bare).abs().max().item())
        other_picks += int((theirs.argmax(-1) != ours.argmax(-1)).sum())
    print(json.dumps({"gap": gap, "logpGap": logp_gap, "moved": moved, "otherPicks": other_picks}))


def load(folder):
    return AutoModelForCausalLM.from_pretrained(folder, dtype=torch.float32)


def read(path):
    with open(path, encoding="utf-8") as file:
        return json.load(file)


if __name__ == "__main__":
    {"train": train, "compare": compare}[sys.argv[1]](*sys.argv[2:])
