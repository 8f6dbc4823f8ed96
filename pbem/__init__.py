"""Abstract board games by mail: people answer letters, the server keeps games."""

from importlib.metadata import PackageNotFoundError, version

try:
    __version__ = version("pbem")
except PackageNotFoundError:  # run from a folder without being installed
    __version__ = "0.dev0"
