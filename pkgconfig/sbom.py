#!/usr/bin/env python3
"""What this build is made of and linked with, as SPDX 2.3.

usage: sbom.py write OUTPUT SOURCE_ROOT VERSION NAME=VERSION=LICENSE=FILE...
       sbom.py check SBOM ELF...

FILE is the shared library by which a dependency is known (libsodium.so). check: every library that the files ask
the loader for is in the list, and nothing in the list is there twice.
"""
import datetime
import hashlib
import json
import os
import re
import subprocess
import sys


def moment():
    """Of the source, where a build tells it, so that builds can be repeated."""
    seconds = os.environ.get("SOURCE_DATE_EPOCH")
    when = datetime.datetime.fromtimestamp(int(seconds) if seconds else 0, datetime.timezone.utc)
    return when.strftime("%Y-%m-%dT%H:%M:%SZ")


def identifier(name):
    return "SPDXRef-" + re.sub(r"[^A-Za-z0-9.-]", "-", name)


def package(name, version, licence, comment=None):
    out = {"name": name, "SPDXID": identifier(name), "versionInfo": version, "downloadLocation": "NOASSERTION",
           "filesAnalyzed": False, "licenseConcluded": licence, "licenseDeclared": licence, "copyrightText": "NOASSERTION"}
    return {**out, "comment": comment} if comment else out


def write(output, root, version, *dependencies):
    with open(os.path.join(root, "LICENSE"), "rb") as text:
        digest = hashlib.sha256(text.read() + version.encode() + " ".join(dependencies).encode()).hexdigest()
    packages, links = [package("libprivgraph", version, "BSD-3-Clause")], []
    for one in dependencies:
        name, found, licence, file = one.split("=")
        packages.append(package(name, found, licence, file))
        links.append({"spdxElementId": identifier("libprivgraph"), "relationshipType": "DYNAMIC_LINK",
                      "relatedSpdxElement": identifier(name)})
    links.insert(0, {"spdxElementId": "SPDXRef-DOCUMENT", "relationshipType": "DESCRIBES",
                     "relatedSpdxElement": identifier("libprivgraph")})
    document = {"spdxVersion": "SPDX-2.3", "dataLicense": "CC0-1.0", "SPDXID": "SPDXRef-DOCUMENT",
                "name": f"libprivgraph-{version}", "documentNamespace": f"urn:libprivgraph:{version}:{digest}",
                "creationInfo": {"created": moment(), "creators": ["Tool: libprivgraph-sbom"]},
                "packages": packages, "relationships": links}
    with open(output, "w", encoding="utf-8") as out:
        json.dump(document, out, indent=1)
        out.write("\n")


def check(sbom, *files):
    with open(sbom, encoding="utf-8") as text:
        document = json.load(text)
    known = {one.get("comment") for one in document["packages"]} | {"libprivgraph.so", "libprivgraph-learn.so"}
    names = [one["SPDXID"] for one in document["packages"]]
    wrong = [f"{name} twice" for name in set(names) if names.count(name) > 1]
    for path in files:
        dynamic = subprocess.run(["readelf", "--dynamic", "--wide", path], check=True, stdout=subprocess.PIPE, text=True).stdout
        for needed in re.findall(r"\(NEEDED\).*\[(.*?)\]", dynamic):
            stem = re.sub(r"\.so\..*$", ".so", needed)
            if stem not in known and not re.match(r"ld-linux|lib(?:m|pthread|dl|c)\.so", needed):
                wrong.append(f"{path} needs {needed}, which is not in the list")
    if not any(one["name"] == "glibc" for one in document["packages"]):
        wrong.append("no C library")
    return wrong


def main():
    if sys.argv[1] == "write":
        write(*sys.argv[2:])
        return 0
    wrong = check(*sys.argv[2:])
    print("\n".join(wrong) or "all there")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
