#!/usr/bin/env python3
"""Man pages and shell completions from the option tables of the program.

usage: pages.py OPTIONS.json OUTPUT_FOLDER man NAME...       privgraph(1) and its sub-commands
       pages.py OPTIONS.json OUTPUT_FOLDER complete BASH ZSH

OPTIONS.json is what 'privgraph --dump-options' writes.
"""
import json
import os
import re
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "include"))
from manual import head, paragraphs, roff  # noqa: E402

EXIT_CODES = [("0", "Done."), ("1", "Failed: unreadable or malformed input, no space, a refuted claim."),
              ("2", "Wrong usage."),
              ("3", "Refused on privacy grounds: no sound guarantee exists, or nothing could be seen."),
              ("4", "Refused: the budget of the ledger would be exceeded. Nothing was paid."),
              ("5", "Refused: what must be public was not told, such as the number of nodes."),
              ("6", "Refused: noise of a seeded generator, which protects nobody."),
              ("7", "The ledger is in use by another program: try again, or --wait."),
              ("8", "No such file or folder.")]


# --- man pages ---------------------------------------------------------------------------

def option_lines(option):
    names = (f"\\fB\\-{option['letter']}\\fR, " if option["letter"] else "") + f"\\fB{roff('--' + option['name'])}\\fR"
    if option["value"]:
        names += f" \\fI{roff(option['value'])}\\fR"
    return [".TP", names, roff(option["help"]) + "."]


def command_sections(command):
    lines = [paragraphs(command["text"])]
    for group in command["groups"]:
        lines += [f".SS {roff(group['title'])}"]
        for option in group["options"]:
            lines += option_lines(option)
    return lines


def example_lines(command):
    lines = []
    for example in command["examples"]:
        lines += [".PP", roff(example["says"][0].upper() + example["says"][1:]) + ":", ".PP", ".nf", ".RS 4",
                  roff(example["call"]), ".RE", ".fi"]
    return lines


def synopsis(command):
    operands = f" \\fI{roff(command['operands'])}\\fR" if command["operands"] else ""
    return [".B privgraph " + roff(command["name"]), f"[\\fIOPTION\\fR...]{operands}"]


def tail(others):
    lines = [".SH EXIT STATUS"]
    for code, says in EXIT_CODES:
        lines += [".TP", f".B {code}", roff(says)]
    lines += [".PP", "After Ctrl\\-C the program ends by that signal; no output file is left half written."]
    lines += [".SH ENVIRONMENT", ".TP", ".B NO_COLOR", "If set and not empty: no colours on the terminal."]
    lines += [".SH SEE ALSO", ",\n".join(f".BR {roff(name)} ({section})" for name, section in others)
              .replace(",\n", " ,\n")]
    return lines


def families(options):
    """First words of the commands, in order, each with its commands."""
    found = {}
    for command in options["commands"]:
        found.setdefault(command["name"].split()[0], []).append(command)
    return found


def family_page(word, commands, version):
    name = "privgraph-" + word
    summary = commands[0]["summary"] if len(commands) == 1 else \
        ", ".join(c["name"].split()[1] for c in commands) + ": " + FAMILY_SUMMARY[word]
    lines = head(name, 1, version, summary) + [".SH SYNOPSIS"]
    for i, command in enumerate(commands):
        lines += ([".br"] if i else []) + synopsis(command)
    if len(commands) == 1:
        lines += [".SH DESCRIPTION"] + command_sections(commands[0])
    for command in commands if len(commands) > 1 else []:
        lines += [f".SH {roff('privgraph ' + command['name']).upper()}"] + command_sections(command)
    lines += [".SH EXAMPLES"]
    for command in commands:
        lines += example_lines(command)
    return lines + tail([("privgraph", 1), ("libprivgraph", 3)])


FAMILY_SUMMARY = {"release": "queries of every kind that the library knows, with the options of its table",
                  "patterns": "public patterns that can be counted",
                  "ledger": "privacy budgets in files",
                  "learn": "classes by networks, for who and what is hidden",
                  "attack": "what models and releases give away, beside controls",
                  "audit": "games about what is hidden, with error bounds",
                  "lists": "numbers about lists of persons and things, which hide a whole person",
                  "perturb": "private graphs, features and labels that look like their inputs"}


