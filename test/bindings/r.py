#!/usr/bin/env python3
"""The R package: R CMD build, R CMD check without a complaint, against the library that was just built.

usage: r.py SOURCE_ROOT BUILD_DIR

Ends with 77 and a line where there is no R that can build packages.
"""
import os
import re
import shutil
import subprocess
import sys
import tempfile

ROOT, BUILD = map(os.path.abspath, sys.argv[1:3])


def run(*command, **more):
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **more)
    if done.returncode:
        print(done.stdout[-6000:])
        sys.exit(f"{' '.join(command)}: {done.returncode}")
    return done.stdout


def main():
    if not shutil.which("R"):
        print("no R here: the R package was not tried (Debian: r-base-core, r-base-dev)")
        return 77
    # the check calls R itself, so that everything goes by variables; nothing is installed outside of the folder
    env = dict(os.environ, LC_ALL="C.UTF-8", LANGUAGE="en", _R_CHECK_CRAN_INCOMING_="false",
               _R_CHECK_FORCE_SUGGESTS_="false", _R_CHECK_SYSTEM_CLOCK_="0", TZ="UTC",
               _R_CHECK_PACKAGE_DEPENDS_IGNORE_MISSING_ENHANCES_="true",
               _R_CHECK_XREFS_REPOSITORIES_="file:///nonexistent", https_proxy="http://127.0.0.1:9",
               http_proxy="http://127.0.0.1:9")  # no network: nobody is asked, and nobody waits for an answer
    with tempfile.TemporaryDirectory(prefix="privgraph-r-") as work:
        # R's makefiles take no path with a space
        for name, folder in (("own", f"{ROOT}/include"), ("made", f"{BUILD}/include"), ("lib", f"{BUILD}/lib")):
            os.symlink(folder, os.path.join(work, name))
        env.update(PRIVGRAPH_CFLAGS=f"-I{work}/own -I{work}/made",
                   PRIVGRAPH_LIBS=f"-L{work}/lib -lprivgraph -Wl,-rpath,{work}/lib")
        shutil.copytree(os.path.join(ROOT, "bindings", "r", "privgraph"), os.path.join(work, "privgraph"))
        run("R", "CMD", "build", "privgraph", cwd=work, env=env)
        package, = (name for name in os.listdir(work) if name.endswith(".tar.gz"))
        said = run("R", "CMD", "check", "--no-manual", package, cwd=work, env=env)
        tried = os.path.join(work, "privgraph.Rcheck", "tests", "first.Rout")
        with open(tried, encoding="utf-8") as file:
            tested = file.read()
        # the program of the page, with the package that the check installed
        with open(os.path.join(ROOT, "docs", "guide", "r.md"), encoding="utf-8") as file:
            block, = re.findall(r"^```r\n(.*?)^```$", file.read(), flags=re.M | re.S)
        with open(os.path.join(work, "page.R"), "w", encoding="utf-8") as out:
            out.write(block)
        shown = run("Rscript", "page.R", cwd=work, env=dict(env, R_LIBS=os.path.join(work, "privgraph.Rcheck")))
        if "refused: ledger:" not in shown or "5 %" not in shown:
            print(shown)
            return 1
    print(said[-600:])
    if not re.search(r"^Status: OK$", said, flags=re.M):
        print("\n".join(line for line in said.splitlines() if not line.endswith("OK")))
        return 1
    if "all checks passed" not in tested:
        print(tested[-3000:])
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
