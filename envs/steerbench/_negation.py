"""Which labels the words around them turn down, as far as rung 7 looks."""

import re

from ._rules import RULES, WHITE_SPACE, char_class, one_of
from ._text import WORD, plain_apostrophes

_WHITE = char_class(WHITE_SPACE)
_CLAUSE_END = re.compile(
    f"{char_class(RULES['clauseEnds'])}"
    f"|{char_class(RULES['clauseHyphen'])}(?<={_WHITE}.)(?={_WHITE})"
)
_CLAUSE_WORD = RULES["clauseWord"]
_NEGATORS = frozenset(RULES["negators"])
_NEGATED_ENDING = RULES["negatedEnding"]
_NEGATOR_REACH = RULES["negatorReach"]
_NEGATED_AFTER = frozenset(RULES["negatedAfter"])
_COPULAS = tuple(tuple(copula.split(" ")) for copula in RULES["copulas"])
_REFUSALS = frozenset(RULES["refusals"])
_REFUSAL_REACH = RULES["refusalReach"]
_REACH_BEHIND = max(map(len, _COPULAS)) + _REFUSAL_REACH

#: A clause with none of these in it negates nothing, whatever its words are.
_TRIGGER = re.compile(one_of([*_NEGATORS, _NEGATED_ENDING, *_NEGATED_AFTER, *_REFUSALS]))


class Clauses:
    """The clauses of a text, each split into words when the first mention in it asks."""

    def __init__(self, text, lower):
        self._lower = plain_apostrophes(lower)
        self._length = len(text)
        self._ends = _CLAUSE_END.finditer(text)
        self._next_start = self._end = 0
        self._words = []
        self._holder = 0

    def is_negated(self, place):
        """Whether the word that holds this place is negated; places come in order."""
        if place >= self._end:
            self._enter(place)
        words = self._words
        while self._holder < len(words) and words[self._holder][1] <= place:
            self._holder += 1
        if not words:
            return False
        return self._is_denied_before() or self._is_denied_behind()

    def _enter(self, place):
        """Goes to the clause that holds the place."""
        start = self._next_start
        self._end = self._next_start = self._length
        for match in self._ends:
            if match.start() >= place:
                self._end, self._next_start = match.span()
                break
            start = match.end()
        self._words = []
        self._holder = 0
        if _TRIGGER.search(self._lower, start, self._end):
            self._split(start)

    def _split(self, start):
        """Lists the words of the clause as ``(start, end, bare word)``."""
        for match in WORD.finditer(self._lower, start, self._end):
            self._words.append((*match.span(), match.group().strip("_")))

    def _is_denied_before(self):
        for place in range(self._holder - 1, max(-1, self._holder - 1 - _NEGATOR_REACH), -1):
            word = self._words[place][2]
            if word == _CLAUSE_WORD:
                return False
            if word in _NEGATORS or word.endswith(_NEGATED_ENDING):
                return True
        return False

    def _is_denied_behind(self):
        start = self._holder + 1
        words = [word for _, _, word in self._words[start : start + _REACH_BEHIND]]
        if _CLAUSE_WORD in words:
            words = words[: words.index(_CLAUSE_WORD)]
        if not words:
            return False
        return words[0] in _NEGATED_AFTER or any(_is_refused(words, verb) for verb in _COPULAS)


def _is_refused(words, copula):
    """Whether the words begin with the copula and then say `not`, `so wrong` and the like."""
    if tuple(words[: len(copula)]) != copula:
        return False
    behind = words[len(copula) : len(copula) + _REFUSAL_REACH]
    return any(word in _REFUSALS or word.endswith(_NEGATED_ENDING) for word in behind)
