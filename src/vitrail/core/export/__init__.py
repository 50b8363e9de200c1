"""What needs no browser: standalone HTML, ZIP, Markdown, transcript."""
