"""Rows and values: the only package that knows SQL."""
