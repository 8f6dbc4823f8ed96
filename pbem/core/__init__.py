"""What is decided, and nothing that touches the world: no database, no mail, no web, no clock."""
