"""Scheme files: what ``steerbench score --scheme FILE`` reads, read alike."""

import json
import re
from collections.abc import Mapping

from ._errors import SteerError
from ._json_repeats import without_repeats
from ._outcome import OUTCOMES, Scheme, with_prices

_FIELDS = ("version", "name", "parse", "prices")
_NAME = re.compile("[a-z][a-z0-9_-]*")


def read_scheme_file(path):
    """The Scheme in a file; raises SteerError listing every fault."""
    try:
        with open(path, encoding="utf-8-sig") as file:
            # Prices only; so that a whole number beyond every float becomes infinite, not a fault.
            table = json.load(file, parse_int=float, object_pairs_hook=without_repeats)
    except (OSError, ValueError, RecursionError) as error:
        raise SteerError(f"{path}: cannot read the scheme file: {error}") from error
    return scheme_of_table(table, path)


def scheme_of_table(table, where):
    """A Scheme from ``{version: 1, name, parse, prices}``; ``where`` names it in errors."""
    faults = _faults(table)
    if faults:
        raise SteerError(f"{where}: is not a valid scheme:\n  " + "\n  ".join(faults))
    prices = dict.fromkeys(OUTCOMES)
    return with_prices(Scheme(table["name"], table["parse"], prices), table["prices"])


def _faults(table):
    if not isinstance(table, dict):
        return [f"must be an object, not {table!r}"]
    faults = [f"{key}: unknown field" for key in table if key not in _FIELDS]
    faults += [f"{key}: missing" for key in _FIELDS if key not in table]
    # Files are read with floats for whole numbers; True equals 1, and is none.
    version = table.get("version", 1)
    if isinstance(version, bool) or not isinstance(version, (int, float)) or version != 1:
        faults.append(f"version: must be 1, not {table['version']!r}")
    name = table.get("name", "a")
    if not isinstance(name, str) or not _NAME.fullmatch(name):
        faults.append(f"name: must be a lower-case word, not {name!r}")
    if table.get("parse", "strict") not in ("strict", "lenient"):
        faults.append(f"parse: must be strict or lenient, not {table['parse']!r}")
    prices = table.get("prices", {})
    if not isinstance(prices, Mapping):
        faults.append(f"prices: must be an object, not {prices!r}")
    elif "prices" in table:
        faults += [f"prices: no price for {key}" for key in OUTCOMES if key not in prices]
    return faults
