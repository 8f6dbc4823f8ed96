"""Letters rendered, signed and handed to the relay."""
