"""``python -m jouletree`` is the command ``jouletree``."""

from jouletree._command import main

main()
