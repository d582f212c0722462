"""
The same steps by torch and peft: answers requests of bench/train.mjs, one JSON line each.

    torch_side.py MODEL ADAPTER ASKED.json THREADS PRECISION...

    {"do": "step", "block": 0, "name": "sft", "precision": "fp32"} -> {"loss", "norm", "peak"}
    {"do": "sample", "block": 0, "prompts": 1, "samples": 8, "maxTokens": 48, "precision": …}

fp32 and bf16 are models of their own, each with its adapter and optimizer. In bf16 the frozen
weights are stored so and peft keeps the adapter in fp32, its default. As a trainer would tune it:
only the positions that are learned go through the head; prompts carry no gradient of their own
beyond what the answers need; rows are padded on the right, where a causal model needs no mask, so
that attention takes its fastest path.
"""

import json
import os
import re
import sys

os.environ.setdefault("HF_HUB_OFFLINE", "1")
os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
answers = os.fdopen(os.dup(1), "w", buffering=1)
os.dup2(2, 1)  # libraries print to stdout

import peft  # noqa: E402
import torch  # noqa: E402
import transformers  # noqa: E402
from peft import PeftModel  # noqa: E402
from transformers import AutoModelForCausalLM  # noqa: E402

DTYPES = {"fp32": torch.float32, "bf16": torch.bfloat16}


class Trainer:
    def __init__(self, folder, adapter, letters, dtype):
        base = AutoModelForCausalLM.from_pretrained(folder, dtype=dtype)
        self.peft = PeftModel.from_pretrained(base, adapter, is_trainable=True)
        self.model = self.peft.base_model.model
        self.letters = torch.tensor(letters)
        self.trained = [p for p in self.peft.parameters() if p.requires_grad]
        self.optimizer = torch.optim.AdamW(self.trained, lr=1e-4, weight_decay=0.01, fused=True)

    def step(self, batch):
        """Forward, backward and one update; every answer is a row of its own behind its prompt."""
        rows = [(row["prompt"], a) for row in batch["rows"] for a in row["answers"]]
        total = 0.0
        for part in in_parts(rows, batch["atOnce"]):
            loss = self.loss(part, batch["loss"])
            loss.backward()
            total += loss.item()
        norm = torch.nn.utils.clip_grad_norm_(self.trained, 1.0).item()
        self.optimizer.step()
        self.optimizer.zero_grad(set_to_none=True)
        return {"loss": total, "norm": norm}

    def loss(self, rows, kind):
        tokens = [prompt + answer["targets"][:-1] for prompt, answer in rows]
        width = max(map(len, tokens))
        ids = torch.tensor([row + [0] * (width - len(row)) for row in tokens])
        places = [
            r * width + len(prompt) - 1 + i
            for r, (prompt, answer) in enumerate(rows)
            for i in range(len(answer["targets"]))
        ]
        hidden = self.model.model(input_ids=ids, use_cache=False).last_hidden_state
        chosen = hidden.flatten(0, 1)[torch.tensor(places)]
        if kind == "letters":
            logits = chosen @ self.model.lm_head.weight[self.letters].T
        else:
            logits = self.model.lm_head(chosen)
        targets = torch.tensor([t for _, answer in rows for t in answer["targets"]])
        weights = torch.tensor([w for _, answer in rows for w in answer["weights"]])
        lost = torch.nn.functional.cross_entropy(logits.float(), targets, reduction="none")
        return (weights * lost).sum()

    @torch.inference_mode()
    def sample(self, prompts, samples, max_tokens):
        """Samples with `generate`; tokens up to each answer's end are counted."""
        config = self.model.generation_config
        width = max(map(len, prompts))
        pad = config.pad_token_id
        ids = torch.tensor([[pad] * (width - len(p)) + p for p in prompts])
        mask = torch.tensor([[0] * (width - len(p)) + [1] * len(p) for p in prompts])
        written = self.peft.generate(
            input_ids=ids,
            attention_mask=mask,
            do_sample=True,
            temperature=1.0,
            top_k=0,
            top_p=1.0,
            num_return_sequences=samples,
            max_new_tokens=max_tokens,
        )[:, width:]
        ends = config.eos_token_id
        is_end = torch.isin(written, torch.tensor(ends))
        before = is_end.cumsum(1) - is_end.int()
        return {"tokens": int((before == 0).sum())}


def in_parts(rows, at_once):
    """Neighbouring rows while they hold at most so many tokens, filler included."""
    parts, longest = [], 0
    for row in rows:
        length = max(longest, len(row[0]) + len(row[1]["targets"]) - 1)
        if parts and length * (len(parts[-1]) + 1) <= at_once:
            parts[-1].append(row)
            longest = length
        else:
            parts.append([row])
            longest = len(row[0]) + len(row[1]["targets"]) - 1
    return parts


def peak_kilobytes():
    """
    Of this process, from Linux.

    Not getrusage: its maximum begins with what the process that started this one held.
    """
    with open("/proc/self/status", encoding="ascii") as file:
        return int(re.search(r"^VmHWM:\s+(\d+) kB$", file.read(), re.MULTILINE)[1])


def main():
    folder, adapter, asked_file, threads, *precisions = sys.argv[1:]
    torch.set_num_threads(int(threads))
    with open(asked_file, encoding="utf-8") as file:
        asked = json.load(file)
    trainers = {p: Trainer(folder, adapter, asked["letters"], DTYPES[p]) for p in precisions}
    libraries = {"torch": torch, "transformers": transformers, "peft": peft}
    print(json.dumps({name: each.__version__ for name, each in libraries.items()}), file=answers)
    for line in sys.stdin:
        request = json.loads(line)
        block = asked["blocks"][request["block"]]
        trainer = trainers[request["precision"]]
        if request["do"] == "step":
            made = trainer.step({**block[request["name"]], "atOnce": request["atOnce"]})
        else:
            prompts = block["prompts"][: request["prompts"]]
            made = trainer.sample(prompts, request["samples"], request["maxTokens"])
        made["peak"] = peak_kilobytes()
        print(json.dumps(made), file=answers)


if __name__ == "__main__":
    main()
