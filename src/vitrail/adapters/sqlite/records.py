"""Statements for projects, conversations, messages, runs and settings.

A record is stored as the JSON of its wire model, with columns beside it for
what is asked for. Every function takes a connection that is in a transaction.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Mapping

from vitrail.errors import Conflict, NotFound
from vitrail.ports import PromptMessage
from vitrail.protocol.records import Conversation, Message, Project, Run

__all__ = [
    "delete_conversation",
    "delete_project",
    "find_root",
    "get_conversation",
    "get_project",
    "get_prompt",
    "get_run",
    "get_settings",
    "list_conversations",
    "list_messages",
    "list_projects",
    "list_roots",
    "list_running",
    "list_runs",
    "project_at",
    "project_named",
    "put_conversation",
    "put_message",
    "put_project",
    "put_run",
    "put_settings",
    "root_of",
    "update_conversation",
    "update_project",
]

_PROJECT = "SELECT id, name, title, created_at, updated_at FROM projects"
_CONVERSATION = (
    "SELECT id, project_id, title, created_at, updated_at FROM conversations"
)


def put_project(db: sqlite3.Connection, project: Project, root: str | None) -> None:
    """Insert or replace a project; ``root`` None keeps it, or is ``projects/NAME``."""
    values = project.model_dump(by_alias=False)
    values["root"] = root or f"projects/{project.name}"
    values["new_root"] = root
    try:
        db.execute(
            "INSERT INTO projects (id, name, title, root, created_at, updated_at)"
            " VALUES (:id, :name, :title, :root, :created_at, :updated_at)"
            " ON CONFLICT (id) DO UPDATE SET title = excluded.title,"
            " updated_at = excluded.updated_at, root = coalesce(:new_root, root)",
            values,
        )
    except sqlite3.IntegrityError as cause:
        raise Conflict(
            f"There is a project named {project.name} already; choose another name.",
            code="project-exists",
        ) from cause


def update_project(
    db: sqlite3.Connection, project_id: str, updated_at: str, title: str | None
) -> None:
    """Change a project that is there; raise ``NotFound('project-not-found')``."""
    get_project(db, project_id)
    db.execute(
        "UPDATE projects SET updated_at = max(updated_at, ?),"
        " title = coalesce(?, title) WHERE id = ?",
        (updated_at, title, project_id),
    )


def delete_project(db: sqlite3.Connection, project_id: str, *, up_to_seq: int) -> None:
    """Forget a project; of its events, those numbered ``up_to_seq`` or less.

    Raises ``Conflict('run-active')`` while one of its runs goes on.
    """
    _refuse_while_running(db, "project_id", project_id)
    db.execute(
        "INSERT OR REPLACE INTO released (project_id, project, digest)"
        " SELECT DISTINCT r.project_id, p.name, r.digest"
        " FROM revisions r JOIN projects p ON p.id = r.project_id"
        " WHERE r.project_id = ?",
        (project_id,),
    )
    for table in (
        "conversations",
        "messages",
        "runs",
        "carried",
        "revisions",
        "heads",
        "placements",
        "quarantine",
        "digests",
        "settings",
    ):
        db.execute(f"DELETE FROM {table} WHERE project_id = ?", (project_id,))  # noqa: S608 - names from the tuple above
    db.execute(
        "DELETE FROM events WHERE project_id = ? AND seq <= ?", (project_id, up_to_seq)
    )
    db.execute("DELETE FROM projects WHERE id = ?", (project_id,))


def list_projects(db: sqlite3.Connection) -> tuple[Project, ...]:
    """Return all projects, the last used first."""
    rows = db.execute(f"{_PROJECT} ORDER BY updated_at DESC, id DESC")
    return tuple(_project(row) for row in rows)


def get_project(db: sqlite3.Connection, project_id: str) -> Project:
    """Return a project; raise ``NotFound('project-not-found')``."""
    row = db.execute(f"{_PROJECT} WHERE id = ?", (project_id,)).fetchone()
    if row is None:
        raise NotFound("There is no such project.", code="project-not-found")
    return _project(row)


def project_named(db: sqlite3.Connection, name: str) -> Project | None:
    """Return the project with that folder name, if there is one."""
    row = db.execute(f"{_PROJECT} WHERE name = ?", (name,)).fetchone()
    return None if row is None else _project(row)


def find_root(db: sqlite3.Connection, project_id: str) -> str | None:
    """Return where a project's folder is, or None where there is no such project."""
    row = db.execute("SELECT root FROM projects WHERE id = ?", (project_id,)).fetchone()
    return None if row is None else str(row[0])


