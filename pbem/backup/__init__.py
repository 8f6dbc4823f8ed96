"""Backups: a server's rows, keys, settings and own files in one file, and back from it."""
