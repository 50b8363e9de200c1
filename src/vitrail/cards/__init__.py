"""Card types: one file each."""
