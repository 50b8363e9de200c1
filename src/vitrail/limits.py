"""Every limit of Vitrail, in one place: the unit is in the name, the precedent beside it."""

from __future__ import annotations

from typing import Final

__all__ = [
    "MAX_ARCHIVE_DEPTH",
    "MAX_ARTIFACTS_PER_MESSAGE",
    "MAX_ATTRIBUTES_PER_TAG",
    "MAX_BODY_CODE_POINTS",
    "MAX_BUNDLE_MANIFEST_BYTES",
    "MAX_CARRIED_BYTES",
    "MAX_CONTINUATIONS",
    "MAX_DIRECTIVE_CHARS",
    "MAX_DIRECTIVE_VALUE_CHARS",
    "MAX_EMBED_ATTRIBUTE_CHARS",
    "MAX_EMBED_HEIGHT_PX",
    "MAX_ENTRY_CHARS",
    "MAX_EVENT_BYTES",
    "MAX_FORM_ANSWER_CHARS",
    "MAX_FORM_CARDS",
    "MAX_FORM_CHARS",
    "MAX_FORM_DEPTH",
    "MAX_FORM_ID_CHARS",
    "MAX_FORM_OPTIONS",
    "MAX_FORM_QUESTIONS",
    "MAX_FORM_TEXT_CHARS",
    "MAX_HELD_CHARS",
    "MAX_IMPORT_BYTES",
    "MAX_IMPORT_ENTRIES",
    "MAX_IMPORT_FILE_BYTES",
    "MAX_IMPORT_RATIO",
    "MAX_KIND_CHARS",
    "MAX_MEDIA_REFERENCE_CHARS",
    "MAX_MESSAGE_CHARS",
    "MAX_METADATA_BYTES",
    "MAX_OPEN_TAG_CHARS",
    "MAX_OUTSIDE_BYTES",
    "MAX_PATH_SEGMENT_BYTES",
    "MAX_PREVIEWS",
    "MAX_PROMPT_CHARS",
    "MAX_REASON_CHARS",
    "MAX_RECOVERABLE_CHARS",
    "MAX_REFERENCE_ID_CHARS",
    "MAX_REPLY_CHARS",
    "MAX_REQUEST_BYTES",
    "MAX_SHOWN_ARTIFACT_CHARS",
    "MAX_SLUG_CHARS",
    "MAX_SUPPORTING_FILES",
    "MAX_SUPPRESSED_CHARS",
    "MAX_TITLE_CHARS",
    "MAX_TOOL_CALLS",
    "MAX_TRANSCRIPT_BYTES",
    "MAX_TRANSCRIPT_CONVERSATIONS",
    "MAX_TRANSCRIPT_DEPTH",
    "MAX_TRANSCRIPT_LINES",
    "MAX_TRANSCRIPT_LINE_BYTES",
    "MAX_TRANSCRIPT_PARTS",
    "MAX_WIRE_LINE_CHARS",
    "MIN_EMBED_HEIGHT_PX",
    "MIN_HTML_CHARS",
    "PREVIEW_CAPABILITY_TTL_S",
    "SSE_PING_S",
]

# --- stream -------------------------------------------------------------

MAX_OPEN_TAG_CHARS: Final = 4096
"""Longest open tag; spec/open-design-1 §2.6 rule 4. Longer is text plus a diagnostic."""

MAX_HELD_CHARS: Final = 8192
"""Longest candidate held back before it counts as real; spec/open-design-1 §2.6 rule 3."""

MAX_ATTRIBUTES_PER_TAG: Final = 64
"""Attributes kept of one tag; more are left out, and a diagnostic counts them."""

MAX_ARTIFACTS_PER_MESSAGE: Final = 10_000
"""Artifacts of one message. The reference's headless extractor stops at 50, which a reply
that writes a project of small files can reach; this many only an attack does."""

MAX_BODY_CODE_POINTS: Final = 16 * 1024 * 1024
"""Longest body of one artifact. The body streams on as a cut artifact beyond it."""

MAX_REPLY_CHARS: Final = 64 * 1024 * 1024
"""Longest reply, thinking included; no model writes as much, a program that loops does."""

MAX_SUPPRESSED_CHARS: Final = 64 * 1024
"""Longest internal tag with what it holds; a longer one is shown, since its text waits."""

MAX_RECOVERABLE_CHARS: Final = 2 * 1024 * 1024
"""Of an unclosed fence, what is kept to find an artifact in it at the end."""

MAX_WIRE_LINE_CHARS: Final = 32 * 1024 * 1024
"""One line, or the data of one event, of a model server's stream; a whole answer may be one."""

MAX_TOOL_CALLS: Final = 10_000
"""Calls of tools in one reply; as many as artifacts."""

# --- directives (spec/openclaw-zeus-investment part 1) ---------------------

MAX_DIRECTIVE_CHARS: Final = 4096
"""Longest ``[[…]]``, as long as an open tag may be; longer is text."""

MAX_DIRECTIVE_VALUE_CHARS: Final = 256
"""What is kept of an id or a reaction; §1.1 rule 3."""

MAX_EMBED_ATTRIBUTE_CHARS: Final = 10_240
"""Attributes of one ``[embed …]``; §1.9, as its second generation had it."""

MIN_EMBED_HEIGHT_PX: Final = 160
MAX_EMBED_HEIGHT_PX: Final = 1200
"""§1.9: a smaller height is dropped, a larger one is cut."""

MAX_MEDIA_REFERENCE_CHARS: Final = 4096
"""One reference of a ``MEDIA:`` line; §1.3."""

# --- question forms (spec/open-design-1 §8) --------------------------------

