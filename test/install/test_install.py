#!/usr/bin/env python3
"""Installs the build into a temporary folder and uses it as a stranger would: pkg-config, a
compiler, no knowledge of the tree.

usage: test_install.py BUILD_DIR SOURCE_ROOT MESON C_COMPILER CXX_COMPILER VERSION SOVERSION BLAS LEARN

LEARN: true or false, whether libprivgraph-learn was built.
"""
import glob
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

BUILD, SOURCE, MESON, CC, CXX, VERSION, SOVERSION, BLAS = sys.argv[1:9]
LEARN = sys.argv[9] == "true"
HERE = os.path.dirname(os.path.abspath(__file__))
C_FLAGS = ["-std=c11", "-Wall", "-Wextra", "-Werror", "-pedantic"]
CXX_FLAGS = ["-std=c++11", "-Wall", "-Wextra", "-Werror", "-pedantic"]


def run(*command, **more):
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **more)
    if done.returncode:
        raise AssertionError(f"{' '.join(command)} -> {done.returncode}\n{done.stdout}")
    return done.stdout


def one(pattern):
    found = glob.glob(pattern, recursive=True)
    assert len(found) == 1, (pattern, found)
    return found[0]


def needed(program):
    return set(re.findall(r"\(NEEDED\).*\[(.*)\]", run("readelf", "-d", program)))


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def page_blocks(page, language):
    """The fenced blocks of a page in that language."""
    found = re.findall(rf"^```{language}\n(.*?)^```$", read(os.path.join(SOURCE, page)),
                       flags=re.M | re.S)
    assert found, f"{page} has no {language} example"
    return found


def page_block(page, language):
    """The first of them."""
    return page_blocks(page, language)[0]


