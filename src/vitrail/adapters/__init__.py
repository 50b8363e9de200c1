"""The outside world, one thing a file; fakes ship beside the real ones."""