def main_page(options):
    version = options["version"]
    lines = head("privgraph", 1, version, "publish things about private graphs, with guarantees that hold")
    lines += [".SH SYNOPSIS", ".B privgraph", "\\fICOMMAND\\fR [\\fIOPTION\\fR...]", ".SH DESCRIPTION",
              paragraphs("privgraph turns private graphs into things that may be published, each with a guarantee "
                         "that is true. Every command has its own page and --help.\n\n"
                         "Data go to stdout or to --output FILE, talk goes to stderr; - stands for stdin or stdout. "
                         "Output files appear complete or not at all. Files compressed with gzip are read as they "
                         "are. A progress bar is shown on a terminal only.\n\n"
                         "What is not private comes only when it is asked for by an option whose name ends in "
                         "not-private.")]
    lines += [".SH COMMANDS"]
    for word, commands in families(options).items():
        for command in commands:
            lines += [".TP", f".B {roff(command['name'])}", roff(command["summary"].rstrip("?")) +
                      f". See \\fB{roff('privgraph-' + word)}\\fR(1)."]
    return lines + tail([(f"privgraph-{word}", 1) for word in families(options)] + [("libprivgraph", 3)])


def man_pages(options):
    pages = {"privgraph.1": main_page(options)}
    for word, commands in families(options).items():
        pages[f"privgraph-{word}.1"] = family_page(word, commands, options["version"])
    return pages


# --- kinds of queries ---------------------------------------------------------------------------

def kind_option_lines(option):
    value = "|".join(option["choices"]) if "choices" in option else option["values"]
    more = f" (default {option['default']})" if "default" in option else ""
    if option.get("word"):
        value += f", or {option['word']}"
    return [".TP", f".B {roff(option['name'])}", roff(option["help"] + more + ". Values: " + value + ".")]


def queries_page(table, version):
    lines = head("privgraph-queries", 7, version, "kinds of queries and their options")
    lines += [".SH DESCRIPTION", paragraphs(
        "A query is asked as text, \"stars leaves=3 epsilon=1\": a kind and option=value pairs; parts of a joined one "
        "stand between plus signs. pvg_query_new(3) takes it, and privgraph release has a command for each kind.")]
    for kind in table["kinds"]:
        facts = [f"reads {', '.join(kind['reads'])}", f"gives {', '.join(kind['gives'])}", f"notion {', '.join(kind['notions'])}"]
        if kind["takes"]:
            facts.append(f"takes arrays: {', '.join(kind['takes'])}")
        if len(kind["noise"]) > 1:
            facts.append(f"noise {', '.join(kind['noise'])}")
        lines += [f".SH {roff(kind['kind']).upper()}", roff(kind["says"] + "."), ".PP", roff("Reads" + "; ".join(facts)[5:] + ".")]
        for option in kind["options"]:
            lines += kind_option_lines(option)
    lines += [".SH OPTIONS OF EVERY KIND"]
    for option in table["common"]["options"]:
        lines += kind_option_lines(option)
    return lines + tail([("privgraph-release", 1), ("pvg_query_new", 3), ("libprivgraph", 3)])


# --- completions -----------------------------------------------------------------------------

def quoted(text):
    return "'" + text.replace("'", "'\\''") + "'"


def all_options(command):
    return [option for group in command["groups"] for option in group["options"]]


