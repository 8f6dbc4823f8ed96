"""The mailroom of development mode."""
