"""What the numpy reference says about fixed prompts: the numbers that unit tests hold models to."""

from __future__ import annotations

from typing import Any

import numpy as np
from tokenizers import Tokenizer

from .errors import MakeError
from .numpy_llama import Config, Weights, hidden_states, log_softmax
from .tokenizer import LETTERS, SPECIAL_TOKENS, encode, letter_ids, render_chat

GREEDY_TOKENS = 32
DECIMALS = 6
# A choice with a smaller lead (in log-probability) could turn over in fp32.
SMALLEST_LEAD = 0.002


def make_reference(
    tokenizer: Tokenizer,
    weights: Weights,
    config: Config,
    prompts: list[dict[str, Any]],
    texts: list[str],
) -> dict[str, Any]:
    """One entry per prompt, and the token ids of hostile texts."""
    return {
        "version": 1,
        "about": "float64 numpy on the fp32 weights; ids by the Rust tokenizer. Natural logs over "
        "the full vocabulary. greedy takes the likeliest token until an end token or 32 times.",
        "prompts": [describe(tokenizer, weights, config, prompt) for prompt in prompts],
        "texts": [{"text": text, "ids": encode(tokenizer, text)} for text in texts],
    }


def describe(
    tokenizer: Tokenizer, weights: Weights, config: Config, prompt: dict[str, Any]
) -> dict[str, Any]:
    """
    Letters, mass, greedy text and an answer's log-probability for one prompt.

    `prompt` has id, messages, prefix (the beginning of the assistant's turn) and answer.
    """
    text = render_chat(prompt["messages"]) + prompt["prefix"]
    ids = encode(tokenizer, text)
    letters = letter_ids(tokenizer, text)
    logprobs = next_logprobs(weights, config, ids)[letters]
    letter_lead = lead(logprobs)
    greedy, leads = greedy_tokens(weights, config, ids)
    require_clear(prompt["id"], [letter_lead, *leads], tokenizer.decode(greedy))
    answer = encode(tokenizer, text + prompt["answer"])
    if answer[: len(ids)] != ids:
        raise ValueError(f"{prompt['id']}: the answer changes the prompt's tokens")
    return {
        "id": prompt["id"],
        "messages": prompt["messages"],
        "prefix": prompt["prefix"],
        "text": text,
        "ids": ids,
        "letterIds": dict(zip(LETTERS, letters, strict=True)),
        "logprobs": {k: rounded(v) for k, v in zip(LETTERS, logprobs, strict=True)},
        "letterMass": rounded(np.exp(logprobs).sum(), DECIMALS + 3),
        "letterLead": rounded(letter_lead),
        "greedy": {
            "ids": greedy,
            "text": tokenizer.decode(greedy),
            "finish": "length" if len(greedy) == GREEDY_TOKENS else "stop",
            "leads": [rounded(value) for value in leads],
        },
        "answer": {
            "text": prompt["answer"],
            "ids": answer[len(ids) :],
            "logprob": rounded(continuation_logprob(weights, config, ids, answer)),
        },
    }


def next_logprobs(weights: Weights, config: Config, ids: list[int]) -> np.ndarray:
    """Log-probabilities of the token after `ids`: [V]."""
    head = weights["model.embed_tokens.weight"].astype(np.float64)
    return log_softmax(hidden_states(weights, config, ids)[-1] @ head.T)


def greedy_tokens(
    weights: Weights, config: Config, ids: list[int]
) -> tuple[list[int], list[float]]:
    """
    The likeliest continuation without the end token that closes it, and by how much each of its
    tokens, that one included, leads the second.
    """
    found: list[int] = []
    leads = []
    while len(found) < GREEDY_TOKENS:
        logprobs = next_logprobs(weights, config, ids + found)
        leads.append(lead(logprobs))
        likeliest = int(logprobs.argmax())
        if likeliest < len(SPECIAL_TOKENS):
            break
        found.append(likeliest)
    return found, leads


def lead(logprobs: np.ndarray) -> float:
    """By how much the likeliest leads the second."""
    second, first = np.sort(logprobs)[-2:]
    return float(first - second)


def require_clear(prompt: str, leads: list[float], text: str) -> None:
    """
    Raises MakeError for what no test could hold a model to: a near tie, or words behind a closed
    object, where evaluation stops. Another training seed is the way out, never a wider tolerance.
    """
    smallest = min(leads)
    if smallest < SMALLEST_LEAD:
        raise MakeError(f"{prompt}: a choice leads by {smallest:.1e} only, a near tie")
    if "}" in text[:-1]:
        raise MakeError(f"{prompt}: the greedy text goes on behind its object: {text}")


def continuation_logprob(
    weights: Weights, config: Config, prompt: list[int], joint: list[int]
) -> float:
    """Sum of the log-probabilities of the tokens of `joint` after the prompt's."""
    head = weights["model.embed_tokens.weight"].astype(np.float64)
    states = hidden_states(weights, config, joint)[len(prompt) - 1 : -1]
    logprobs = log_softmax(states @ head.T)
    return float(logprobs[np.arange(len(states)), joint[len(prompt) :]].sum())


def rounded(value: float, decimals: int = DECIMALS) -> float:
    """Rounded, so that a last bit of the CPU's own arithmetic does not change the file."""
    return round(float(value), decimals)