MAX_FORM_CHARS: Final = 128 * 1024
"""Longest body of one form; the longest real ones have about 6 000 characters."""

MAX_FORM_DEPTH: Final = 32
"""Brackets open at once in a form's JSON; the schema needs six."""

MAX_FORM_QUESTIONS: Final = 50
"""Questions of one form; the reference's prompt asks for at most five."""

MAX_FORM_OPTIONS: Final = 500
"""Options of one question; every time zone there is fits."""

MAX_FORM_CARDS: Final = 50
"""Cards of one question."""

MAX_FORM_ID_CHARS: Final = 128
"""Ids of forms, questions and cards, as long as `MAX_REFERENCE_ID_CHARS`."""

MAX_FORM_TEXT_CHARS: Final = 4000
"""One label, title, description, help, value or default of a form."""

MAX_FORM_ANSWER_CHARS: Final = 20_000
"""One answer to a question; a form's answers make one message, `MAX_MESSAGE_CHARS`."""

# --- manifest (seed 003 §5.1) --------------------------------------------

MAX_TITLE_CHARS: Final = 200
MAX_ENTRY_CHARS: Final = 260
MAX_KIND_CHARS: Final = 64
MAX_REFERENCE_ID_CHARS: Final = 128
"""sourceSkillId and designSystemId."""
MAX_SUPPORTING_FILES: Final = 128
MAX_METADATA_BYTES: Final = 16 * 1024
"""UTF-8 bytes of the metadata as compact JSON."""

# --- files --------------------------------------------------------------

MIN_HTML_CHARS: Final = 64
"""Shortest HTML document that may be saved; seed 003 §4.6."""
MAX_SLUG_CHARS: Final = 60
"""spec/open-design-1 §4.3."""
MAX_PATH_SEGMENT_BYTES: Final = 255
"""ext4, APFS and NTFS agree on it."""

MAX_OUTSIDE_BYTES: Final = 64 * 1024 * 1024
"""Of a file that another program wrote; a larger one gets no history: a video that is
written anew would fill the disk with it."""
MAX_REASON_CHARS: Final = 2000
"""Why a file is replaced, as it is kept with the revision; a paragraph."""

# --- what comes in and goes out -----------------------------------------

MAX_IMPORT_ENTRIES: Final = 10_000
"""Files and folders of one archive or folder; a site has hundreds, a bomb millions."""
MAX_IMPORT_BYTES: Final = 256 * 1024 * 1024
"""Of all files together, unpacked, archives inside archives included."""
MAX_IMPORT_FILE_BYTES: Final = 64 * 1024 * 1024
"""Of one file, which is in memory while it is committed."""
MAX_IMPORT_RATIO: Final = 200
"""Bytes that one packed byte may become, beyond the first MiB of a file; text gives up
to 30, deflate at most 1032, which only what is made for it reaches."""
MAX_ARCHIVE_DEPTH: Final = 3
"""Archives within archives: a ZIP with a presentation with a workbook in it."""
MAX_BUNDLE_MANIFEST_BYTES: Final = 256 * 1024 * 1024
"""Of a bundle's manifest; half a million revisions."""

# --- prompts ------------------------------------------------------------

MAX_SHOWN_ARTIFACT_CHARS: Final = 60_000
"""Of the open artifact's text, what one prompt shows; about 15 000 tokens."""
MAX_MESSAGE_CHARS: Final = 100_000
"""One message of a person; as JSON it stays below `MAX_EVENT_BYTES`."""
MAX_CONTINUATIONS: Final = 3
"""Times that an artifact cut by the length limit is continued without being asked."""
MAX_PROMPT_CHARS: Final = 400_000
"""Whole prompt; older messages are left out first, and the prompt says so."""

# --- server -------------------------------------------------------------

MAX_REQUEST_BYTES: Final = 32 * 1024 * 1024
MAX_EVENT_BYTES: Final = 1024 * 1024
"""One stored event; longer deltas are split before they are stored."""
SSE_PING_S: Final = 15.0
"""Comment line on an idle event stream; field bug 26."""
PREVIEW_CAPABILITY_TTL_S: Final = 3600.0
"""Sliding life of a preview address; design §5, the reference's scopes live as long."""
MAX_PREVIEWS: Final = 10_000
"""Preview addresses open at once; about 5 MB of records. The oldest goes first."""

# --- transcripts (spec/open-design-1 §18) -----------------------------------

MAX_TRANSCRIPT_BYTES: Final = 256 * 1024 * 1024
"""One transcript on its way in; the largest real ones have a few megabytes. It is one
transaction, which takes about 2 s for 100 MB, and other processes wait at most 10 s."""
MAX_TRANSCRIPT_LINE_BYTES: Final = 32 * 1024 * 1024
"""One line of it, which is one message; as much JSON as `MAX_REQUEST_BYTES`, and for the
same reason: decoded it may be twenty times as large in memory."""
MAX_TRANSCRIPT_LINES: Final = 1_000_000
"""Messages take about 100 bytes each, so that fewer would fit only if they say nothing."""
MAX_TRANSCRIPT_CONVERSATIONS: Final = 10_000
"""Of one transcript: each is told to every open workspace."""
MAX_TRANSCRIPT_PARTS: Final = 100_000
"""Parts of one line, and its blocks; ten times `MAX_ARTIFACTS_PER_MESSAGE`."""
MAX_TRANSCRIPT_DEPTH: Final = 64
"""Brackets open at once in one line; twice what a form may have."""
MAX_CARRIED_BYTES: Final = 8 * 1024 * 1024
"""What one record carries that this version has no field for, results of tools too."""
