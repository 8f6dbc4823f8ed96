"""A game from somebody else's package: Hex, offered through the entry-point group `pbem.rules`."""
