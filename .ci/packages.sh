# Sourced by run and run-tests: what Stowage needs from Debian, and how it gets there.

build_packages=(git g++ cmake ninja-build pkg-config libimgui-dev libglfw3-dev python3-glad libfreetype-dev
  libcairo2-dev libgif-dev libcli11-dev libfmt-dev libexpected-dev nlohmann-json3-dev zlib1g-dev libzstd-dev
  libexpat1-dev libonnx-dev libprotobuf-dev doctest-dev
  fonts-inter fonts-dejavu-core fonts-font-awesome)
test_packages=(clang-format xvfb xauth xdotool)

# missing_packages NAME...: those that are not installed, one a line.
missing_packages() {
  local known
  known=$(dpkg-query -W -f='${db:Status-Status} ${binary:Package}\n' "$@" 2>/dev/null |
    sed -n 's/^installed \([^:]*\).*/\1/p' || true)
  local package
  for package in "$@"; do
    grep -qx -- "$package" <<<"$known" || echo "$package"
  done
}

# install_missing NAME...: touches apt only when something is missing.
install_missing() {
  if ! command -v dpkg-query >/dev/null; then
    if [ ! -f "$root/build/release/build.ninja" ]; then
      echo "This is not Debian: please install what these packages hold: $*" >&2
    fi
    return 0
  fi
  local missing
  mapfile -t missing < <(missing_packages "$@")
  [ "${#missing[@]}" -gt 0 ] || return 0
  local as_root=()
  if [ "$(id -u)" -ne 0 ]; then
    if ! command -v sudo >/dev/null; then
      echo "Please install as root: apt-get install ${missing[*]}" >&2
      return 1
    fi
    as_root=(sudo)
  fi
  echo "Installing: ${missing[*]}" >&2
  local log
  log=$(mktemp)
  if ! { "${as_root[@]}" apt-get -q update &&
         "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -q install -y --no-install-recommends \
           "${missing[@]}"; } >"$log" 2>&1; then
    cat "$log" >&2
    rm -f "$log"
    echo "Could not install: ${missing[*]}" >&2
    return 1
  fi
  rm -f "$log"
}

# build PRESET TARGET...: configures when needed, builds, and is silent unless it fails.
build() {
  local preset=$1 folder=$root/build/$1
  shift
  local log
  log=$(mktemp)
  # Ninja configures anew by itself when a CMake file changes; it does not know of the presets.
  if [ ! -f "$folder/build.ninja" ] || [ "$root/CMakePresets.json" -nt "$folder/build.ninja" ]; then
    if ! (cd "$root" && cmake --preset "$preset") >"$log" 2>&1; then
      cat "$log" >&2
      rm -f "$log"
      return 1
    fi
  fi
  if ! ninja -C "$folder" "${jobs[@]}" "$@" >"$log" 2>&1; then
    cat "$log" >&2
    rm -f "$log"
    return 1
  fi
  rm -f "$log"
}
