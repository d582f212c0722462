"""Reward schemes by name, from a file or with prices replaced; none under which garbage pays."""

import os
from collections.abc import Mapping
from types import MappingProxyType

from ._errors import SteerError
from ._outcome import OUTCOMES, SCHEMES, Scheme, dominance, with_prices
from ._scheme_file import read_scheme_file, scheme_of_table

__all__ = ["resolve_scheme"]


def resolve_scheme(scheme="asymmetric", prices=None, allow_dominated=False):
    """The :class:`Scheme` that a caller means, checked.

    ``scheme``: ``"symmetric"``, ``"asymmetric"``, the path of a scheme file as
    ``steerbench score --scheme FILE`` reads it, the content of one as a mapping, or a Scheme.
    ``prices``: replaces prices; a mapping from outcome to number, or a list of ``outcome=number``
    texts as command lines have them. ``allow_dominated``: accepts prices under which an
    unreadable or cut-off answer pays no less than a holding answer (any label but ACT) would.

    Raises SteerError for an unknown name or outcome, a price that is no finite number, a broken
    file, and dominated prices, naming the cells.
    """
    resolved = with_prices(_base(scheme), _changes(prices))
    if not allow_dominated:
        _refuse_dominated(resolved)
    return resolved


def _base(scheme):
    if isinstance(scheme, Scheme):
        return known_scheme(scheme)
    if isinstance(scheme, Mapping):
        return scheme_of_table(dict(scheme), "scheme")
    if isinstance(scheme, str) and scheme in SCHEMES:
        return SCHEMES[scheme]
    if isinstance(scheme, (str, os.PathLike)):
        if os.path.exists(scheme):
            return read_scheme_file(scheme)
        names = ", ".join(SCHEMES)
        raise SteerError(f"unknown scheme {os.fspath(scheme)!r}: use {names} or a scheme file")
    raise SteerError(f"a scheme is a name, a file, a table or a Scheme, not {scheme!r}")


def known_scheme(scheme):
    """The Scheme itself, its prices as floats; raises SteerError for a broken one."""
    if scheme.parse not in ("strict", "lenient"):
        raise SteerError(f"scheme {scheme.name}: parse is strict or lenient, not {scheme.parse!r}")
    missing = [outcome for outcome in OUTCOMES if outcome not in scheme.prices]
    if missing:
        raise SteerError(f"scheme {scheme.name}: no price for {', '.join(missing)}")
    blank = scheme._replace(prices=MappingProxyType(dict.fromkeys(OUTCOMES)))
    return with_prices(blank, scheme.prices)


def _changes(prices):
    if prices is None:
        return {}
    if isinstance(prices, Mapping):
        return dict(prices)
    if isinstance(prices, str):
        prices = [prices]
    return dict(map(_price, prices))


def _price(text):
    outcome, sign, number = str(text).partition("=")
    try:
        # float() also reads 1_0, and numerals of every script.
        if sign and "_" not in number and number.isascii():
            return outcome, float(number)
    except ValueError:
        pass
    raise SteerError(f"price {text!r}: write it as outcome=number, such as wrong=-0.05")


def _refuse_dominated(scheme):
    # A premature ACT may pay less than garbage: the asymmetric scheme means it to.
    cells = [
        f"gold {cell.gold}, answer {cell.answer}: pays {cell.pays}, garbage pays {cell.garbage}"
        for cell in dominance(scheme).dominated
        if cell.answer != "ACT" or cell.gold == "ACT"
    ]
    if cells:
        listed = "\n  ".join(cells)
        raise SteerError(
            f"scheme {scheme.name}: garbage pays no less than a readable answer:\n  {listed}\n"
            "Lower unreadable and cut_off, or pass allow_dominated=True."
        )
