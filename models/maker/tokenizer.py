"""The tiny model's tokenizer: byte-level BPE trained on our own text, and its chat template."""

from __future__ import annotations

from typing import Any

import jinja2
from jinja2.ext import loopcontrols
from jinja2.sandbox import ImmutableSandboxedEnvironment
from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers

# The first three ids, in SmolLM2's order.
SPECIAL_TOKENS = ["<|endoftext|>", "<|im_start|>", "<|im_end|>"]
LETTERS = "ABCDE"

CHAT_TEMPLATE = (
    "{% for message in messages %}"
    "{{ '<|im_start|>' + message['role'] + '\\n' + message['content'] + '<|im_end|>' + '\\n' }}"
    "{% endfor %}"
    "{% if add_generation_prompt %}{{ '<|im_start|>assistant\\n' }}{% endif %}"
)


def train_tokenizer(texts: list[str], vocab_size: int) -> Tokenizer:
    """
    Trains a byte-level BPE. Equal texts in equal order give equal bytes.

    The pre-tokenizer is SmolLM2's: each digit by itself, then ByteLevel with GPT-2's pattern,
    which parts letters from punctuation; so `choice#` and a letter after it can never merge.
    """
    tokenizer = Tokenizer(models.BPE())
    digits = pre_tokenizers.Digits(individual_digits=True)
    byte_level = pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=True)
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence([digits, byte_level])
    tokenizer.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=vocab_size,
        special_tokens=SPECIAL_TOKENS,
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        show_progress=False,
    )
    tokenizer.train_from_iterator(texts, trainer)
    if tokenizer.get_vocab_size() != vocab_size:
        raise ValueError(f"the texts give {tokenizer.get_vocab_size()} tokens, not {vocab_size}")
    return tokenizer


def tokenizer_config(context: int) -> dict[str, Any]:
    """tokenizer_config.json, chat template included."""
    end, start, stop = SPECIAL_TOKENS
    described = {
        str(index): {
            "content": token,
            "lstrip": False,
            "normalized": False,
            "rstrip": False,
            "single_word": False,
            "special": True,
        }
        for index, token in enumerate(SPECIAL_TOKENS)
    }
    return {
        "add_bos_token": False,
        "add_prefix_space": False,
        "added_tokens_decoder": described,
        "bos_token": start,
        "chat_template": CHAT_TEMPLATE,
        "clean_up_tokenization_spaces": False,
        "eos_token": stop,
        "model_max_length": context,
        "pad_token": end,
        "tokenizer_class": "PreTrainedTokenizerFast",
        "unk_token": end,
    }


def render_chat(messages: list[dict[str, str]]) -> str:
    """The chat as text with the assistant's turn opened, by the rules transformers renders with."""
    environment = ImmutableSandboxedEnvironment(
        trim_blocks=True, lstrip_blocks=True, extensions=[loopcontrols], undefined=jinja2.Undefined
    )
    template = environment.from_string(CHAT_TEMPLATE)
    return template.render(messages=messages, add_generation_prompt=True)


def encode(tokenizer: Tokenizer, text: str) -> list[int]:
    return tokenizer.encode(text, add_special_tokens=False).ids


def letter_ids(tokenizer: Tokenizer, prompt: str) -> list[int]:
    """
    The token that each letter adds to a prompt.

    Raises ValueError unless every letter adds exactly one token, distinct from the others, and
    leaves the prompt's own tokens as they are.
    """
    before = encode(tokenizer, prompt)
    ids = []
    for letter in LETTERS:
        joint = encode(tokenizer, prompt + letter)
        if joint[:-1] != before:
            raise ValueError(f"{letter} after {prompt[-20:]!r} is not one token: {joint[-3:]}")
        ids.append(joint[-1])
    if len(set(ids)) != len(LETTERS):
        raise ValueError(f"letters share a token: {ids}")
    return ids
