"""What is code in Markdown, line by line, and line endings: the only copy of that rule."""
