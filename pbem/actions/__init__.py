"""Carries out what a command or the clock does. Each noun has a module."""
