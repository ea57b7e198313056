"""Downloads from a real web server on this machine that can be told to misbehave."""

from __future__ import annotations

import hashlib
import os
import threading
from collections.abc import Iterator
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from npc_memory.errors import ModelDamaged, ModelError, ModelMissing
from npc_memory.inference import CatalogueEntry, UrlSource
from npc_memory.inference.pull import pull_entry

BODY = b"GGUF" + (3).to_bytes(4, "little") + bytes(range(256)) * 4000
SHA256 = hashlib.sha256(BODY).hexdigest()


class Server(ThreadingHTTPServer):
    mode = "ranges"
    ranges: list[str]

    def handle_error(self, request: object, address: object) -> None:
        """A client that hangs up is what some tests are about."""

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}/model"


class Handler(BaseHTTPRequestHandler):
    server: Server

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing."""

    def do_GET(self) -> None:
        wanted = self.headers.get("Range", "")
        self.server.ranges.append(wanted)
        start = int(wanted[6:-1]) if wanted and self.server.mode != "no ranges" else 0
        mode = self.server.mode
        if mode == "404":
            self.send_error(404)
            return
        if mode == "416":
            self.send_error(416)
            return
        body = {"wrong": BODY[:-1] + b"!", "long": BODY + b"more"}.get(mode, BODY)[start:]
        self.send_response(206 if start else 200)
        if start:
            told = start + 1 if mode == "other range" else start
            self.send_header("Content-Range", f"bytes {told}-{len(BODY) - 1}/{len(BODY)}")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body[: len(body) // 2] if mode == "broken" else body)


@pytest.fixture
def server() -> Iterator[Server]:
    with Server(("127.0.0.1", 0), Handler) as opened:
        opened.ranges = []
        thread = threading.Thread(target=opened.serve_forever)
        thread.start()
        yield opened
        opened.shutdown()
        thread.join()


@pytest.fixture
def entry(server: Server) -> CatalogueEntry:
    return CatalogueEntry("m", "m.gguf", len(BODY), SHA256, "none", "chatml", 64, UrlSource(server.url))


def left(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_a_download_arrives_whole_and_is_told_of(entry: CatalogueEntry, tmp_path: Path) -> None:
    heard: list[tuple[int, int]] = []
    path = pull_entry(entry, tmp_path / "new", lambda done, total: heard.append((done, total)))
    assert path.read_bytes() == BODY
    assert left(tmp_path / "new") == ["m.gguf"]
    assert heard == sorted(heard)
    assert heard[-1] == (len(BODY), len(BODY))


def test_one_broken_off_is_resumed(entry: CatalogueEntry, server: Server, tmp_path: Path) -> None:
    server.mode = "broken"
    with pytest.raises(ModelMissing, match="broke off"):
        pull_entry(entry, tmp_path)
    assert left(tmp_path) == ["m.gguf.part"]
    have = (tmp_path / "m.gguf.part").stat().st_size
    server.mode = "ranges"
    assert pull_entry(entry, tmp_path).read_bytes() == BODY
    assert server.ranges == ["", f"bytes={have}-"]
    assert left(tmp_path) == ["m.gguf"]


def test_a_server_without_ranges_starts_again(entry: CatalogueEntry, server: Server, tmp_path: Path) -> None:
    (tmp_path / "m.gguf.part").write_bytes(BODY[:1000])
    server.mode = "no ranges"
    assert pull_entry(entry, tmp_path).read_bytes() == BODY


def test_a_complete_part_needs_no_server(entry: CatalogueEntry, server: Server, tmp_path: Path) -> None:
    (tmp_path / "m.gguf.part").write_bytes(BODY)
    assert pull_entry(entry, tmp_path).read_bytes() == BODY
    assert server.ranges == []


@pytest.mark.parametrize(
    ("mode", "part", "error", "stays"),
    [
        ("wrong", b"", ModelDamaged, []),
        ("ranges", b"?" * 500, ModelDamaged, []),
        ("404", b"", ModelMissing, []),
        ("404", BODY[:9], ModelMissing, ["m.gguf.part"]),
        ("416", BODY[:9], ModelMissing, []),
        ("other range", BODY[:9], ModelMissing, ["m.gguf.part"]),
    ],
)
def test_nothing_wrong_ever_gets_the_name(
    mode: str,
    part: bytes,
    error: type[ModelError],
    stays: list[str],
    entry: CatalogueEntry,
    server: Server,
    tmp_path: Path,
) -> None:
    server.mode = mode
    if part:
        (tmp_path / "m.gguf.part").write_bytes(part)
    with pytest.raises(error) as caught:
        pull_entry(entry, tmp_path)
    assert caught.value.hint
    assert left(tmp_path) == stays


def test_one_that_is_too_long_is_stopped(entry: CatalogueEntry, server: Server, tmp_path: Path) -> None:
    server.mode = "long"
    with pytest.raises(ModelDamaged, match="more than"):
        pull_entry(entry, tmp_path)
    assert "m.gguf" not in left(tmp_path)
    server.mode = "ranges"
    assert pull_entry(entry, tmp_path).read_bytes() == BODY


def test_a_sound_file_is_left_alone(entry: CatalogueEntry, server: Server, tmp_path: Path) -> None:
    pull_entry(entry, tmp_path)
    pull_entry(entry, tmp_path)
    assert len(server.ranges) == 1


def test_a_damaged_file_is_replaced(entry: CatalogueEntry, tmp_path: Path) -> None:
    (tmp_path / "m.gguf").write_bytes(b"half a file")
    assert pull_entry(entry, tmp_path).read_bytes() == BODY


def test_no_server_and_no_https_are_told(entry: CatalogueEntry, server: Server, tmp_path: Path) -> None:
    with pytest.raises(ModelMissing, match="broke off"):
        pull_entry(replace(entry, source=UrlSource("http://127.0.0.1:1/model")), tmp_path)
    for url in ("http://example.invalid/m", "file:///etc/hostname"):
        with pytest.raises(ModelMissing, match="https"):
            pull_entry(replace(entry, source=UrlSource(url)), tmp_path)


@pytest.mark.skipif(os.name == "nt", reason="needs a device that is always full")
def test_a_full_disk_is_told_as_one(entry: CatalogueEntry, tmp_path: Path) -> None:
    (tmp_path / "m.gguf.part").symlink_to("/dev/full")
    with pytest.raises(ModelError, match="cannot be written") as caught:
        pull_entry(entry, tmp_path)
    assert "space" in caught.value.hint
