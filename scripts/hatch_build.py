"""Build hook: a wheel holds the workspace's bundle, so that installing it needs no Node."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

__all__ = ["WebBundle"]


class WebBundle(BuildHookInterface[Any]):
    """Builds the bundle where it is not there or not current; an editable install does without."""

    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Build the bundle, or say what is missing; `setup_web.sh` looks at its stamp first."""
        del build_data  # its files are the wheel's `artifacts` in pyproject.toml
        if version == "editable":
            return
        root = Path(self.root)
        done = subprocess.run(
            ["bash", "scripts/setup_web.sh", "bundle"],
            cwd=root,
            stdin=subprocess.DEVNULL,
            check=False,
        )
        if done.returncode != 0:
            raise SystemExit("the workspace's bundle could not be built, see above")
