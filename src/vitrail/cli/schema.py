"""`vitrail schema`: the protocol as JSON Schema."""

from __future__ import annotations

import json
import sys

__all__ = ["schema"]


def schema() -> None:
    """Print the JSON Schema of the protocol."""
    from vitrail.protocol.schema import json_schema

    json.dump(json_schema(), sys.stdout, indent=2, ensure_ascii=False)
    sys.stdout.write("\n")
