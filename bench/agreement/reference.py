"""
Torch's side of bench/agreement.mjs, fp32: letters' log-probabilities and greedy texts.

    reference.py MODEL_FOLDER ASKED.json ANSWERED.json

A text parts where torch's greedy choice no longer continues it; `lead` is by how much torch
preferred its choice to the second best there, in log-probability.
"""

import json
import os
import sys

os.environ.setdefault("HF_HUB_OFFLINE", "1")

import torch  # noqa: E402
from transformers import AutoModelForCausalLM, AutoTokenizer  # noqa: E402

folder, asked_file, answered_file = sys.argv[1:]
model = AutoModelForCausalLM.from_pretrained(folder, dtype=torch.float32).eval()
tokenizer = AutoTokenizer.from_pretrained(folder)
end_ids = model.generation_config.eos_token_id
END_IDS = set(end_ids if isinstance(end_ids, list) else [end_ids])


def encode(text):
    return tokenizer(text, add_special_tokens=False)["input_ids"]


def letters(asked):
    if encode(asked["text"]) != asked["ids"]:
        raise SystemExit(f"{asked['id']}: the tokenizers differ")
    with torch.inference_mode():
        out = model(torch.tensor([asked["ids"]]), use_cache=False, logits_to_keep=1)
    logprobs = torch.log_softmax(out.logits[0, -1].double(), -1)[asked["letterIds"]]
    return {"id": asked["id"], "logprobs": logprobs.tolist()}


@torch.inference_mode()
def greedy(asked, most):
    """Torch's own greedy answer beside the one that was written."""
    text = asked["answer"]["text"]
    ids, cache, chosen, smallest = encode(asked["prompt"]), None, [], float("inf")
    for place in range(most):
        out = model(torch.tensor([ids]), past_key_values=cache, use_cache=True, logits_to_keep=1)
        cache = out.past_key_values
        best = torch.log_softmax(out.logits[0, -1].double(), -1).topk(2)
        lead = (best.values[0] - best.values[1]).item()
        token = best.indices[0].item()
        if token in END_IDS:
            break
        ids = [token]
        chosen.append(token)
        smallest = min(smallest, lead)
        read = tokenizer.decode(chosen)
        if not text.startswith(read.rstrip("\ufffd")):
            return {"id": asked["id"], "parts": place, "lead": lead, "smallest": smallest}
        if read == text and asked["answer"]["finish"] == "stop":
            break  # ours ends where its JSON object has closed
    ended = tokenizer.decode(chosen) == text
    parts = None if ended else len(chosen)
    return {"id": asked["id"], "parts": parts, "lead": None, "smallest": smallest}


with open(asked_file, encoding="utf-8") as file:
    questions = json.load(file)
answered = {
    "letters": [letters(asked) for asked in questions["letters"]],
    "texts": [greedy(asked, questions["tokens"]) for asked in questions["texts"]],
}
with open(answered_file, "w", encoding="utf-8") as file:
    json.dump(answered, file)
