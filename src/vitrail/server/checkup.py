"""A checkup: what this machine has of what Vitrail uses, and what mends the rest.

Each check looks at one thing, changes nothing, and never raises. They run in
the order of the table, so that what is needed comes first.
"""

from __future__ import annotations

import asyncio
import os
import shutil
import socket
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal, TypeAlias

from vitrail.adapters.agents.providers import (
    ProviderSetup,
    check_environment,
    setups_of,
)
from vitrail.adapters.agents.trials import find_local_servers
from vitrail.adapters.clock import SystemClock
from vitrail.adapters.datafolder import DATABASE_NAME
from vitrail.adapters.processes import started
from vitrail.adapters.secrets import SECRETS_NAME, KeyFile
from vitrail.adapters.sqlite import records
from vitrail.adapters.sqlite.readers import Readers
from vitrail.adapters.watching import system_notifier
from vitrail.errors import AgentError, SetupError, StorageError
from vitrail.server.settings import Settings
from vitrail.server.sockets import has_ipv6_loopback, listen, reaches_names_below

__all__ = ["Finding", "State", "examine"]

State: TypeAlias = Literal["ok", "missing", "limited"]
"""``missing``: something will not work; ``limited``: it works with less."""

_SERVER: Final = Path(__file__).parent
_PYTHON: Final = (3, 11)
_NODE: Final = 20
_FREE_BYTES: Final = 200 * 1024 * 1024
_CHROMIUM_NAMES: Final = ("chromium", "google-chrome", "chromium-browser")
_PROGRAM_S: Final = 10.0
_SCRIPTS: Final = {
    "Latin": ("la", "fonts-liberation"),
    "Arabic": ("ar", "fonts-noto-core"),
    "Chinese": ("zh-cn", "fonts-noto-cjk"),
    "emoji": ("und-zsye", "fonts-noto-color-emoji"),
}
"""What fontconfig calls a script, and the Debian package that has it."""


@dataclass(frozen=True, slots=True)
class Finding:
    """What one check found."""

    name: str
    state: State
    found: str
    mend: str | None = None
    """The command or act that mends it, where something is to be mended."""


@dataclass(frozen=True, slots=True)
class _Machine:
    settings: Settings
    data: Path
    """Where the data folder is or would be."""


async def examine(settings: Settings, data: Path) -> AsyncIterator[Finding]:
    """Yield a finding for each check, as it is made."""
    machine = _Machine(settings, data)
    for check in _CHECKS:
        yield await check(machine)


# --- needed ---------------------------------------------------------------


async def _python(machine: _Machine) -> Finding:
    del machine
    version = ".".join(map(str, sys.version_info[:3]))
    if sys.version_info >= _PYTHON:
        return Finding("Python", "ok", version)
    return Finding(
        "Python", "missing", f"{version}, needs 3.11", "apt-get install python3"
    )


async def _data_folder(machine: _Machine) -> Finding:
    name = "Data folder"
    data = machine.data
    there = next(folder for folder in (data, *data.parents) if folder.exists())
    if not there.is_dir():
        return Finding(
            name,
            "missing",
            f"{there} is a file",
            "Name a folder with --data or VITRAIL_DATA.",
        )
    if not _is_writable(there):
        return Finding(
            name, "missing", f"{there} cannot be written to", f"chown $USER {there}"
        )
    free = shutil.disk_usage(there).free
    if free < _FREE_BYTES:
        return Finding(
            name,
            "limited",
            f"{data}, with {free // 1024**2} MB left on its disk",
            "Free some space, or name another disk with --data.",
        )
    is_there = (data / DATABASE_NAME).is_file()
    return Finding(name, "ok", str(data) if is_there else f"{data}, not made yet")


def _is_writable(folder: Path) -> bool:
    return os.access(folder, os.W_OK | os.X_OK)


async def _ports(machine: _Machine) -> Finding:
    settings = machine.settings
    said = f"{settings.port} and {settings.preview_port}"
    try:
        listen(settings).close()
    except SetupError as error:
        return Finding(
            "Ports",
            "limited",
            error.message,
            f"vitrail serve --port {settings.port + 10} "
            f"--preview-port {settings.preview_port + 10}",
        )
    return Finding("Ports", "ok", f"{said} are free")


async def _web(machine: _Machine) -> Finding:
    del machine
    parts = {
        "workspace": _SERVER / "web" / "index.html",
        "preview script": _SERVER / "static" / "bridge.js",
    }
    gone = [name for name, file in parts.items() if not file.is_file()]
    if not gone:
        return Finding("Web bundle", "ok", "built")
    return Finding("Web bundle", "missing", f"no {' and no '.join(gone)}", "make run")


# --- models -------------------------------------------------------------------


async def _providers(machine: _Machine) -> Finding:
    name = "Models"
    try:
        check_environment(machine.settings.model)
        setups = setups_of(
            await _kept_settings(machine.data),
            await asyncio.to_thread(KeyFile(machine.data / SECRETS_NAME).read),
            machine.settings.model,
        )
    except SetupError as error:
        return Finding(name, "limited", error.message, "Set or unset the variable.")
    except (StorageError, ValueError):
        return Finding(
            name,
            "limited",
            "the data folder's settings cannot be read",
            "vitrail serve, and see what it says",
        )
    ready = [_in_words(one) for one in setups.values() if one.why_not is None]
    if ready:
        return Finding(name, "ok", "; ".join(ready))
    return Finding(
        name,
        "limited",
        "none is set up; recorded examples play",
        "vitrail serve, then Models",
    )


