"""What takes long to make, kept while there is room: the one used longest ago goes first.

One thing at a time is made, so that whoever asks for many costs no more than one processor.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from threading import Lock


class Kept:
    """At most `most` things by their keys; safe to ask from several threads."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._found: OrderedDict[Hashable, bytes] = OrderedDict()
        self._making = Lock()

    def get(self, key: Hashable, make: Callable[[], bytes]) -> bytes:
        """The thing of this key, made now if it is not there."""
        with self._making:
            if key not in self._found:
                self._found[key] = make()
                if len(self._found) > self._most:
                    self._found.popitem(last=False)
            self._found.move_to_end(key)
            return self._found[key]
