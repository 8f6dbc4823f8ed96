"""Abstract board games by mail: people answer letters, the server keeps the games."""

__version__ = "0.1.0"
