"""Players' preferences: letters, reminders, settings."""
