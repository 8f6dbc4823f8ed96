"""Rows to values and back: the only place that knows SQL."""
