"""Runs a recipe by the very commands that stand in its docstring."""

import ast
import shlex
import subprocess
import sys
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[3]
RECIPES = REPOSITORY / "envs/recipes"
SCHEMES = ("symmetric", "asymmetric")
#: What the upper-case words of the commands stand for.
WORDS = {
    "SET": str(REPOSITORY / "scenario-sets/demo"),
    "SPLIT": str(REPOSITORY / "splits/demo.json"),
}


def commands(name):
    """The indented commands of a recipe's docstring, in order, as lists of words."""
    text = (RECIPES / name).read_text(encoding="utf-8")
    told = ast.get_docstring(ast.parse(text)) if name.endswith(".py") else text.replace("# ", "")
    lines = told.replace("\\\n", " ").splitlines()
    begins = ("    steerbench", "    python")
    return [shlex.split(line) for line in lines if line.startswith(begins)]


def launch(name, folders, words, more=(), python=(sys.executable,)):
    """Runs a recipe in each folder, by scheme, at the same time; what each printed.

    ``folders``: by scheme. ``words``: what further upper-case words stand for. ``more``: options to
    add to the last command, the training. ``python``: how to call Python.
    """
    runs = {}
    for scheme, folder in folders.items():
        *first, training = commands(name)
        for command in first:
            done = subprocess.run(
                spelt(command, scheme, words, python), cwd=folder, capture_output=True, text=True
            )
            assert done.returncode == 0, done.stderr
        runs[scheme] = subprocess.Popen(
            [*spelt(training, scheme, words, python), *more],
            cwd=folder,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
    printed = {scheme: run.communicate()[0] for scheme, run in runs.items()}
    for scheme, run in runs.items():
        assert run.returncode == 0, f"{name}, {scheme}: {printed[scheme][-3000:]}"
    return printed


def spelt(command, scheme, words, python):
    """A documented command with its placeholders replaced; nothing else about it changes."""
    program, *rest = command
    begin = ["node", str(REPOSITORY / "dist/cli/main.js")] if program == "steerbench" else python
    return [*begin, *(_word(each, scheme, {**WORDS, **words}) for each in rest)]


def _word(word, scheme, words):
    name, sign, value = word.rpartition("=")
    value = {"symmetric": scheme, **words}.get(value, value)
    if value.startswith("envs/"):
        value = str(REPOSITORY / value)
    return f"{name}{sign}{value}"
