"""Bots: computer players that write their moves as anybody does."""
