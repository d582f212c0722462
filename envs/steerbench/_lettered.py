"""What only lettered replies need: which letters count as words, and letter against label."""

from ._rules import GAP, LINE_ENDS, RULES, WHITE_SPACE_IN_LINE

_TIES = RULES["letterTies"]
_TAILS = frozenset(RULES["letterTails"] + LINE_ENDS)
_OPENERS = tuple(RULES["openers"])
_CLOSERS = tuple(RULES["closers"])


def is_option(text, letter):
    """Whether a capital letter is set off as an option, not a word of prose (`A build`)."""
    return letter.end == len(text) or text[letter.end] in _TAILS


def names_differ(mentions):
    """Whether a letter and a label among these name different labels."""
    if len(mentions) < 2:
        return False
    by_letter = {mention.label for mention in mentions if mention.is_letter}
    by_word = {mention.label for mention in mentions if not mention.is_letter}
    return bool(by_letter and by_word) and len(by_letter | by_word) > 1


def _is_tied_behind(text, letter, word, is_declared):
    """Whether a label stands behind the letter on its line: ``B) ASK``.

    After a letter that rung 5 would declare, white space alone ties.
    """
    between = text[letter.end : word.start]
    if between.strip(WHITE_SPACE_IN_LINE + _TIES):
        return False
    return is_declared or bool(between.strip(WHITE_SPACE_IN_LINE))


def _is_bracketed_behind(text, word, letter):
    """Whether the letter stands in brackets directly behind the label: ``ASK (B)``."""
    return (
        text[letter.end : letter.end + 1] in _CLOSERS
        and text[word.end : letter.start].lstrip(GAP) in _OPENERS
    )


def contradicts_letter(prose, declared):
    """Whether a label that counts is tied to an option letter that stands for another one."""
    text, mentions, declared = prose.text, prose.mentions, set(declared)
    for index in range(1, len(mentions)):
        first, second = mentions[index - 1], mentions[index]
        if first.is_letter == second.is_letter or first.label == second.label:
            continue
        if first.is_letter:
            is_tied = first.is_upper and _is_tied_behind(text, first, second, first in declared)
        else:
            is_tied = second.is_upper and _is_bracketed_behind(text, first, second)
        if is_tied and prose.counts(index if first.is_letter else index - 1):
            return True
    return False
