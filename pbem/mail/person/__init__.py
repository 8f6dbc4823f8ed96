"""Mail as a person's program handles it, for demos and tests."""
