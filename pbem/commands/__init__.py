"""Carries out commands, and the acts of directors. Each noun has a module."""
