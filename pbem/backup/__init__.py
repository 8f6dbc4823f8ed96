"""Backups: a server's rows, keys, settings and files in one file."""
