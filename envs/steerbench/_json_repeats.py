"""Objects that name a field twice: which one counts differs from reader to reader."""


def without_repeats(pairs):
    """An ``object_pairs_hook`` of the json module; raises ValueError naming the repeated key."""
    fields = dict(pairs)
    if len(fields) < len(pairs):
        keys = [key for key, _ in pairs]
        raise ValueError(f"repeated key {next(key for key in keys if keys.count(key) > 1)!r}")
    return fields