def list_roots(db: sqlite3.Connection) -> dict[str, str]:
    """Return where each project's folder is, by the project's id."""
    return dict(db.execute("SELECT id, root FROM projects"))


def project_at(db: sqlite3.Connection, root: str) -> Project | None:
    """Return the project whose folder is recorded as ``root``, if there is one."""
    row = db.execute(f"{_PROJECT} WHERE root = ?", (root,)).fetchone()
    return None if row is None else _project(row)


def root_of(db: sqlite3.Connection, project_id: str) -> str:
    """Return where a project's folder is; raise ``NotFound('project-not-found')``."""
    root = find_root(db, project_id)
    if root is None:
        raise NotFound("There is no such project.", code="project-not-found")
    return root


def _project(row: tuple[str, str, str, str, str]) -> Project:
    identity, name, title, created_at, updated_at = row
    return Project(
        id=identity,
        name=name,
        title=title,
        created_at=created_at,
        updated_at=updated_at,
    )


def put_conversation(db: sqlite3.Connection, conversation: Conversation) -> None:
    """Insert or replace a conversation of a project that is there."""
    get_project(db, conversation.project_id)
    db.execute(
        "INSERT INTO conversations (id, project_id, title, created_at, updated_at)"
        " VALUES (:id, :project_id, :title, :created_at, :updated_at)"
        " ON CONFLICT (id) DO UPDATE SET title = excluded.title,"
        " updated_at = excluded.updated_at",
        conversation.model_dump(by_alias=False),
    )


def update_conversation(
    db: sqlite3.Connection, conversation_id: str, updated_at: str, title: str | None
) -> None:
    """Change a conversation that is there; raise ``NotFound``."""
    get_conversation(db, conversation_id)
    db.execute(
        "UPDATE conversations SET updated_at = max(updated_at, ?),"
        " title = coalesce(?, title) WHERE id = ?",
        (updated_at, title, conversation_id),
    )


def delete_conversation(db: sqlite3.Connection, conversation_id: str) -> None:
    """Forget a conversation with its messages and runs; its events stay.

    Raises ``Conflict('run-active')`` while its run goes on.
    """
    _refuse_while_running(db, "conversation_id", conversation_id)
    for table in ("messages", "runs", "carried"):
        db.execute(
            f"DELETE FROM {table} WHERE conversation_id = ?",  # noqa: S608 - names from the tuple above
            (conversation_id,),
        )
    db.execute("DELETE FROM conversations WHERE id = ?", (conversation_id,))


def list_conversations(
    db: sqlite3.Connection, project_id: str
) -> tuple[Conversation, ...]:
    """Return a project's conversations, the last used first."""
    get_project(db, project_id)
    rows = db.execute(
        f"{_CONVERSATION} WHERE project_id = ? ORDER BY updated_at DESC, id DESC",
        (project_id,),
    )
    return tuple(_conversation(row) for row in rows)


def get_conversation(db: sqlite3.Connection, conversation_id: str) -> Conversation:
    """Return a conversation; raise ``NotFound('conversation-not-found')``."""
    row = db.execute(f"{_CONVERSATION} WHERE id = ?", (conversation_id,)).fetchone()
    if row is None:
        raise NotFound("There is no such conversation.", code="conversation-not-found")
    return _conversation(row)


def _conversation(row: tuple[str, str, str, str, str]) -> Conversation:
    identity, project_id, title, created_at, updated_at = row
    return Conversation(
        id=identity,
        project_id=project_id,
        title=title,
        created_at=created_at,
        updated_at=updated_at,
    )


def put_message(db: sqlite3.Connection, message: Message) -> None:
    """Insert a message at the end of its conversation, or replace it where it is."""
    project_id = get_conversation(db, message.conversation_id).project_id
    db.execute(
        "INSERT INTO messages (id, project_id, conversation_id, run_id, body)"
        " VALUES (?, ?, ?, ?, ?) ON CONFLICT (id) DO UPDATE SET"
        " run_id = excluded.run_id, body = excluded.body",
        (
            message.id,
            project_id,
            message.conversation_id,
            message.run_id,
            message.model_dump_json(),
        ),
    )


