"""What the library says of a file that was made for the moment is said of what the user gave."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Mapping

from jouletree.errors import Error


@contextlib.contextmanager
def called(names: Mapping[str, str]) -> Iterator[None]:
    """Errors call each of these paths by its name."""
    try:
        yield
    except Error as error:
        text = by_name(str(error), names)
        if text == str(error):
            raise
        raise type(error)(text) from None


def by_name(text: str, names: Mapping[str, str]) -> str:
    """The longest paths first, since others may be above them."""
    for path in sorted(names, key=len, reverse=True):
        text = text.replace(path, names[path])
    return text
