"""A stand-in for Tinker's service: scripted answers, and training that records its data."""

import json
from types import SimpleNamespace

import tinker
import torch
from tinker_cookbook.tokenizer_utils import get_tokenizer

from steerbench.scorer import LABELS

#: Nine answers, each with the sampler's stop reason: of every outcome some.
ANSWERS = [(json.dumps({"intervention": label, "reason": "r"}), "stop") for label in LABELS] + [
    ("<think>\nASK first?\n</think>\n\nFinal answer: WAIT", "stop"),
    ("I cannot say.", "stop"),
    ("", "stop"),
    ('{"intervention": "ACT", "rea', "length"),
]


class Service:
    """Stands for ``tinker.ServiceClient``; both of its clients too.

    ``replies``: pairs of text and stop reason; the answers to a prompt are these in turn.
    """

    def __init__(self, tokenizer_folder, replies):
        self.tokenizer = get_tokenizer(str(tokenizer_folder))
        self.replies = replies
        #: How many answers each prompt has had, by its tokens.
        self.asked = {}
        #: The datums of each training step.
        self.trained = []

    async def create_lora_training_client_async(self, base_model, **options):
        return self

    async def save_weights_and_get_sampling_client_async(self):
        return self

    async def sample_async(self, prompt, num_samples, sampling_params, target_prompt_logprobs=None):
        if target_prompt_logprobs is not None:
            return SimpleNamespace(target_prompt_logprobs=_uneven(target_prompt_logprobs))
        seen = tuple(prompt.to_ints())
        number = self.asked[seen] = self.asked.get(seen, -1) + 1
        text, stop_reason = self.replies[number % len(self.replies)]
        tokens = self.tokenizer.encode(text, add_special_tokens=False)
        if stop_reason == "stop":
            tokens += sampling_params.stop
        tokens = tokens[: sampling_params.max_tokens]
        sequence = SimpleNamespace(
            tokens=tokens, logprobs=[-0.5] * len(tokens), stop_reason=stop_reason
        )
        return SimpleNamespace(sequences=[sequence])

    async def forward_backward_async(self, data, loss_fn, loss_fn_config=None):
        self.trained.append(data)
        outputs = [{"logprobs": _logprobs(datum.loss_fn_inputs)} for datum in data]
        return _done(loss_fn_outputs=outputs, metrics={})

    async def optim_step_async(self, params):
        return _done(metrics={})

    async def save_state_async(self, name, **options):
        return _done(path=f"tinker://{name}")

    save_weights_for_sampler_async = save_state_async


def _logprobs(inputs):
    """As when they were sampled; where nothing was, -2 for each token."""
    if "logprobs" in inputs:
        return inputs["logprobs"]
    return tinker.TensorData.from_torch(torch.full(inputs["target_tokens"].to_torch().shape, -2.0))


def _uneven(targets):
    """Row by row the log-probabilities -1, -2, … of the tokens asked for."""
    rows, columns = targets.to_torch().shape
    each = -torch.arange(1.0, columns + 1).repeat(rows, 1)
    return tinker.TensorData.from_torch(each)


def _done(**fields):
    async def result_async():
        return SimpleNamespace(**fields)

    return SimpleNamespace(result_async=result_async)


def arguments(folder, repository, *more):
    """A command line of a run on ``folder/rl``, with the tokenizer of the embedded model."""
    return [
        f"model_name={repository / 'models/tiny'}",
        f"log_path={folder / 'log'}",
        f"dataset_builder.path={folder / 'rl/train.jsonl'}",
        "...renderer_name=qwen3_instruct",
        *more,
    ]
