"""Finished games as a folder of static files."""
