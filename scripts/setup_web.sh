#!/usr/bin/env bash
# setup_web.sh packages|bundle: the npm packages of web/ from their lock; `bundle` also builds
# what the server hands out, unless the one that is there was built from the same sources.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/stamps.sh

want=${1:?expected packages or bundle}
needs="Vitrail builds its workspace with Node 20.19 or newer and npm"
command -v node >/dev/null || stop "$needs; there is no node here." \
  "Install Node (for example your distribution's nodejs package, if it is new enough)."
command -v npm >/dev/null || stop "$needs; there is no npm here." \
  "On Debian and Ubuntu: apt-get install npm"
node_version=$(node --version </dev/null)
# vite's own lower bound, within Node 20.
node -e 'const [major, minor] = process.versions.node.split(".").map(Number);
process.exit(major > 20 || (major === 20 && minor >= 19) ? 0 : 1)' </dev/null ||
  stop "$needs; this is Node $node_version."

packages=$(printf '%s %s %s' "$PWD" "$node_version" \
  "$(digest_of web/package-lock.json web/package.json web/app/package.json web/packages/*/package.json)")
has_packages() { is_stamped web-packages "$packages" && [ -d web/node_modules ]; }
if ! has_packages; then
  under_lock
  if ! has_packages; then
    say "installing the packages of web/package-lock.json"
    (cd web && npm ci --no-audit --no-fund --loglevel=error </dev/null >&2)
    stamp web-packages "$packages"
  fi
fi
[ "$want" = bundle ] || exit 0

bundle_digest() {
  { printf '%s\n' "$packages"
    find web src/vitrail/protocol -type f \
      ! -path '*/node_modules/*' ! -path '*/dist/*' ! -path '*/__pycache__/*' \
      ! -name '*.test.ts' ! -name '*.test.tsx' ! -name '*.tsbuildinfo' -print0 |
      LC_ALL=C sort -z | xargs -0 sha256sum
  } | sha256sum | cut -d' ' -f1
}
has_bundle() { is_stamped web-bundle "$1" && [ -f src/vitrail/server/web/index.html ]; }
has_bundle "$(bundle_digest)" && exit 0
under_lock
has_bundle "$(bundle_digest)" && exit 0
say "building the workspace"
log=.setup/web-build.log
if ! bash scripts/build_web.sh </dev/null >"$log" 2>&1; then
  cat "$log" >&2
  stop "the workspace could not be built; what the build said is above."
fi
# After the build, since it may write generated sources.
stamp web-bundle "$(bundle_digest)"
