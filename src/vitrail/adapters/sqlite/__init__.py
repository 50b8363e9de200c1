"""The embedded database: schema, one writer, readers beside it, and the statements."""
