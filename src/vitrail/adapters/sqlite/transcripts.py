"""Statements for transcripts: conversations read one by one, and inserted as they come.

What a transcript says that no record has a field for is in ``carried``, by the
id of the conversation or the message that it belongs to.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Iterator

from vitrail.adapters.sqlite import records
from vitrail.adapters.sqlite.events import append_event, list_run_events
from vitrail.core.parse import PartFolder
from vitrail.errors import NotFound
from vitrail.ports import EventPlace, StoredEvent
from vitrail.protocol.events import ConversationChanged
from vitrail.protocol.records import Conversation, Message, Run
from vitrail.protocol.transcript import Carried, ToldConversation, ToldMessage

__all__ = ["ConversationReader", "insert_told"]


class ConversationReader:
    """The conversations of a project as they are in the transaction of ``db``."""

    def __init__(
        self, db: sqlite3.Connection, project_id: str, conversation_id: str | None
    ) -> None:
        """Raise ``NotFound`` for a project or a conversation that is not there."""
        self._db = db
        self._project_id = project_id
        self._only = conversation_id
        records.get_project(db, project_id)
        if conversation_id is not None:
            found = records.get_conversation(db, conversation_id)
            if found.project_id != project_id:
                raise NotFound(
                    "There is no such conversation in this project.",
                    code="conversation-not-found",
                )

    def conversations(self) -> Iterator[ToldConversation]:
        """Yield the conversations, the first begun first."""
        listed = self._db.execute(
            "SELECT id FROM conversations WHERE project_id = ? ORDER BY created_at, id",
            (self._project_id,),
        )
        for (identity,) in listed:
            if self._only in (None, identity):
                conversation = records.get_conversation(self._db, identity)
                yield ToldConversation(conversation, self._carried(identity))

    def messages(self, conversation_id: str) -> Iterator[ToldMessage]:
        """Yield the messages in order, one in memory at a time."""
        rows = self._db.execute(
            "SELECT m.body, r.body, c.fields FROM messages m"
            " LEFT JOIN runs r ON r.id = m.run_id"
            " LEFT JOIN carried c ON c.owner_id = m.id"
            " WHERE m.conversation_id = ? ORDER BY m.position",
            (conversation_id,),
        )
        for body, run_body, fields in rows:
            message = Message.model_validate_json(body)
            run = None if run_body is None else Run.model_validate_json(run_body)
            if run is not None and run.state == "running":
                message = self._folded(message, run)
            yield ToldMessage(message, run, _decoded(fields))

    def _folded(self, message: Message, run: Run) -> Message:
        folder = PartFolder()
        for stored in list_run_events(self._db, run.id):
            folder.add(stored.event)
        return message.model_copy(
            update={"parts": folder.parts(), "chars": folder.chars}
        )

    def _carried(self, owner_id: str) -> Carried | None:
        row = self._db.execute(
            "SELECT fields FROM carried WHERE owner_id = ?", (owner_id,)
        ).fetchone()
        return None if row is None else _decoded(row[0])


def insert_told(
    db: sqlite3.Connection,
    project_id: str,
    told: Iterable[ToldConversation | ToldMessage],
    at: str,
) -> tuple[StoredEvent, ...]:
    """Insert conversations, each before its messages; return their events, numbered.

    The records are asked for one by one, so that any number of them takes the
    memory of one. Raises ``NotFound('project-not-found')``.
    """
    records.get_project(db, project_id)
    appended: list[StoredEvent] = []
    for record in told:
        match record:
            case ToldConversation(conversation, carried):
                records.put_conversation(db, conversation)
                _carry(db, conversation.id, conversation, carried)
                # not "created": nobody has seen its messages come, they are to be read
                event = ConversationChanged("updated", conversation.title)
                place = EventPlace(project_id, conversation.id)
                appended.append(append_event(db, place, event, at))
            case ToldMessage(message, run, carried):
                if run is not None:
                    records.put_run(db, run, None)
                records.put_message(db, message)
                if carried:
                    owner = records.get_conversation(db, message.conversation_id)
                    _carry(db, message.id, owner, carried)
    records.update_project(db, project_id, at, None)
    return tuple(appended)


def _carry(
    db: sqlite3.Connection,
    owner_id: str,
    conversation: Conversation,
    carried: Carried | None,
) -> None:
    if carried:
        db.execute(
            "INSERT INTO carried (owner_id, project_id, conversation_id, fields)"
            " VALUES (?, ?, ?, ?)",
            (
                owner_id,
                conversation.project_id,
                conversation.id,
                json.dumps(carried, ensure_ascii=False, allow_nan=False),
            ),
        )


def _decoded(fields: str | None) -> Carried | None:
    return None if fields is None else json.loads(fields)
