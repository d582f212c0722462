"""The text that rungs 5 to 7 read, and the labels and option letters mentioned in it."""

import re
from typing import NamedTuple

from ._lettered import is_option
from ._negation import Clauses
from ._rules import (
    GAP,
    LABELS,
    LINE_ENDS,
    LOWER_LETTERS,
    OPTION_LETTERS,
    RULES,
    WHITE_SPACE_IN_LINE,
    char_class,
)
from ._text import ascii_lower, is_bounded, is_whole_word, skip_gap, split_lines

_LOWER_LABELS = tuple((ascii_lower(label), label) for label in LABELS)
#: Capital letters that no ASCII letter or digit touches; most capitals go no further.
_LONE_CAPITAL = re.compile(
    f"{char_class(OPTION_LETTERS)}(?![0-9A-Za-z])(?<![0-9A-Za-z].)", re.DOTALL
)
_JOINER_MARKS = frozenset(RULES["joinerMarks"])
_JOINER_WORDS = frozenset(RULES["joinerWords"])
_COMMA = RULES["comma"]
#: What may follow, on its line, a label or letter that is declared in lower case.
_LINE_CLOSERS = WHITE_SPACE_IN_LINE + RULES["lineClosers"]
_CLOSED_LINE = re.compile(f"{char_class(_LINE_CLOSERS)}*")


class Mention(NamedTuple):
    """A bounded label or option letter at ``text[start:end]`` and the label it names."""

    start: int
    end: int
    label: str
    is_letter: bool
    is_upper: bool


class Prose:
    """A text and its mentions: labels in any case and, in lettered replies, option letters.

    Of the letters in lower case it holds only those that close their line: no other counts
    anywhere.
    """

    def __init__(self, text, letters):
        self.text = text
        self.lower = ascii_lower(text)
        self.letters = letters
        self.mentions = self._labels()
        if letters:
            self.mentions += self._capitals() + self._line_closing_letters()
        self.mentions.sort()
        self._negated = None

    def _labels(self):
        text, lower = self.text, self.lower
        mentions = []
        for name, label in _LOWER_LABELS:
            start = lower.find(name)
            while start >= 0:
                end = start + len(name)
                if is_bounded(text, start, end):
                    mentions.append(Mention(start, end, label, False, text[start:end] == label))
                start = lower.find(name, end)
        return mentions

    def _capitals(self):
        mentions = []
        for match in _LONE_CAPITAL.finditer(self.text):
            start, end = match.span()
            if is_bounded(self.text, start, end):
                label = self.letters[OPTION_LETTERS.index(match.group())]
                mentions.append(Mention(start, end, label, True, True))
        return mentions

    def _line_closing_letters(self):
        mentions = []
        line_start = 0
        for line in split_lines(self.text):
            start = line_start + len(line.rstrip(_LINE_CLOSERS)) - 1
            index = LOWER_LETTERS.find(self.text[start]) if start >= line_start else -1
            if index >= 0 and is_bounded(self.text, start, start + 1):
                mentions.append(Mention(start, start + 1, self.letters[index], True, False))
            line_start += len(line) + 1
        return mentions

    def closes_line(self, mention):
        """Whether nothing but white space and closing marks follows the mention on its line."""
        end = _CLOSED_LINE.match(self.text, mention.end).end()
        return end == len(self.text) or self.text[end] in LINE_ENDS

    def is_listed(self, index):
        """Whether one joiner ties the mention at ``index`` to the one before or behind it."""
        return (index > 0 and self._is_joined(index - 1, index, index - 1)) or (
            index + 1 < len(self.mentions) and self._is_joined(index, index + 1, index + 1)
        )

    def _is_joined(self, left, right, other):
        joint = self._joint(left, right)
        joined = self.mentions[other]
        if joint in _JOINER_MARKS:
            return joined.is_upper or not joined.is_letter
        return joint in _JOINER_WORDS and joined.is_upper

    def is_undecided(self, index):
        """Whether one comma and then another label or letter in capitals follow."""
        following = index + 1
        return (
            following < len(self.mentions)
            and self.mentions[following].is_upper
            and self._joint(index, following) == _COMMA
        )

    def _joint(self, left, right):
        """What stands between two neighbours, white space and marks aside.

        A joiner word that is part of a longer word counts as nothing.
        """
        start, end = self.mentions[left].end, self.mentions[right].start
        joint = self.lower[start:end].strip(GAP)
        if joint not in _JOINER_WORDS:
            return joint
        start = skip_gap(self.text, start)
        return joint if is_whole_word(self.text, start, start + len(joint)) else ""

    def counting(self):
        """The mentions that rung 7 counts."""
        return [mention for index, mention in enumerate(self.mentions) if self.counts(index)]

    def counts(self, index):
        """Whether it is a label word, or an option letter, neither in a list nor negated."""
        mention = self.mentions[index]
        return (
            mention.is_upper
            and (not mention.is_letter or is_option(self.text, mention))
            and not self.is_listed(index)
            and not self.is_negated(index)
        )

    def is_negated(self, index):
        """Whether the words around the mention at ``index``, one in capitals, turn it down."""
        if self._negated is None:
            clauses = Clauses(self.text, self.lower)
            self._negated = [
                mention.is_upper and clauses.is_negated(mention.start) for mention in self.mentions
            ]
        return self._negated[index]
