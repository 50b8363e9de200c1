#!/usr/bin/env bash
# Print the path of a Python that can carry Vitrail: 3.11 or newer, with venv, and with
# ensurepip or pip to start from. VITRAIL_PYTHON names one to be tried first.
set -euo pipefail

# The interpreter itself, not a shim in front of it: a shim may answer otherwise tomorrow.
probe='
import sys
if sys.version_info < (3, 11):
    sys.exit(3)
try:
    import ensurepip, venv
except ImportError:
    try:
        import pip, venv
    except ImportError:
        sys.exit(4)
print(sys.executable)
'
too_old="" bare=""
for name in ${VITRAIL_PYTHON:-} python3 python3.14 python3.13 python3.12 python3.11 \
  /usr/bin/python3 /usr/local/bin/python3; do
  command -v "$name" >/dev/null 2>&1 || continue
  status=0
  path=$("$name" -c "$probe" </dev/null 2>/dev/null) || status=$?
  case $status in
    0) printf '%s\n' "$path"; exit 0 ;;
    3) too_old=$name ;;
    4) bare=$name ;;
  esac
done

if [ -n "$bare" ]; then
  version=$("$bare" -c 'import sys; print("%d.%d" % sys.version_info[:2])')
  echo "setup: $bare is Python $version, but without its venv and pip modules." >&2
  echo "setup: on Debian and Ubuntu they come with: apt-get install python3-venv" >&2
elif [ -n "$too_old" ]; then
  echo "setup: expected Python 3.11 or newer, got $("$too_old" --version 2>&1)." >&2
  echo "setup: install one and name it: VITRAIL_PYTHON=/path/to/python3.11 make run" >&2
else
  echo "setup: no Python found. On Debian and Ubuntu: apt-get install python3 python3-venv" >&2
fi
exit 1
