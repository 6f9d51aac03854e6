"""What the ABI and meta tests read out of the public headers, by text alone."""
import os
import re


def without_comments(text):
    """Blanks comments, string and character literals, keeping line numbers."""
    def blank(match):
        return re.sub(r"[^\n]", " ", match.group(0))
    return re.sub(r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'', blank, text,
                  flags=re.S)


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def api_functions(text):
    """Names of the PRIVGRAPH_API functions of a header, in order."""
    code = re.sub(r"^[ \t]*#.*$", "", without_comments(text), flags=re.M)
    return re.findall(r"\bPRIVGRAPH_API\b[^;{]*?\b(\w+)\s*\(", code)


def defined_names(text):
    """Every name a header puts into the program that includes it: functions, types, tags,
    enumerators, macros."""
    code = without_comments(text)
    names = set(re.findall(r"^[ \t]*#[ \t]*define[ \t]+(\w+)", code, flags=re.M))
    code = re.sub(r"^[ \t]*#.*$", "", code, flags=re.M)
    names |= set(api_functions(text))
    names |= set(re.findall(r"\b(?:struct|union|enum)\s+(\w+)", code))
    for body in re.findall(r"\benum\s*\w*\s*\{(.*?)\}", code, flags=re.S):
        names |= {item.split("=")[0].strip() for item in body.split(",") if item.strip()}
    names |= set(re.findall(r"\}\s*(\w+)\s*;", code))
    names |= set(re.findall(r"\btypedef\b[^;{]*?\b(\w+)\s*;", code))
    names |= set(re.findall(r"\btypedef\b[^;{]*?\(\s*\*\s*(\w+)\s*\)", code))
    return names


def map_symbols(text):
    """Global names of a linker version script with one version."""
    code = without_comments(text)
    body = re.search(r"global:(.*?)local:", code, flags=re.S).group(1)
    return [name.strip() for name in body.split(";") if name.strip()]


def rooms():
    """Names of the rooms in the order of inclusion: lib/rooms.txt."""
    path = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "lib", "rooms.txt")
    return [line.split()[0] for line in read(path).splitlines() if not line.startswith("#")]
