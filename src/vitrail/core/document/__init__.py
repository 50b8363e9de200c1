"""HTML with source spans, and the addresses of its elements."""
