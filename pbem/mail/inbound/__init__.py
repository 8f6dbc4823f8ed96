"""Bytes that came in, read as a mail."""
