//! Finds libprivgraph with the pkg-config program. PKG_CONFIG_PATH leads it to a library that
//! is not installed, such as a build tree's meson-uninstalled folder.
use std::process::Command;

/// Words of pkg-config, which puts a backslash before a space in a path.
fn words(line: &str) -> Vec<String> {
    let mut found = vec![String::new()];
    let mut letters = line.trim().chars();
    while let Some(letter) = letters.next() {
        if letter.is_whitespace() {
            found.push(String::new());
        } else if let Some(last) = found.last_mut() {
            last.extend(if letter == '\\' { letters.next() } else { Some(letter) });
        }
    }
    found.retain(|word| !word.is_empty());
    found
}

fn main() {
    for name in ["PKG_CONFIG", "PKG_CONFIG_PATH", "PKG_CONFIG_LIBDIR", "PKG_CONFIG_SYSROOT_DIR"] {
        println!("cargo:rerun-if-env-changed={name}");
    }
    println!("cargo:rerun-if-changed=build.rs");
    let program = std::env::var("PKG_CONFIG").unwrap_or_else(|_| "pkg-config".to_string());
    let done = Command::new(&program).args(["--libs", "privgraph"]).output();
    let output = match done {
        Ok(output) if output.status.success() => output,
        Ok(output) => {
            panic!("{program} does not find privgraph: {}", String::from_utf8_lossy(&output.stderr))
        }
        Err(error) => panic!("cannot run {program}: {error}"),
    };
    for word in words(&String::from_utf8_lossy(&output.stdout)) {
        if let Some(folder) = word.strip_prefix("-L") {
            println!("cargo:rustc-link-search=native={folder}");
        } else if let Some(library) = word.strip_prefix("-l") {
            println!("cargo:rustc-link-lib={library}");
        } else if word.ends_with(".so") || word.contains(".so.") {
            // meson's uninstalled files name the library by its path
            let path = std::path::Path::new(&word);
            if let Some(folder) = path.parent() {
                println!("cargo:rustc-link-search=native={}", folder.display());
            }
            println!("cargo:rustc-link-lib=privgraph");
        }
    }
}
