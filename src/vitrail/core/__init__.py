"""The core: no IO, no async, no clock, no random, no environment."""
