"""Settings: their table, parsers, and how they are loaded."""
