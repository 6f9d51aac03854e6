//! Makes a builder for every kind of query from kinds.json, which the library installs.
use std::collections::HashMap;
use std::fmt::Write;

/// JSON, as far as that table goes: no numbers with a fraction, no escapes but those of one letter.
enum Json {
    Text(String),
    List(Vec<Json>),
    Map(HashMap<String, Json>),
    Other,
}

impl Json {
    fn read(text: &mut std::iter::Peekable<std::str::Chars<'_>>) -> Json {
        while text.peek().map_or(false, |letter| letter.is_whitespace()) {
            text.next();
        }
        match text.peek().copied() {
            Some('"') => Json::Text(Json::string(text)),
            Some('[') => {
                let mut list = Vec::new();
                while Json::more(text, ']') {
                    list.push(Json::read(text));
                }
                Json::List(list)
            }
            Some('{') => {
                let mut map = HashMap::new();
                while Json::more(text, '}') {
                    let key = Json::string(text);
                    assert_eq!(text.next(), Some(':'), "kinds.json: {key} has no value");
                    map.insert(key, Json::read(text));
                }
                Json::Map(map)
            }
            _ => {
                while text.peek().map_or(false, |letter| letter.is_ascii_alphanumeric()) {
                    text.next();
                }
                Json::Other
            }
        }
    }

    /// Eats the bracket or comma before the next entry; false at the end.
    fn more(text: &mut std::iter::Peekable<std::str::Chars<'_>>, end: char) -> bool {
        while text.peek().map_or(false, |letter| letter.is_whitespace()) {
            text.next();
        }
        let last = text.next().expect("kinds.json ends early") == end;
        while text.peek().map_or(false, |letter| letter.is_whitespace()) {
            text.next();
        }
        if !last && text.peek() == Some(&end) {
            text.next();
            return false;
        }
        !last
    }

    fn string(text: &mut std::iter::Peekable<std::str::Chars<'_>>) -> String {
        assert_eq!(text.next(), Some('"'), "kinds.json: no text where one is needed");
        let mut out = String::new();
        loop {
            match text.next().expect("kinds.json ends early") {
                '"' => return out,
                '\\' => out.extend(text.next()),
                letter => out.push(letter),
            }
        }
    }

    fn get(&self, key: &str) -> &Json {
        match self {
            Json::Map(map) => map.get(key).unwrap_or(&Json::Other),
            _ => &Json::Other,
        }
    }

    fn text(&self) -> &str {
        match self {
            Json::Text(text) => text,
            _ => "",
        }
    }

    fn list(&self) -> &[Json] {
        match self {
            Json::List(list) => list,
            _ => &[],
        }
    }
}

/// "per-node" as PerNode.
fn camel(word: &str) -> String {
    word.split('-')
        .map(|part| part[..1].to_uppercase() + &part[1..])
        .collect()
}

fn setter(out: &mut String, owner: &str, option: &Json) {
    let key = option.get("name").text();
    let (name, help) = (key.replace('-', "_"), option.get("help").text());
    let kind = match option.get("type").text() {
        "text" => "&str".to_string(),
        "whole" => "i64".to_string(),
        "real" => "f64".to_string(),
        "flag" => "bool".to_string(),
        _ => format!("{owner}{}", camel(key)),
    };
    let value = if kind.starts_with(owner) { "value.word()" } else { "value" };
    writeln!(out, "    #[doc = {help:?}]\n    pub fn {name}(self, value: {kind}) -> Self {{").unwrap();
    writeln!(out, "        Self {{ inner: self.inner.set({key:?}, {value}) }}\n    }}").unwrap();
    let word = option.get("word").text();
    if !word.is_empty() {
        writeln!(out, "    /// The word instead of a number.").unwrap();
        writeln!(out, "    pub fn {name}_{word}(self) -> Self {{").unwrap();
        writeln!(out, "        Self {{ inner: self.inner.set({key:?}, {word:?}) }}\n    }}").unwrap();
    }
}

fn choices(out: &mut String, owner: &str, option: &Json) {
    if option.get("type").text() != "choice" {
        return;
    }
    let name = format!("{owner}{}", camel(option.get("name").text()));
    let words = option.get("choices").list();
    writeln!(out, "#[doc = {:?}]", option.get("help").text()).unwrap();
    writeln!(out, "#[derive(Clone, Copy, Debug, PartialEq, Eq)]\npub enum {name} {{").unwrap();
    for word in words {
        writeln!(out, "    /// `{}`\n    {},", word.text(), camel(word.text())).unwrap();
    }
    writeln!(out, "}}\nimpl {name} {{\n    fn word(self) -> &'static str {{\n        match self {{").unwrap();
    for word in words {
        writeln!(out, "            {name}::{} => {:?},", camel(word.text()), word.text()).unwrap();
    }
    writeln!(out, "        }}\n    }}\n}}").unwrap();
}

fn main() {
    for name in ["PKG_CONFIG", "PKG_CONFIG_PATH", "PKG_CONFIG_LIBDIR", "PKG_CONFIG_SYSROOT_DIR"] {
        println!("cargo:rerun-if-env-changed={name}");
    }
    println!("cargo:rerun-if-changed=build.rs");
    let program = std::env::var("PKG_CONFIG").unwrap_or_else(|_| "pkg-config".to_string());
    let done = std::process::Command::new(&program).args(["--variable=kinds", "privgraph"]).output();
    let output = done.unwrap_or_else(|error| panic!("cannot run {program}: {error}"));
    let path = String::from_utf8_lossy(&output.stdout).trim().replace("\\ ", " ");
    println!("cargo:rerun-if-changed={path}");
    let text = std::fs::read_to_string(&path)
        .unwrap_or_else(|error| panic!("{program} --variable=kinds privgraph: '{path}': {error}"));
    let table = Json::read(&mut text.chars().peekable());
    let common = table.get("common").get("options").list();
    let mut out = String::new();
    for option in common {
        choices(&mut out, "Any", option);
    }
    assert!(!table.get("kinds").list().is_empty(), "{path}: there are no kinds");
    for kind in table.get("kinds").list() {
        let (word, name) = (kind.get("kind").text(), camel(kind.get("kind").text()));
        let options = kind.get("options").list();
        for option in options {
            choices(&mut out, &name, option);
        }
        writeln!(out, "#[doc = {:?}]", kind.get("says").text().to_string() + ".").unwrap();
        writeln!(out, "#[derive(Clone, Debug)]\npub struct {name} {{\n    inner: QueryBuilder,\n}}").unwrap();
        writeln!(out, "builder! {{ {name}, {word:?} }}\nimpl {name} {{").unwrap();
        for option in options {
            setter(&mut out, &name, option);
        }
        for option in common {
            setter(&mut out, "Any", option);
        }
        writeln!(out, "}}").unwrap();
    }
    let place = std::env::var("OUT_DIR").expect("cargo says where");
    std::fs::write(format!("{place}/kinds.rs"), out).expect("it can be written");
}
