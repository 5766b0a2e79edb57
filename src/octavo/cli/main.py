"""The command line: finds the command, runs it, and turns whatever it raises into a line and an exit code.

This is the one place where errors meet the terminal and the one place that ends the process.
"""

from __future__ import annotations

import contextlib
import errno
import io
import logging
import os
import sys
from collections.abc import Sequence
from importlib import import_module
from typing import NoReturn

from octavo import __version__
from octavo.cli.parser import Parser
from octavo.errors import DiskFullError, OctavoError, OutOfMemoryError, UsageError
from octavo.observe import logs
from octavo.settings import load, rules

# Name -> module with `add(subparsers) -> None` and `run(args) -> int`, in the order of the help. These modules import
# nothing heavy before `run`.
COMMANDS = {
    "convert": "octavo.cli.convert",
    "models": "octavo.cli.models",
    "settings": "octavo.cli.settings",
}

INTERNAL, INTERRUPTED, PIPE_CLOSED = 70, 130, 141

logger = logging.getLogger(__name__)


def main() -> NoReturn:
    """The program `octavo`."""
    for stream in (sys.stdout, sys.stderr):  # a file name that is not valid Unicode must not end the program
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    sys.exit(run(sys.argv[1:]))


def run(arguments: Sequence[str]) -> int:
    """Runs one command line, without the program's name, and returns its exit code; raises nothing."""
    try:
        code = _dispatch(arguments)
        sys.stdout.flush()
        return code
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        _abandon_output()
        return PIPE_CLOSED
    except OctavoError as error:
        return _fail(error)
    except MemoryError:
        return _fail(OutOfMemoryError("out of memory; use fewer worker processes (--workers) or a larger machine"))
    except OSError as fault:
        if fault.errno not in (errno.ENOSPC, errno.EDQUOT):
            return _fail_internally(fault)
        _abandon_output()
        where = fault.filename or "standard output"
        return _fail(DiskFullError(f"the disk is full while writing {where}; free space and run the command again"))
    except Exception as fault:
        return _fail_internally(fault)


def build() -> Parser:
    """The parser with every command in it."""
    parser = Parser(prog="octavo", description="Read long documents: files in, Markdown, JSON, HTML and text out.")
    parser.add_argument("--version", action="version", version=f"octavo {__version__}", help="show the version")
    for name in ("log_level", "log_format"):
        rule = rules()[name][2]
        flag = f"--{name.replace('_', '-')}"
        parser.add_argument(flag, choices=rule.choices, help=f"{rule.help} (setting {name})")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", title="commands")
    for module in COMMANDS.values():
        import_module(module).add(commands)
    return parser


def _dispatch(arguments: Sequence[str]) -> int:
    try:
        args = build().parse_args(arguments)
    except SystemExit:  # how argparse ends --help and --version
        return 0
    if args.command is None:
        raise UsageError("no command given; `octavo --help` lists them")
    logs.configure(load({"log_level": args.log_level, "log_format": args.log_format}))
    code: int = import_module(COMMANDS[args.command]).run(args)
    return code


def _fail(error: OctavoError) -> int:
    logger.debug("command failed", exc_info=error)
    _say(f"octavo: error: {error.message}")
    return error.exit_code


def _fail_internally(fault: Exception) -> int:
    logger.error("internal error", exc_info=fault)
    _say(
        f"octavo: internal error: {type(fault).__name__}: this is a bug in octavo; please report it with the log above"
    )
    return INTERNAL


def _say(line: str) -> None:
    with contextlib.suppress(OSError):  # nobody reads standard error any more
        print(" ".join(line.split()), file=sys.stderr, flush=True)


def _abandon_output() -> None:
    """Sends what is left in standard output's buffer nowhere, so that the flush at exit does not fail once more."""
    with contextlib.suppress(OSError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
        os.close(nowhere)
