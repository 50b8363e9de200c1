"""Agents: replay, OpenAI-compatible servers, programs."""
