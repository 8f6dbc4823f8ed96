"""Mail as a person's program writes and reads it, for demos and tests."""
