"""A set-up step that cannot go on: what happened, and the cure; with the cures of the usual causes."""

from __future__ import annotations

import re

__all__ = ["Failure", "cure_for"]


class Failure(Exception):
    """Ends set-up. ``cure`` is what the reader should do next."""

    def __init__(self, message: str, cure: str) -> None:
        super().__init__(message)
        self.message = message
        self.cure = cure


_CURES = (
    (r"No space left on device|Errno 28|disk is full", "free some disk space, then run the same command again"),
    (
        r"DO NOT MATCH THE HASHES|Hash mismatch|hashes are required",
        "a download differs from the hash in requirements/: try again; if it stays so, the package index or a proxy"
        " serves another file than the one this project was tested with, so do not install it",
    ),
    (
        r"name resolution|Name or service not known|NewConnectionError|Network is unreachable|No route to host"
        r"|Connection refused|ConnectTimeout|Read timed out|Max retries exceeded|ProxyError|nodename nor servname",
        "connect to the internet (set-up downloads packages and the model once), then run the same command again;"
        " what has been downloaded and compiled is kept",
    ),
    (
        r"CERTIFICATE_VERIFY_FAILED|SSLError",
        "the package index's certificate is not trusted here: install ca-certificates",
    ),
    (r"ensurepip is not available", "install python3-venv (apt-get install python3-venv)"),
    (
        r"Killed signal terminated program|internal compiler error|fatal error: Killed|virtual memory exhausted",
        "the compiler ran out of memory: close other programs, or run make with JOBS=1",
    ),
    (
        r"No CMAKE_C(XX)?_COMPILER|C(XX)? compiler .* is not able to compile|cannot find -l|ld: not found",
        "install a C and C++ compiler: apt-get install build-essential (Debian, Ubuntu),"
        " dnf install gcc-c++ (Fedora), xcode-select --install (macOS)",
    ),
    (
        r"No matching distribution found|Could not find a version",
        "either the package index cannot be reached, or there is no ready-made package for this Python or machine:"
        " use CPython 3.11, 3.12 or 3.13 on x86-64 or arm64 (make PYTHON=<its path>)",
    ),
)


def cure_for(output: str, log: str) -> str:
    """Name the cure of the first known cause found in a failed step's ``output``; else point to its ``log``."""
    for pattern, cure in _CURES:
        if re.search(pattern, output):
            return cure
    return f"read {log}; running the same command again goes on where it stopped"
