"""A mail's way in, from receipt to its disposition."""
