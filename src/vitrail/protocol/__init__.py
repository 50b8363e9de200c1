"""Everything that crosses a boundary: events, records, bodies, manifests, diagnostics."""
