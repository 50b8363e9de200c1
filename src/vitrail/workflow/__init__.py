"""Where stages meet: ingest, turn, and later edit, refresh, export, deliver, trade."""
