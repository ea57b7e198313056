"""Every error npc-memory raises, one tree under one base.

    NpcMemoryError
    ├── InvalidInput            invalid_input          a value the caller handed in cannot be used
    │   ├── DuplicateId         duplicate_id           two items of one section share an id
    │   ├── UnknownId           unknown_id             no NPC, player, reply … of that id
    │   ├── TextTooLong         too_long               a text is over its limit
    │   ├── RecordErased        record_erased          a recorded reply whose content was erased
    │   ├── AliasRefused        alias_refused          two ids cannot become one as asked
    │   ├── RecordingTooNew     recording_too_new      a reply recorded in a newer format
    │   ├── RecordingModel      recording_model        a reply recorded with another model
    │   ├── ArchiveInvalid      archive_invalid        no archive, or one no store could have written
    │   │   ├── ArchiveDamaged  archive_damaged        an archive cut short or changed: a checksum does not fit
    │   │   ├── ArchiveTooNew   archive_too_new        an archive written by a newer npc-memory
    │   │   └── ArchiveConflict archive_conflict       the store holds other records under these numbers
    │   ├── InvalidPolicy       invalid_policy         a budget policy that cannot work
    │   └── TemplateInvalid     template_invalid       a prompt template or chat format that cannot be used
    ├── MandatoryOverflow       mandatory_overflow     facts, state and persona do not fit the limit
    ├── WorkingMemoryClosed     working_memory_closed  a working memory was used after its reply
    ├── AuthorityViolation      authority              a writer tried to write above its rank
    ├── WorldError
    │   ├── WorldNotFound       world_not_found        no world pack of that name or path
    │   └── WorldInvalid        world_invalid          a world pack with problems (file, line, cure)
    ├── StoreError
    │   ├── StoreLocked         store_locked           another process has this world's file open
    │   ├── StoreFull           store_full             the disk is full: read-only from then on
    │   ├── StoreDamaged        store_damaged          the file is damaged: read-only from then on
    │   ├── StoreReadOnly       store_read_only        no permission to write, or after one of the two above
    │   ├── StoreTooNew         store_too_new          written by a newer npc-memory
    │   ├── StoreWrongWorld     store_wrong_world      the file belongs to another world
    │   └── Superseded          superseded             a save was loaded meanwhile; nothing was stored
    ├── ExtraMissing            extra_missing          packages of an optional extra are not installed
    ├── OutputClosed            output_closed          standard output takes no more
    ├── ModelError
    │   ├── ModelMissing        model_missing          no such model, or its file is not there
    │   ├── ModelDamaged        model_damaged          wrong or truncated model file
    │   └── EmbeddingChanged    embedding_changed      vectors of another embedding model
    ├── EngineError
    │   ├── EngineMissing       engine_missing         llama-cpp-python is not installed or cannot load
    │   ├── EngineCrashed       engine_crashed         the engine process died
    │   ├── EngineBusy          busy                   the queue is full; try again
    │   ├── DeadlinePassed      deadline               the reply took longer than allowed
    │   ├── PromptTooLong       prompt_too_long        prompt and reply exceed the model's window
    │   ├── RequestInvalid      request_invalid        the engine refused a request (bad grammar, unknown token)
    │   └── Cancelled           cancelled              the caller cancelled the request
    └── BridgeError
        ├── FrameInvalid        bad_frame              a frame that cannot be read
        ├── HelloFirst          hello_first            the first frame must be a hello
        ├── ProtocolUnsupported protocol_unsupported   another version of the wire protocol
        ├── TokenRequired       token_required         the launch token is missing or wrong
        ├── NotAvailable        not_available          a frame this version does not serve yet
        ├── PortTaken           port_taken             the address to listen on cannot be had
        ├── ConnectionLost      connection_lost        the bridge went away
        └── Internal            internal               a fault of ours

Codes are literals and never change their meaning; each has a page in ``docs/errors/``. What an error knows is on it
as attributes and, for the wire, in ``details``. No error text is ever spoken by an NPC (promise P11).
"""

from __future__ import annotations

from npc_memory.errors.archives import ArchiveConflict, ArchiveDamaged, ArchiveInvalid, ArchiveTooNew
from npc_memory.errors.base import NpcMemoryError
from npc_memory.errors.engines import (
    Cancelled,
    DeadlinePassed,
    EmbeddingChanged,
    EngineBusy,
    EngineCrashed,
    EngineError,
    EngineMissing,
    ModelDamaged,
    ModelError,
    ModelMissing,
    PromptTooLong,
    RequestInvalid,
)
from npc_memory.errors.inputs import (
    AliasRefused,
    AuthorityViolation,
    DuplicateId,
    ExtraMissing,
    InvalidInput,
    InvalidPolicy,
    MandatoryOverflow,
    RecordErased,
    RecordingModel,
    RecordingTooNew,
    TemplateInvalid,
    TextTooLong,
    UnknownId,
    WorkingMemoryClosed,
)
from npc_memory.errors.stores import (
    OutputClosed,
    StoreDamaged,
    StoreError,
    StoreFull,
    StoreLocked,
    StoreReadOnly,
    StoreTooNew,
    StoreWrongWorld,
    Superseded,
)
from npc_memory.errors.wire import (
    BridgeError,
    ConnectionLost,
    FrameInvalid,
    HelloFirst,
    Internal,
    NotAvailable,
    PortTaken,
    ProtocolUnsupported,
    TokenRequired,
)
from npc_memory.errors.worlds import Problem, WorldError, WorldInvalid, WorldNotFound

__all__ = [
    "AliasRefused",
    "ArchiveConflict",
    "ArchiveDamaged",
    "ArchiveInvalid",
    "ArchiveTooNew",
    "AuthorityViolation",
    "BridgeError",
    "Cancelled",
    "ConnectionLost",
    "DeadlinePassed",
    "DuplicateId",
    "EmbeddingChanged",
    "EngineBusy",
    "EngineCrashed",
    "EngineError",
    "EngineMissing",
    "ExtraMissing",
    "FrameInvalid",
    "HelloFirst",
    "Internal",
    "InvalidInput",
    "InvalidPolicy",
    "MandatoryOverflow",
    "ModelDamaged",
    "ModelError",
    "ModelMissing",
    "NotAvailable",
    "NpcMemoryError",
    "OutputClosed",
    "PortTaken",
    "Problem",
    "PromptTooLong",
    "ProtocolUnsupported",
    "RecordErased",
    "RecordingModel",
    "RecordingTooNew",
    "RequestInvalid",
    "StoreDamaged",
    "StoreError",
    "StoreFull",
    "StoreLocked",
    "StoreReadOnly",
    "StoreTooNew",
    "StoreWrongWorld",
    "Superseded",
    "TemplateInvalid",
    "TextTooLong",
    "TokenRequired",
    "UnknownId",
    "WorkingMemoryClosed",
    "WorldError",
    "WorldInvalid",
    "WorldNotFound",
    "all_codes",
]


def all_codes() -> dict[str, type[NpcMemoryError]]:
    """Every code and its class, sorted by code; what ``docs/errors/`` must have a page for."""
    found: dict[str, type[NpcMemoryError]] = {}
    todo: list[type[NpcMemoryError]] = [NpcMemoryError]
    while todo:
        cls = todo.pop()
        if cls.code:
            found[cls.code] = cls
        todo.extend(cls.__subclasses__())
    return dict(sorted(found.items()))
