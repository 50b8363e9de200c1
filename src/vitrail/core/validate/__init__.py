"""Candidate to verdict: one rule a file, one ordered table."""