async def _kept_settings(data: Path) -> Mapping[str, str]:
    """Return the settings of a data folder, which is not made for it."""
    if not (data / DATABASE_NAME).is_file():
        return {}
    readers = Readers(data / DATABASE_NAME)
    try:
        return await readers.read(records.get_settings)
    finally:
        await asyncio.to_thread(readers.close)


def _in_words(setup: ProviderSetup) -> str:
    title = setup.provider.title
    if setup.provider.wire is None:
        return f"{title}: {setup.command[0]}"
    key = f", key from {setup.key_place}" if setup.key_place else ""
    return f"{title}: {setup.model} at {setup.endpoint.host}{key}"


async def _local_models(machine: _Machine) -> Finding:
    del machine
    found = await find_local_servers(SystemClock())
    said = [one.message.rstrip(".") for one in found.servers if one.is_found]
    return Finding(
        "Local models", "ok", "; ".join(said) or "neither Ollama nor LM Studio answers"
    )


# --- better to have ---------------------------------------------------------


async def _localhost(machine: _Machine) -> Finding:
    name = "localhost"
    port = machine.settings.preview_port
    try:
        found = socket.getaddrinfo("localhost", port, type=socket.SOCK_STREAM)
    except OSError:
        found = []
    addresses = {str(address[0]) for *_, address in found}
    if not addresses or not addresses <= {"127.0.0.1", "::1"}:
        return Finding(
            name,
            "limited",
            f"leads to {', '.join(sorted(addresses)) or 'nowhere'}; previews then "
            "share the workspace's address",
            "Write '127.0.0.1 localhost' into /etc/hosts.",
        )
    if "::1" in addresses and not has_ipv6_loopback():
        return Finding(
            name,
            "limited",
            "leads to ::1, which this machine does not have",
            "Remove localhost from the line of ::1 in /etc/hosts.",
        )
    below = reaches_names_below("localhost", port)
    more = ", with names below it" if below else ""
    return Finding(name, "ok", f"{' and '.join(sorted(addresses))}{more}")


async def _watching(machine: _Machine) -> Finding:
    """Try whether the system gives a watch; one is enough to tell."""
    name = "Watching folders"
    data = machine.data
    place = next(folder for folder in (data, *data.parents) if folder.is_dir())
    try:
        notifier = await asyncio.to_thread(system_notifier, [str(place)])
    except (OSError, RuntimeError):
        return Finding(
            name,
            "limited",
            "the system gives no more watches; folders are looked through instead",
            "sysctl fs.inotify.max_user_watches=524288 "
            "fs.inotify.max_user_instances=1024",
        )
    await asyncio.to_thread(notifier.close)
    return Finding(name, "ok", "changes by other programs are noticed at once")


async def _chromium(machine: _Machine) -> Finding:
    named = machine.settings.chromium
    names = (named,) if named else _CHROMIUM_NAMES
    path = next(filter(None, map(shutil.which, names)), None)
    if path is not None:
        said = await _says([path, "--version"])
        return Finding("Chromium", "ok", said or path)
    mend = "apt-get install --no-install-recommends chromium"
    if named:
        return Finding(
            "Chromium",
            "limited",
            f"VITRAIL_CHROMIUM names {named}, which cannot be run",
            "Name a program that can, or unset it.",
        )
    return Finding("Chromium", "limited", "not found; pictures and PDF need it", mend)


async def _fonts(machine: _Machine) -> Finding:
    del machine
    if shutil.which("fc-list") is None:
        return Finding(
            "Fonts",
            "limited",
            "fc-list is not there to look",
            "apt-get install fontconfig",
        )
    gone = [
        (script, package)
        for script, (language, package) in _SCRIPTS.items()
        if not await _says(["fc-list", f":lang={language}", "family"])
    ]
    if not gone:
        return Finding("Fonts", "ok", ", ".join(_SCRIPTS))
    packages = " ".join(package for _, package in gone)
    return Finding(
        "Fonts",
        "limited",
        f"none for {', '.join(script for script, _ in gone)}",
        f"apt-get install --no-install-recommends {packages}",
    )


async def _node(machine: _Machine) -> Finding:
    del machine
    said = (await _says(["node", "--version"]) or "").removeprefix("v")
    major = said.partition(".")[0]
    if major.isdecimal() and int(major) >= _NODE:
        return Finding("Node.js", "ok", said)
    found = f"{said}, needs {_NODE}" if said else "not found"
    return Finding(
        "Node.js",
        "limited",
        f"{found}; only building the workspace from its source needs it",
        "https://nodejs.org/en/download",
    )


async def _says(command: list[str]) -> str | None:
    """Return the first line that a program prints, or None where it cannot be run."""
    output = bytearray()
    try:
        async with asyncio.timeout(_PROGRAM_S), started(command) as program:
            program.begin("")
            async for piece in program.output():
                output += piece
    except (AgentError, TimeoutError):
        return None
    lines = output.decode(errors="replace").strip().splitlines()
    return lines[0].strip() if lines else None


_CHECKS: Final[tuple[Callable[[_Machine], Awaitable[Finding]], ...]] = (
    _python,
    _data_folder,
    _ports,
    _web,
    _providers,
    _local_models,
    _localhost,
    _watching,
    _chromium,
    _fonts,
    _node,
)
"""All checks, in the order they are told."""