def list_messages(
    db: sqlite3.Connection, conversation_id: str
) -> tuple[tuple[Message, bool], ...]:
    """Return the messages in order, each with whether its run is still running."""
    rows = db.execute(
        "SELECT m.body, r.state IS 'running' FROM messages m"
        " LEFT JOIN runs r ON r.id = m.run_id"
        " WHERE m.conversation_id = ? ORDER BY m.position",
        (conversation_id,),
    )
    return tuple(
        (Message.model_validate_json(body), bool(is_running))
        for body, is_running in rows
    )


def put_run(
    db: sqlite3.Connection, run: Run, prompt: tuple[PromptMessage, ...] | None
) -> None:
    """Insert or replace a run; ``prompt`` None leaves what was sent as it is.

    Raises ``Conflict('run-active')`` where another one of the conversation is
    running: asked here, inside the transaction, no other process can be quicker.
    """
    if run.state == "running":
        _refuse_second_run(db, run)
    sent = (
        None
        if prompt is None
        else json.dumps([[m.role, m.content] for m in prompt], ensure_ascii=False)
    )
    db.execute(
        "INSERT INTO runs (id, project_id, conversation_id, state, body, prompt)"
        " VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO UPDATE SET"
        " state = excluded.state, body = excluded.body,"
        " prompt = coalesce(excluded.prompt, prompt)",
        (
            run.id,
            run.project_id,
            run.conversation_id,
            run.state,
            run.model_dump_json(),
            sent,
        ),
    )


def get_run(db: sqlite3.Connection, run_id: str) -> Run:
    """Return a run; raise ``NotFound('run-not-found')``."""
    row = db.execute("SELECT body FROM runs WHERE id = ?", (run_id,)).fetchone()
    if row is None:
        raise NotFound("There is no such run.", code="run-not-found")
    return Run.model_validate_json(row[0])


def get_prompt(db: sqlite3.Connection, run_id: str) -> tuple[PromptMessage, ...]:
    """Return what a run's model was sent; raise ``NotFound('run-not-found')``."""
    row = db.execute("SELECT prompt FROM runs WHERE id = ?", (run_id,)).fetchone()
    if row is None:
        raise NotFound("There is no such run.", code="run-not-found")
    sent = json.loads(row[0]) if row[0] else []
    return tuple(PromptMessage(role=role, content=content) for role, content in sent)


def _refuse_second_run(db: sqlite3.Connection, run: Run) -> None:
    found = db.execute(
        "SELECT id FROM runs"
        " WHERE conversation_id = ? AND state = 'running' AND id != ?",
        (run.conversation_id, run.id),
    ).fetchone()
    if found is not None:
        raise Conflict(
            "A run of this conversation goes on. Stop it, or wait until it is done.",
            code="run-active",
            run=found[0],
        )


def _refuse_while_running(db: sqlite3.Connection, column: str, identity: str) -> None:
    found = db.execute(
        f"SELECT id FROM runs WHERE {column} = ? AND state = 'running'",  # noqa: S608 - a column that is named here
        (identity,),
    ).fetchone()
    if found is not None:
        raise Conflict(
            "A run is going on. Stop it first, then delete.",
            code="run-active",
            run=found[0],
        )


def list_runs(db: sqlite3.Connection, conversation_id: str) -> tuple[Run, ...]:
    """Return the runs of a conversation, the oldest first."""
    rows = db.execute(
        "SELECT body FROM runs WHERE conversation_id = ? ORDER BY id",
        (conversation_id,),
    )
    return tuple(Run.model_validate_json(body) for (body,) in rows)


def list_running(db: sqlite3.Connection) -> tuple[Run, ...]:
    """Return the runs whose state is ``running``, the oldest first."""
    rows = db.execute("SELECT body FROM runs WHERE state = 'running' ORDER BY id")
    return tuple(Run.model_validate_json(body) for (body,) in rows)


def get_settings(db: sqlite3.Connection) -> dict[str, str]:
    """Return the data folder's settings."""
    return dict(db.execute("SELECT key, value FROM settings WHERE project_id = ''"))


def put_settings(db: sqlite3.Connection, values: Mapping[str, str | None]) -> None:
    """Set the data folder's settings; None removes one."""
    for key, value in values.items():
        if value is None:
            db.execute("DELETE FROM settings WHERE project_id = '' AND key = ?", (key,))
        else:
            db.execute(
                "INSERT INTO settings (key, value) VALUES (?, ?)"
                " ON CONFLICT (tenant, project_id, key)"
                " DO UPDATE SET value = excluded.value",
                (key, value),
            )
