"""Revision and op to patch: typed changes as ranges of the source."""
