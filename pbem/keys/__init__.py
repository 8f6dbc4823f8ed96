"""Keys that sign reply addresses and game records."""
