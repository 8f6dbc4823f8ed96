"""Letters as values: kind, recipient, facts."""
