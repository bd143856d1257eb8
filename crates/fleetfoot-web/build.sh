#!/usr/bin/env bash
# Makes dist/: the playground's wasm and its JavaScript interface. Needs Rust, Node and bash.
#
# The standard library is compiled once for small size. Its sources are rustup's component rust-src. Without a network for
# rustup, on Debian, compiler and sources come from the packages rustc-web and rust-web-src, unpacked in
# target/wasm-toolchain. Otherwise an installed target wasm32-unknown-unknown is used; the wasm is then larger.
# --check also makes target/web/testing, which replays golden walks (see tests/wasm).
set -euo pipefail
cd "$(dirname "$0")"
here=$PWD
root=$(cd ../.. && pwd)
target=${CARGO_TARGET_DIR:-$root/target}
export CARGO_TERM_COLOR=never
wasm=wasm32-unknown-unknown

# Unpacks Debian's compiler.
debian() {
    local home=$target/wasm-toolchain
    if [ ! -x "$home/rustc" ]; then
        echo "fetching Debian's compiler for $wasm" >&2
        rm -rf "$home" && mkdir -p "$home/debs" "$home/root"
        cd "$home/debs"
        local version runtime llvm
        apt-cache show rustc-web >/dev/null 2>&1 || apt-get update -qq
        version=$(apt-cache show rustc-web | sed -n 's/^Version: //p' | head -1)
        runtime=libstd-rust-web-$(cut -d. -f1,2 <<<"$version")
        llvm=$(apt-cache show "$runtime=$version" | grep -o 'libllvm[0-9]*' | head -1)
        apt-get download -qq "rustc-web=$version" "libstd-rust-web-dev=$version" "$runtime=$version" "rust-web-src=$version" "$llvm"
        for package in rustc-web_* libstd-rust-web-* "$llvm"_*; do
            dpkg-deb -x "$package" ../root
        done
        # Only the sources of the standard library.
        dpkg-deb --fsys-tarfile rust-web-src_* | tar -x -C ../root --wildcards './usr/src/rustc-*/library/*' './usr/lib/rustlib/src/*'
        rm -rf "$home/debs"
        printf '#!/bin/sh\nLD_LIBRARY_PATH=%s exec %s "$@"\n' "$home"/root/usr/lib/*-linux-gnu "$home/root/usr/bin/rustc" >"$home/rustc.new"
        chmod +x "$home/rustc.new" && mv "$home/rustc.new" "$home/rustc"
        cd "$here"
    fi
    # Debian's compiler has no linker for wasm; the one of the installed toolchain reads the same files.
    CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER=$(rustc --print sysroot)/lib/rustlib/$(rustc -vV | sed -n 's/^host: //p')/bin/rust-lld
    export CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER RUSTC=$home/rustc
}

has_sources() { [ -f "$(rustc --print sysroot)/lib/rustlib/src/rust/library/std/Cargo.toml" ]; }
is_installed() { rustup target list --installed 2>/dev/null | grep -qx "$wasm"; }

# Compiling the standard library takes unstable options; a panic is a trap without a text.
std=(-Z build-std=std,panic_abort -Z build-std-features=optimize_for_size)
small="-Z unstable-options -C panic=immediate-abort"
export RUSTC_BOOTSTRAP=1
if has_sources || { rustup component add rust-src >/dev/null 2>&1 && has_sources; }; then
    :
elif command -v apt-get >/dev/null && debian; then
    :
elif is_installed; then
    unset RUSTC_BOOTSTRAP
    std=() small=""
else
    echo "build.sh: cannot compile for $wasm; run \`rustup component add rust-src\` where there is a network" >&2
    exit 1
fi

# Removes paths of this machine from the result.
export RUSTFLAGS="$small -C llvm-args=-inline-threshold=25 -C llvm-args=-inlinehint-threshold=165 -C llvm-args=-unroll-threshold=40 --remap-path-prefix=$root=fleetfoot --remap-path-prefix=${CARGO_HOME:-$HOME/.cargo}=cargo --remap-path-prefix=$target/wasm-toolchain/root/usr=rust"
build() { (cd "$root" && cargo build --locked -p "$1" --lib --target "$wasm" --profile web --target-dir "$target/web" "${std[@]}"); }
bindgen() { (unset RUSTC RUSTC_BOOTSTRAP RUSTFLAGS && cargo run --quiet --locked --manifest-path bindgen/Cargo.toml --target-dir "$target/bindgen" -- "$@"); }

build fleetfoot-web
made=$target/web/$wasm/web
rm -rf "$target/web/page" && bindgen "$made/fleetfoot_web.wasm" "$target/web/page"
rm -rf dist.new && mkdir dist.new
mv "$target/web/page/fleetfoot.js" dist.new/fleetfoot.js
# Reduces the size by a tenth; the package contains the tool itself. It may use only features that the compiler uses.
used=(--enable-bulk-memory --enable-multivalue --enable-mutable-globals --enable-nontrapping-float-to-int --enable-reference-types --enable-sign-ext)
[ -d "$target/binaryen/node_modules/binaryen" ] || npm install --prefix "$target/binaryen" --no-audit --no-fund --silent binaryen@132.0.0
node "$target/binaryen/node_modules/binaryen/bin/wasm-opt" -O2 "${used[@]}" "$target/web/page/fleetfoot_bg.wasm" -o dist.new/fleetfoot.wasm
rm -rf dist && mv dist.new dist
if [ "${1:-}" = --check ]; then
    build fleetfoot-web-testing
    rm -rf "$target/web/testing" && bindgen "$made/fleetfoot_web_testing.wasm" "$target/web/testing"
fi
size=$(stat -c %s dist/fleetfoot.wasm)
packed=$(gzip -9c dist/fleetfoot.wasm | wc -c)
echo "dist/fleetfoot.wasm: $size bytes, $packed packed"
if ((size >= 1200000 || packed >= 450000)); then
    echo "build.sh: the wasm has grown beyond 1.2 MB, or 450 KB packed; see what has made it grow" >&2
    exit 1
fi
