"""`python -m benchmarks.convert_child SETTINGS IN OUT…`: a program that converts a document with `octavo.convert`.

SETTINGS is a JSON object. For each page a line with its number and status goes to standard output.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

import octavo
from octavo.conversion.outputs import Output, Outputs, format_of
from octavo.settings import Settings


def main(settings: str, document: str, *targets: str) -> None:
    outputs = [Output(Path(target), format_of(Path(target))) for target in targets]
    # What Conversion.write does, with a word after each page.
    with octavo.convert(document, settings=Settings(**json.loads(settings))) as conversion, Outputs(outputs) as files:
        files.begin(conversion.source)
        for page in conversion:
            files.page(page)
            print(page.page, page.status, flush=True)
        assert conversion.summary is not None
        files.finish(conversion.summary)


if __name__ == "__main__":
    main(*sys.argv[1:])
