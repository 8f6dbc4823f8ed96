"""Decisions only: no database, mail, web or clock."""
