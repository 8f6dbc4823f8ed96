"""Bytes to values and back: the only place that knows how mail is written and sent."""
