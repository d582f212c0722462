"""Rung 5: a decision declared by a cue, such as ``Final answer: ASK``."""

from ._rules import GAP, RULES
from ._text import is_bounded, is_whole_word, plain_apostrophes, skip_back

_CUES = tuple(RULES["cues"])
_FREE_STARTS = tuple(RULES["freeCueStarts"])
_CUES_BY_END = {
    last: tuple((cue, cue.startswith(_FREE_STARTS)) for cue in _CUES if cue[-1] == last)
    for last in {cue[-1] for cue in _CUES}
}
_VERB = RULES["cueVerb"]
_SEPARATORS = frozenset(RULES["separators"])
_OPENED_GAP = frozenset(GAP + RULES["openers"])
_GAP = frozenset(GAP)


def declared_mentions(prose):
    """The mentions that a cue leads up to and that are neither in a list nor left open."""
    spoken = plain_apostrophes(prose.lower)
    return [
        mention
        for index, mention in enumerate(prose.mentions)
        if _has_cue(prose.text, spoken, mention.start)
        and (mention.is_upper or prose.closes_line(mention))
        and not prose.is_listed(index)
        and not prose.is_undecided(index)
    ]


def _has_cue(text, spoken, start):
    """Whether a cue, an optional verb and an optional separator lead up to this place."""
    position = skip_back(text, start, _OPENED_GAP)
    is_marked = False
    if position > 0 and text[position - 1] in _SEPARATORS:
        is_marked = True
        position = skip_back(text, position - 1, _GAP)
    if spoken.endswith(_VERB, 0, position):
        verb = position - len(_VERB)
        if is_whole_word(text, verb, position):
            is_marked = True
            position = skip_back(text, verb, _GAP)
    for cue, is_free in _CUES_BY_END.get(spoken[position - 1 : position], ()):
        if (
            (is_free or is_marked)
            and spoken.endswith(cue, 0, position)
            and is_bounded(text, position - len(cue), position)
        ):
            return True
    return False
