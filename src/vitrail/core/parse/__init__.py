"""Deltas to events: artifacts, reasoning, and later forms, directives and embeds."""
