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
# Sanitizers and the optimiser come with CFLAGS there, and the engine brings main; by option here.
options=(-Dtests=disabled -Dfuzz=true -Dexamples=false -Dtool=false -Db_lundef=false -Dblas=none)
if [ -n "${LIB_FUZZING_ENGINE:-}" ]; then
    options+=(-Dbuildtype=plain "-Dfuzz_engine=$LIB_FUZZING_ENGINE")
else
    options+=(-Doptimization=1 "-Db_sanitize=address,undefined")
fi
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
