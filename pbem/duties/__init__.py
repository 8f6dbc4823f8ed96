"""Does what the clock has due, and what commands share with it. No command is known here."""
