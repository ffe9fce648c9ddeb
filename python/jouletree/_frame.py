"""Results in notebooks as the page of ``jouletree report``, in a frame of their own.

The frame may run its own code and save files, and nothing else: it has no origin, so that it
reaches neither the notebook nor its server. Its page forbids itself the network.
"""

from __future__ import annotations

import base64
import gzip
from html import escape

from jouletree._options import options
from jouletree.errors import Error
from jouletree.reporting import Reported, page_of

# A notebook is a file that people keep and send.
_MOST_BYTES = 1_500_000
_HEIGHT = 620

# Viewers that take frames out, such as GitHub's, leave the table: the rule that hides it matches
# beside a frame only.
_STYLE = (
    "<style>.jouletree-frame{width:100%;border:1px solid #8885;border-radius:6px;resize:vertical}"
    ".jouletree-frame~.jouletree{display:none}</style>"
)

_TOO_LARGE = (
    "<p>The page of this result is too large for a notebook; .report('page.html') writes it.</p>"
)

_LOADER = """<!doctype html><meta charset="utf-8"><meta name="color-scheme" content="light dark">
<p id="wait" style="font:14px system-ui,sans-serif">Unpacking the page. If this line
stays, frames run no scripts here: print the result, or set jouletree.options.frames = False.</p>
<script type="text/plain" id="packed">PACKED</script>
<script>
(async () => {
  const text = atob(document.getElementById("packed").textContent);
  const bytes = Uint8Array.from(text, (letter) => letter.charCodeAt(0));
  const unpacked = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  const page = await new Response(unpacked).text();
  document.open();
  document.write(page);
  document.close();
})();
</script>"""


class Framed(Reported):
    """A result that notebooks show as its page."""

    def _small(self) -> str:
        """What is shown where there is no frame."""
        raise NotImplementedError

    def _repr_html_(self) -> str:
        """The page in a frame, and the small table for viewers that take frames out. The table
        alone where frames are switched off, where the page is too large, and where there is
        none."""
        if not options.frames:
            return self._small()
        try:
            text, _ = page_of(self._subjects())
        except Error:
            return self._small()
        packed = base64.b64encode(gzip.compress(text.encode(), compresslevel=9, mtime=0)).decode()
        if len(packed) > _MOST_BYTES:
            return self._small() + _TOO_LARGE
        source = escape(_LOADER.replace("PACKED", packed), quote=True)
        return (
            f"{_STYLE}<iframe class='jouletree-frame' sandbox='allow-scripts allow-downloads' "
            f"height='{_HEIGHT}' title='JouleTree' srcdoc=\"{source}\"></iframe>{self._small()}"
        )
