#!/usr/bin/env bash
# The fuzz targets as OSS-Fuzz builds them: CC, CFLAGS, LIB_FUZZING_ENGINE and OUT come from there, SRC too. By hand:
# CC=clang OUT=build-oss test/fuzz/build.sh
set -eu
cd "$(dirname "$0")/../.."
: "${OUT:?where the programs go}"
mkdir -p "$OUT"
out=$(cd "$OUT" && pwd)
build=${WORK:-$PWD/build-oss-fuzz}
rm -rf "$build"
# the engine brings main; sanitizers come with CFLAGS there, by option here
options=(-Dtests=enabled -Dfuzz=true -Dexamples=false -Dtool=false -Db_lundef=false -Dblas=none)
[ -n "${LIB_FUZZING_ENGINE:-}" ] || options+=("-Db_sanitize=address,undefined")
CC=${CC:-clang} meson setup "$build" "${options[@]}"
targets=$(ninja -C "$build" -t targets all | sed -n 's|^\(test/fuzz/fuzz_[a-z0-9_]*\): c_LINKER$|\1|p')
# shellcheck disable=SC2086  # words
ninja -C "$build" $targets
for target in $targets; do
    name=$(basename "$target")
    cp "$build/$target" "$out/$name"
    corpus="test/fuzz/corpus/${name#fuzz_}"
    [ ! -d "$corpus" ] || (cd "$corpus" && python3 -m zipfile -c "$out/${name}_seed_corpus.zip" ./*)
done
