#!/usr/bin/env bash
# Installs the missing Debian packages that a target needs, as root or with sudo. If neither is
# possible, prints the command to run and stops.
# Usage: tools/setup.sh build|test|pictures|experiments
set -euo pipefail

build_packages=(g++ cmake make emscripten libeigen3-dev libfast-float-dev)
test_packages=(ccache libgtest-dev googletest nlohmann-json3-dev chromium fonts-dejavu-core
  clang clang-format clang-tidy libclang-rt-dev firefox-esr webkit2gtk-driver xvfb python3)
# The pictures of the docs are drawn with the same face on every machine.
pictures_packages=(chromium fontconfig fonts-liberation)
experiments_packages=(python3-numpy python3-scipy python3-sklearn)
# Installed if the distribution has them; tests that need them otherwise print that they skip, and those of
# pages run in chromium itself, which takes twice the time.
optional_packages=(chromium-headless-shell clickhouse-server r-base-core "${experiments_packages[@]}")

case "${1:-}" in
  build) packages=("${build_packages[@]}") ;;
  test) packages=("${build_packages[@]}" "${test_packages[@]}") ;;
  pictures) packages=("${build_packages[@]}" "${pictures_packages[@]}") ;;
  experiments) packages=("${build_packages[@]}" "${experiments_packages[@]}") ;;
  *) echo "usage: tools/setup.sh build|test|pictures|experiments" >&2; exit 2 ;;
esac

installed() {
  [ "$(dpkg-query -W -f='${db:Status-Status}' "$1" 2>/dev/null || true)" = installed ]
}
missing=()
for package in "${packages[@]}"; do
  installed "$package" || missing+=("$package")
done
wanted=()
if [ "$1" = test ]; then
  for package in "${optional_packages[@]}"; do
    installed "$package" || wanted+=("$package")
  done
fi

if ! command -v node >/dev/null || ! command -v npm >/dev/null; then
  echo "private-moments needs Node 20.16 or later with npm; install it and run this again." >&2
  exit 1
fi
node -e '
  const [major, minor] = process.versions.node.split(".").map(Number);
  if (major < 20 || (major === 20 && minor < 16)) {
    console.error(`private-moments needs Node 20.16 or later; this is ${process.version}.`);
    process.exit(1);
  }'

# The wanted packages that the distribution has.
available() {
  for package in "${wanted[@]}"; do
    if apt-cache show "$package" >/dev/null 2>&1; then echo "$package"; fi
  done
}
if [ ${#missing[@]} -eq 0 ] && [ -z "$(available)" ]; then exit 0; fi

line="apt-get install -y --no-install-recommends ${missing[*]}"
if ! command -v apt-get >/dev/null; then
  echo "This machine has no apt-get. Install the equivalents of these Debian packages: ${missing[*]}" >&2
  exit 1
fi
if [ "$(id -u)" -eq 0 ]; then
  as_root=()
elif command -v sudo >/dev/null && { [ -t 0 ] || sudo -n true 2>/dev/null; }; then
  as_root=(sudo)
elif [ ${#missing[@]} -eq 0 ]; then
  exit 0
else
  echo "Some Debian packages are missing. Run this as an administrator, then try again:" >&2
  echo "  sudo apt-get update && sudo $line" >&2
  exit 1
fi
"${as_root[@]}" apt-get update -qq
mapfile -t optional < <(available)
install() {
  [ $# -eq 0 ] && return
  echo "Installing: $*"
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq \
    --no-install-recommends "$@" >/dev/null
}
install "${missing[@]}"
install "${optional[@]}" || echo "Not installed, so tests that need them are skipped: ${optional[*]}" >&2
# The tests start their own servers, so the one that the package starts is not needed.
if [ -d /run/systemd/system ] && [[ " ${optional[*]} " = *" clickhouse-server "* ]]; then
  "${as_root[@]}" systemctl disable --now --quiet clickhouse-server || true
fi
