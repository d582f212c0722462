"""The one error that this package raises on purpose."""


class SteerError(ValueError):
    """Broken input or a broken call; what a model does wrong is a value in its result."""
