//! Finds libprivgraph, and with the feature `learn` libprivgraph-learn, with the pkg-config program. PKG_CONFIG_PATH leads it to a library that
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

/// What pkg-config says about a package; an error if it does not know it.
fn ask(program: &str, package: &str) -> Result<String, String> {
    match Command::new(program).args(["--libs", package]).output() {
        Ok(output) if output.status.success() => {
            Ok(String::from_utf8_lossy(&output.stdout).into_owned())
        }
        Ok(output) => Err(String::from_utf8_lossy(&output.stderr).into_owned()),
        Err(error) => Err(error.to_string()),
    }
}

fn main() {
    for name in ["PKG_CONFIG", "PKG_CONFIG_PATH", "PKG_CONFIG_LIBDIR", "PKG_CONFIG_SYSROOT_DIR"] {
        println!("cargo:rerun-if-env-changed={name}");
    }
    println!("cargo:rerun-if-changed=build.rs");
    let program = std::env::var("PKG_CONFIG").unwrap_or_else(|_| "pkg-config".to_string());
    let mut found = ask(&program, "privgraph")
        .unwrap_or_else(|error| panic!("{program} does not find privgraph: {error}"));
    if std::env::var_os("CARGO_FEATURE_LEARN").is_some() {
        found += &ask(&program, "privgraph-learn")
            .unwrap_or_else(|error| panic!("{program} does not find privgraph-learn: {error}"));
    }
    for word in words(&found) {
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
            let name = path.file_name().and_then(|name| name.to_str()).unwrap_or("");
            let library = name.strip_prefix("lib").unwrap_or(name).split(".so").next();
            println!("cargo:rustc-link-lib={}", library.unwrap_or("privgraph"));
        }
    }
}
