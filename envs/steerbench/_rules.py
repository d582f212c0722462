"""The closed lists of the reading rules, read from the tables that the TypeScript side writes.

Nothing here is a rule of its own: docs/parse-rules.md says what each list is for, and
``parity-vectors/rules.json`` holds it. Texts of single characters stand for sets of characters.
"""

import json
from importlib.resources import files


def load_table(name):
    """One of the package's data files; refuses a version it does not know."""
    text = (files(__package__) / "data" / name).read_text(encoding="utf-8")
    table = json.loads(text)
    if table.get("version") != 1:
        raise ImportError(f"steerbench/data/{name}: version {table.get('version')!r}, expected 1")
    return table


RULES = load_table("rules.json")

#: The five labels, in the order in which every table shows them.
LABELS = tuple(RULES["labels"])
#: The option letters, in order.
OPTION_LETTERS = RULES["optionLetters"]
LOWER_LETTERS = OPTION_LETTERS.lower()

WHITE_SPACE = RULES["whiteSpace"]
LINE_ENDS = RULES["lineEnds"]
WHITE_SPACE_IN_LINE = "".join(char for char in WHITE_SPACE if char not in LINE_ENDS)
MARKS = RULES["marks"]
EDGES = RULES["edges"]
#: What may stand between the parts of a declaration or a list: white space and marks.
GAP = WHITE_SPACE + MARKS


def char_class(characters, negated=False):
    """A regular-expression class of exactly these characters."""
    escaped = "".join(f"\\U{ord(character):08x}" for character in characters)
    return f"[{'^' if negated else ''}{escaped}]"


def any_case(word):
    """A regular expression for a word in any ASCII case, without help from Unicode case folding."""
    return "".join(char_class(sorted({char.lower(), char.upper()})) for char in word)


def any_width(char):
    """A regular expression for a character in any ASCII case, half or full width."""
    cases = sorted({char.lower(), char.upper()})
    return char_class(cases + [chr(ord(case) + 0xFEE0) for case in cases if case > " "])


def one_of(words):
    """A regular expression for any of the words as written, the longest first."""
    escaped = ("".join(map(char_class, word)) for word in sorted(words, key=len, reverse=True))
    return f"(?:{'|'.join(escaped)})"