def bash_lines(options):
    words = {}
    for command in options["commands"]:
        parts = command["name"].split()
        words.setdefault("", []).append(parts[0])
        if len(parts) == 2:
            words.setdefault(parts[0], []).append(parts[1])
    lines = ["# bash completion for privgraph, made from its option tables", "_privgraph() {",
             "    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]}",
             "    local first=${COMP_WORDS[1]-} second=${COMP_WORDS[2]-} list='' files=''",
             "    COMPREPLY=()",
             "    if [ \"$COMP_CWORD\" -eq 1 ]; then",
             f"        list={quoted(' '.join(dict.fromkeys(words.pop(''))) + ' --help --version')}",
             "    else case \"$first $second\" in"]
    for command in options["commands"]:
        parts = command["name"].split()
        label = quoted(command["name"]) if len(parts) == 2 else quoted(parts[0] + " ") + "*"
        lines += [f"    {label})"]
        if len(parts) == 2:
            lines += ["        if [ \"$COMP_CWORD\" -eq 2 ]; then",
                      f"            list={quoted(' '.join(words[parts[0]]) + ' --help')}",
                      "        else"]
        lines += ["        case \"$before\" in"]
        for option in all_options(command):
            names = f"--{option['name']}" + (f" | -{option['letter']}" if option["letter"] else "")
            if option["kind"] == "choice":
                lines += [f"        {names}) list={quoted(option['value'].replace('|', ' '))} ;;"]
            elif option["kind"] == "file":
                lines += [f"        {names}) files=yes ;;"]
            elif option["value"]:
                lines += [f"        {names}) return ;;"]
        names = " ".join("--" + option["name"] for option in all_options(command))
        lines += [f"        *) list={quoted(names)} files=yes ;;", "        esac"]
        if len(parts) == 2:
            lines += ["        fi"]
        lines += ["        ;;"]
    for word, seconds in words.items():
        lines += [f"    {quoted(word + ' ')}*) [ \"$COMP_CWORD\" -eq 2 ] && list={quoted(' '.join(seconds) + ' --help')} ;;"]
    return lines + ["    esac fi",
                    "    case \"$word\" in -*) files='' ;; *) [ -n \"$files\" ] && [ \"${list#--}\" != \"$list\" ] && list='' ;; esac",
                    "    [ -n \"$list\" ] && while IFS='' read -r word; do COMPREPLY+=(\"$word\"); done < <(compgen -W \"$list\" -- \"${COMP_WORDS[COMP_CWORD]}\")",
                    "    [ -n \"$files\" ] && compopt -o filenames 2>/dev/null",
                    "    [ -n \"$files\" ] && while IFS='' read -r word; do COMPREPLY+=(\"$word\"); done < <(compgen -f -- \"${COMP_WORDS[COMP_CWORD]}\")",
                    "    return 0", "}", "complete -F _privgraph privgraph"]


def zsh_text(text):
    return re.sub(r"([\[\]:\\])", r"\\\1", text)


def zsh_option(option):
    help_text = zsh_text(option["help"].split(". ")[0].split("; ")[0])
    action = ""
    if option["kind"] == "choice":
        action = f":value:({option['value'].replace('|', ' ')})"
    elif option["kind"] == "file":
        action = ":file:_files"
    elif option["value"]:
        action = f":{zsh_text(option['value'])}: "
    names = f"--{option['name']}"
    spec = f"{names}[{help_text}]{action}"
    if not option["letter"]:
        return [quoted(spec)]
    return [quoted(f"-{option['letter']}[{help_text}]{action}"), quoted(spec)]


def zsh_lines(options):
    lines = ["#compdef privgraph", "# made from the option tables of privgraph", "_privgraph() {",
             "    local -a list", "    case \"$CURRENT:$words[2] $words[3]\" in", "    2:*)", "        list=("]
    for word, commands in families(options).items():
        says = commands[0]["summary"] if len(commands) == 1 else FAMILY_SUMMARY[word]
        lines += [f"            {quoted(word + ':' + zsh_text(says))}"]
    lines += ["        )", "        _describe command list ;;"]
    for word, commands in families(options).items():
        if len(commands) > 1:
            lines += [f"    3:{word}\\ *)", "        list=("]
            lines += [f"            {quoted(c['name'].split()[1] + ':' + zsh_text(c['summary']))}" for c in commands]
            lines += ["        )", "        _describe command list ;;"]
    for command in options["commands"]:
        parts = command["name"].split()
        label = "*:" + "\\ ".join(parts) if len(parts) == 2 else f"*:{parts[0]}\\ *"
        lines += [f"    {label})", f"        shift {len(parts)} words; (( CURRENT -= {len(parts)} ))",
                  "        _arguments -s \\"]
        for option in all_options(command):
            lines += [f"            {spec} \\" for spec in zsh_option(option)]
        lines += ["            '*:file:_files' ;;"]
    return lines + ["    esac", "}", "_privgraph \"$@\""]


# --- the program -----------------------------------------------------------------------------

def write(folder, name, lines):
    with open(os.path.join(folder, name), "w", encoding="utf-8") as out:
        out.write("\n".join(lines) + "\n")


def main():
    source, folder, what, *names = sys.argv[1:]
    with open(source, encoding="utf-8") as file:
        options = json.load(file)
    if what == "man":
        pages = man_pages(options)
        if sorted(names) != sorted(pages):
            sys.exit(f"pages.py: tools/meson.build names {sorted(names)}, but the pages are {sorted(pages)}")
        for name, lines in pages.items():
            write(folder, name, lines)
    elif what == "queries":
        write(folder, names[0], queries_page(options, names[1]))
    else:
        write(folder, names[0], bash_lines(options))
        write(folder, names[1], zsh_lines(options))


main()
