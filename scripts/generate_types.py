"""Write the protocol's TypeScript types, or say that they are not current.

    python scripts/generate_types.py            writes web/packages/protocol/src/generated.ts
    python scripts/generate_types.py --check    writes nothing; exit code 1 if it would change

The types are made from the JSON Schema that ``vitrail schema`` prints, so that
there is one source for both languages.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

from vitrail.protocol.schema import json_schema

WEB = Path(__file__).resolve().parent.parent / "web"
TARGET = WEB / "packages" / "protocol" / "src" / "generated.ts"


def typescript() -> str:
    """Return the TypeScript source that the protocol's schema compiles to."""
    node = shutil.which("node")
    if node is None or not (WEB / "node_modules").is_dir():
        sys.exit("expected node and web/node_modules: run scripts/build_web.py first")
    done = subprocess.run(
        [node, str(WEB / "scripts" / "generate_types.mjs")],
        input=json.dumps(json_schema()).encode(),
        capture_output=True,
        check=False,
        cwd=WEB,
    )
    if done.returncode != 0:
        sys.exit(f"the schema did not compile:\n{done.stderr.decode(errors='replace')}")
    return done.stdout.decode()


def main(arguments: list[str], *, target: Path = TARGET) -> int:
    """Write the types to ``target``, or check it; return the exit code."""
    if arguments not in ([], ["--check"]):
        print("usage: generate_types.py [--check]", file=sys.stderr)
        return 2
    source = typescript()
    current = target.read_text("utf-8") if target.exists() else ""
    if source == current:
        return 0
    if arguments:
        print(
            f"{target.name} of web/packages/protocol is not what the protocol says: "
            "run scripts/generate_types.py and commit the file",
            file=sys.stderr,
        )
        return 1
    target.write_text(source, "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
