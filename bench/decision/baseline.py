"""
The letters' log-probabilities by lm-eval's own code and by plain torch, fp32: answers requests of
bench/decision.mjs, one JSON line each.

    {"mode": "lmeval" | "last" | "tree", "prompts": [{"text", "ids", "letterIds"}], "tree"?: node}

`tree` reads shared prefixes once, as our own code does: a node has tokens, children and leaves, a
leaf tokens and items. The cache grows on the way down and is cropped on the way up.
"""

import json
import os
import resource
import sys
import time

os.environ.setdefault("HF_HUB_OFFLINE", "1")
os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
answers = os.fdopen(os.dup(1), "w", buffering=1)
os.dup2(2, 1)  # libraries print to stdout

import lm_eval  # noqa: E402
import torch  # noqa: E402
import transformers  # noqa: E402
from lm_eval.models.huggingface import HFLM  # noqa: E402
from transformers import AutoModelForCausalLM, AutoTokenizer, DynamicCache  # noqa: E402


def letters_of(logits, letter_ids):
    return torch.log_softmax(logits.float(), -1)[letter_ids].tolist()


class Runner:
    def __init__(self, folder):
        self.model = AutoModelForCausalLM.from_pretrained(folder, dtype=torch.float32).eval()
        tokenizer = AutoTokenizer.from_pretrained(folder)
        self.harness = HFLM(pretrained=self.model, tokenizer=tokenizer, batch_size=1, device="cpu")

    def lmeval(self, prompts, _):
        found = []
        for p in prompts:
            requests = [((p["text"], letter), p["ids"], [i]) for letter, i in zip("ABCDE", p["letterIds"])]
            found.append([v for v, _ in self.harness._loglikelihood_tokens(requests, disable_tqdm=True)])
        return found

    @torch.inference_mode()
    def last(self, prompts, _):
        found = []
        for p in prompts:
            out = self.model(torch.tensor([p["ids"]]), use_cache=False, logits_to_keep=1)
            found.append(letters_of(out.logits[0, -1], p["letterIds"]))
        return found

    @torch.inference_mode()
    def tree(self, prompts, node):
        found = [None] * len(prompts)
        cache = DynamicCache()

        def read(tokens):
            out = self.model(
                torch.tensor([tokens]), past_key_values=cache, use_cache=True, logits_to_keep=1
            )
            return out.logits[0, -1]

        def walk(node):
            if node["tokens"]:
                read(node["tokens"])
            for leaf in node["leaves"]:
                logits = read(leaf["tokens"])
                cache.crop(-len(leaf["tokens"]))
                for item in leaf["items"]:
                    found[item] = letters_of(logits, prompts[item]["letterIds"])
            for child in node["children"]:
                walk(child)
            if node["tokens"]:
                cache.crop(-len(node["tokens"]))

        walk(node)
        return found


def main():
    folder, threads = sys.argv[1], int(sys.argv[2])
    torch.set_num_threads(threads)
    runner = Runner(folder)
    from importlib.metadata import version

    versions = {"torch": torch.__version__, "transformers": transformers.__version__, "lm-eval": version("lm-eval")}
    print(json.dumps({"versions": versions}), file=answers)
    for line in sys.stdin:
        request = json.loads(line)
        start = time.perf_counter()
        letters = getattr(runner, request["mode"])(request["prompts"], request.get("tree"))
        wall = (time.perf_counter() - start) * 1e3
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        print(json.dumps({"letters": letters, "wall": wall, "peak": peak}), file=answers)


if __name__ == "__main__":
    main()
