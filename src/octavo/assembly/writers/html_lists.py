"""List items that follow each other, as HTML lists inside the items of lists."""

from __future__ import annotations

from octavo.assembly.writers import lists
from octavo.assembly.writers.html_runs import inline
from octavo.assembly.writers.runs import dropped, lines_of, plain
from octavo.document import Block


class Nest:
    """The lists that are open, outermost first."""

    def __init__(self) -> None:
        self._markup = ""
        self._tags: list[str] = []  # the last item of each list is open too

    def add(self, block: Block, attributes: str, *, goes_on: bool = False) -> None:
        """Adds an item at its level; one without text is left out. One that `goes_on` a list of the page before is as
        deep as it was there."""
        lines = lines_of(block)
        if not lines:
            return
        first, *rest = lines
        item = lists.parse(plain(first))
        tag = "ul" if item.number is None else "ol"
        while goes_on and len(self._tags) < block.level - 1:
            self._markup += '\n<ul>\n<li class="marked">'
            self._tags.append("ul")
        depth = lists.depth_of(block.level, len(self._tags))
        self._close(depth)
        if len(self._tags) == depth and self._tags[-1] != tag:
            self._close(depth - 1)
        if len(self._tags) == depth:
            self._markup += "</li>\n"
        else:
            self._markup += f"\n<{tag}>\n"
            self._tags.append(tag)
        value = f' value="{item.number}"' if item.number is not None else "" if item.mark else ' class="marked"'
        said = [dropped(first, len(plain(first)) - len(item.text)), *rest]
        self._markup += f"<li{value}{attributes}>{'<br>'.join(map(inline, said))}"

    def close(self) -> list[str]:
        """The outermost lists, finished, and none where no item was added."""
        self._close(0)
        markup, self._markup = self._markup.strip("\n"), ""
        return [markup] if markup else []

    def _close(self, depth: int) -> None:
        tags, self._tags = self._tags[depth:], self._tags[:depth]
        self._markup += "".join(f"</li>\n</{tag}>" for tag in reversed(tags))