class Install(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.work = tempfile.mkdtemp(prefix="privgraph-install-")
        root = os.path.join(cls.work, "root")
        run(MESON, "install", "-C", BUILD, "--no-rebuild", "--destdir", root)
        cls.pc = one(os.path.join(root, "**", "privgraph.pc"))
        cls.pc_text = read(cls.pc)
        # The prefix is told from where the file lies: nothing is left to do after DESTDIR, or a move.
        above = re.search(r"^prefix=\$\{pcfiledir\}/(.*)$", cls.pc_text, flags=re.M).group(1)
        cls.prefix = os.path.normpath(os.path.join(os.path.dirname(cls.pc), above))
        cls.libdir = os.path.dirname(one(os.path.join(root, "**", "libprivgraph.so")))
        # The same without the shared library: what a static link sees.
        cls.static = os.path.join(cls.work, "static")
        shutil.copytree(cls.prefix, cls.static, symlinks=True)
        static_pc = one(os.path.join(cls.static, "**", "privgraph.pc"))
        for path in glob.glob(os.path.join(cls.static, "**", "libprivgraph*.so*"), recursive=True):
            os.unlink(path)
        cls.static_pc_dir = os.path.dirname(static_pc)

    @classmethod
    def tearDownClass(cls):
        shutil.rmtree(cls.work)

    def pkg_config(self, *arguments, folder=None, package="privgraph"):
        env = dict(os.environ, PKG_CONFIG_PATH=folder or os.path.dirname(self.pc))
        return run("pkg-config", *arguments, package, env=env).split()

    def build(self, name, source, compiler, flags, libs, folder=None):
        """Compiles source (text or path) in a folder of its own; returns the program."""
        place = os.path.join(self.work, name)
        os.makedirs(place)
        path = os.path.join(place, name + (".cc" if compiler == CXX else ".c"))
        with open(path, "w", encoding="utf-8") as out:
            out.write(source)
        program = os.path.join(place, name)
        run(compiler, *flags, f'-DEXPECTED_VERSION="{VERSION}"', *self.pkg_config("--cflags", folder=folder),
            "-o", program, path, *libs, cwd=place)
        return program

    def execute(self, *command):
        env = dict(os.environ, LD_LIBRARY_PATH=self.libdir, PKG_CONFIG_PATH=os.path.dirname(self.pc))
        return run(*command, env=env, cwd=self.work)

    def test_files(self):
        """Headers, libraries, privgraph.pc, the FFI header, the program with its pages; nothing of the tests."""
        expected = {"libprivgraph.a", "libprivgraph.so", f"libprivgraph.so.{SOVERSION}",
                    f"libprivgraph.so.{VERSION}", "privgraph.pc", "privgraph.h", "privgraph.hpp",
                    "privgraph_ffi.h", "api.json", "kinds.json", "privgraph-queries.7", "kinds.h",
                    "privgraph-kinds.hpp", "privgraph-config.cmake", "privgraph-config-version.cmake", "LICENSE"}
        if LEARN:
            expected |= {"libprivgraph-learn.a", "libprivgraph-learn.so", f"libprivgraph-learn.so.{SOVERSION}",
                         f"libprivgraph-learn.so.{VERSION}", "privgraph-learn.pc", "privgraph-learn.h", "privgraph-learn.hpp",
                         "privgraph_learn_ffi.h", "libprivgraph-learn.3"}
        if os.path.exists(os.path.join(self.libdir, "libprivgraph-mpi.so")):  # with MPI
            expected |= {"libprivgraph-mpi.so", f"libprivgraph-mpi.so.{SOVERSION}", f"libprivgraph-mpi.so.{VERSION}",
                         "privgraph-mpi.pc", "privgraph-mpi.h", "privgraph-mpi"}
        commands = json.loads(self.execute(os.path.join(self.prefix, "bin", "privgraph"), "--dump-options"))
        expected |= {"privgraph", "privgraph.1", "libprivgraph.3", "privgraph.bash", "_privgraph"}
        with open(os.path.join(self.prefix, "share", "privgraph", "api.json"), encoding="utf-8") as file:
            modules = json.load(file)["modules"]
        self.assertEqual({one["library"] for one in modules}, {"privgraph", *(["privgraph-learn"] if LEARN else [])})
        expected |= {one["name"] + ".h" for one in modules}
        expected |= {item["name"] + ".3" for one in modules for item in one["items"] if item["kind"] == "function"}
        expected |= {f"privgraph-{command['name'].split()[0]}.1" for command in commands["commands"]}
        found = [name for _, _, names in os.walk(self.prefix) for name in names]
        self.assertEqual(sorted(found), sorted(expected))

    def test_manual(self):
        """The overview lists every function; groff has nothing to say about any page."""
        folder = os.path.join(self.prefix, "share", "man", "man3")
        pages = {os.path.basename(path) for path in glob.glob(os.path.join(folder, "pvg_*.3"))}
        listed = "".join(map(read, glob.glob(os.path.join(folder, "libprivgraph*.3"))))
        self.assertEqual({name + ".3" for name in re.findall(r"^\.BR (pvg_\w+)", listed, flags=re.M)}, pages)
        if shutil.which("groff"):
            done = subprocess.run(["groff", "-man", "-ww", "-z", "-Tutf8", "-rLL=200n", *sorted(glob.glob(os.path.join(
                folder, "*.3")))], cwd=os.path.dirname(folder), stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                text=True)
            self.assertEqual((done.returncode, done.stdout), (0, ""))

    def test_hardened(self):
        """What is installed, not only what was built."""
        libraries = {os.path.realpath(path) for path in glob.glob(os.path.join(self.libdir, "libprivgraph*.so"))}
        with_mpi = os.path.exists(os.path.join(self.libdir, "libprivgraph-mpi.so"))
        self.assertEqual(len(libraries), 1 + LEARN + with_mpi)
        program = one(os.path.join(self.prefix, "bin", "privgraph"))
        done = subprocess.run([sys.executable, os.path.join(HERE, "..", "abi", "hardened.py"), "check",
                               os.uname().machine, program, *sorted(libraries)], stdout=subprocess.PIPE, text=True)
        self.assertEqual((done.returncode, done.stdout), (0, ""))

    def test_link_chain(self):
        link = os.path.join(self.libdir, "libprivgraph.so")
        self.assertEqual(os.readlink(link), f"libprivgraph.so.{SOVERSION}")
        self.assertEqual(os.readlink(link + "." + SOVERSION), f"libprivgraph.so.{VERSION}")
        dynamic = run("readelf", "-d", link)
        self.assertIn(f"[libprivgraph.so.{SOVERSION}]", dynamic)
        self.assertNotRegex(dynamic, r"RPATH|RUNPATH")

    def test_pc(self):
        self.assertEqual(self.pkg_config("--modversion"), [VERSION])
        absolute = [line for line in self.pc_text.splitlines() if re.search(r"(^|[=\s])/|[IL]/", line)]
        self.assertEqual(absolute, [])
        for folder in (BUILD, SOURCE):
            self.assertNotIn(folder, self.pc_text)
        self.assertEqual([word for word in self.pkg_config("--libs") if word.startswith("-l")],
                         ["-lprivgraph"])
        static = self.pkg_config("--static", "--libs")
        self.assertIn("-lsodium", static)
        kind, *packages = self.pkg_config("--variable=blas")
        self.assertEqual(kind, BLAS)
        self.assertEqual(bool(packages), kind == "linked")
        for package in packages:
            self.assertIn("-l" + package, static)

    @unittest.skipUnless(shutil.which("cmake"), "no cmake here: find_package(privgraph) was not tried")
    def test_cmake(self):
        """find_package with and without the component, in a prefix that was moved; other versions and parts are not found."""
        moved = os.path.join(self.work, "moved prefix")
        shutil.copytree(self.prefix, moved, symlinks=True)
        part = "learn" if LEARN else ""
        source = os.path.join(self.work, "cmake")
        shutil.copytree(os.path.join(HERE, "cmake"), source)
        for name in ("consumer.c", "consumer.cc", "learner.c"):
            shutil.copy(os.path.join(HERE, name), source)
        build = os.path.join(self.work, "cmake-build")
        run("cmake", "-S", source, "-B", build, f"-DCMAKE_PREFIX_PATH={moved}", f"-DPART={part}",
            f"-DCMAKE_C_COMPILER={CC}", f"-DCMAKE_CXX_COMPILER={CXX}", f"-DEXPECTED={VERSION}")
        run("cmake", "--build", build)
        self.assertEqual(run(os.path.join(build, "consumer")), "consumer ok\n")
        self.assertEqual(run(os.path.join(build, "consumer_cc")), "consumer ok\n")
        if LEARN:
            run(os.path.join(build, "learner"))
        self.assertIn(moved, run("readelf", "-d", os.path.join(build, "consumer")))
        for wish, says in (("9.0", "not accepted|not compatible|requested version"), ("0.1 COMPONENTS nonsense", "nonsense")):
            with self.assertRaises(AssertionError) as refused:
                run("cmake", "-S", source, "-B", os.path.join(self.work, "cmake-" + wish.split()[-1]),
                    f"-DCMAKE_PREFIX_PATH={moved}", f"-DWISH={wish}", f"-DCMAKE_C_COMPILER={CC}",
                    f"-DCMAKE_CXX_COMPILER={CXX}")
            self.assertRegex(str(refused.exception), says)

    def test_ffi_header(self):
        path, = self.pkg_config("--variable=ffi_header")
        self.assertIn("pvg_version_string(void);", read(path))

    def test_c_shared(self):
        program = self.build("shared", read(os.path.join(HERE, "consumer.c")), CC, C_FLAGS,
                             self.pkg_config("--libs"))
        self.assertEqual(self.execute(program), "consumer ok\n")
        self.assertEqual(needed(program), {f"libprivgraph.so.{SOVERSION}", "libc.so.6"})

    def test_c_static(self):
        program = self.build("static_c", read(os.path.join(HERE, "consumer.c")), CC, C_FLAGS,
                             self.pkg_config("--static", "--libs", folder=self.static_pc_dir),
                             folder=self.static_pc_dir)
        self.assertEqual(run(program), "consumer ok\n")
        self.assertNotIn(f"libprivgraph.so.{SOVERSION}", needed(program))

    def test_c_static_whole(self):
        """Without any shared library: the same numbers and files, and products of matrices, for which a BLAS would
        be opened (from a static program that crashes)."""
        if not os.path.exists(os.path.join(run("pkg-config", "--variable=libdir", "libsodium").strip(), "libsodium.a")):
            self.skipTest("no static libsodium")
        libs = self.pkg_config("--static", "--libs", folder=self.static_pc_dir)
        # what the .pc files of Debian's OpenBLAS forget (docs/guide/packaging.md)
        whole = libs + (["-lquadmath", "-lm"] if {"-lopenblas", "-lblas"} & set(libs) and os.uname().machine == "x86_64" else [])
        smoke = read(os.path.join(SOURCE, "test", "cross", "smoke.c"))
        told = []
        for name, flags, more in [("smoke_shared", C_FLAGS, self.pkg_config("--libs")),
                                  ("smoke_static", C_FLAGS, libs), ("smoke_whole", C_FLAGS + ["-static"], whole)]:
            program = self.build(name, smoke, CC, flags, more, folder=self.static_pc_dir if "shared" not in name else None)
            place = os.path.join(self.work, name, "files")
            os.makedirs(place)
            told.append(self.execute(program, "write", place))
        self.assertGreater(len(told[0].splitlines()), 10)
        self.assertEqual(told[0], told[1])
        self.assertEqual(told[0], told[2])
        product = read(os.path.join(HERE, "product.c"))
        for name, flags, more in [("product", C_FLAGS, libs), ("product_whole", C_FLAGS + ["-static"], whole)]:
            program = self.build(name, product, CC, flags, more, folder=self.static_pc_dir)
            self.assertEqual(run(program), "product ok\n")

    @unittest.skipUnless(LEARN, "-Dlearn=false")
    def test_learn(self):
        """Both libraries, shared and static; the second asks for the first of its version."""
        self.assertEqual(self.pkg_config("--print-requires", package="privgraph-learn"), ["privgraph", "=", VERSION])
        source = read(os.path.join(HERE, "learner.c"))
        program = self.build("learn_shared", source, CC, C_FLAGS, self.pkg_config("--libs", package="privgraph-learn"))
        self.assertEqual(self.execute(program), "learner ok\n")
        self.assertEqual(needed(program), {f"libprivgraph-learn.so.{SOVERSION}", f"libprivgraph.so.{SOVERSION}", "libc.so.6"})
        program = self.build("learn_static", source, CC, C_FLAGS, self.pkg_config(
            "--static", "--libs", folder=self.static_pc_dir, package="privgraph-learn"), folder=self.static_pc_dir)
        self.assertEqual(run(program), "learner ok\n")

    def test_releases_need_one_library(self):
        """A program that includes privgraph.h alone sees nothing of the other."""
        source = "#include <privgraph.h>\nint main(void) { return (int)sizeof(pvg_training_config); }\n"
        with self.assertRaisesRegex(AssertionError, "pvg_training_config"):
            self.build("alone", source, CC, C_FLAGS, self.pkg_config("--libs"))

    def test_cxx(self):
        for name, standard in [("cxx11", CXX_FLAGS), ("cxx17", ["-std=c++17"] + CXX_FLAGS[1:])]:
            program = self.build(name, read(os.path.join(HERE, "consumer.cc")), CXX, standard,
                                 self.pkg_config("--libs"))
            self.assertEqual(self.execute(program), "consumer ok\n")

    def test_cxx_static(self):
        program = self.build("static_cxx", read(os.path.join(HERE, "consumer.cc")), CXX, CXX_FLAGS,
                             self.pkg_config("--static", "--libs", folder=self.static_pc_dir),
                             folder=self.static_pc_dir)
        self.assertEqual(run(program), "consumer ok\n")

    def test_hidden_functions_stay_hidden(self):
        """A program cannot link against what the map does not export."""
        source = "int pvgi_log_set(void);\nint main(void) { return pvgi_log_set(); }\n"
        with self.assertRaisesRegex(AssertionError, "undefined reference to `pvgi_log_set'"):
            self.build("hidden", source, CC, C_FLAGS, self.pkg_config("--libs"))

    def test_readme_c(self):
        for number, block in enumerate(page_blocks("README.md", "c")):
            program = self.build(f"readme_c_{number}", block, CC, C_FLAGS, self.pkg_config("--libs"))
            self.assertNotEqual(self.execute(program), "")

    def test_foreign_function_example(self):
        path = os.path.join(self.work, "foreign.py")
        with open(path, "w", encoding="utf-8") as out:
            out.write(page_block(os.path.join("docs", "inside", "abi.md"), "python"))
        self.assertNotEqual(self.execute(sys.executable, path), "")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1] + sys.argv[10:])
