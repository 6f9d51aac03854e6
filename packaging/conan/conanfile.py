"""conan create packaging/conan: the library of the clone that this lies in, for Conan 2."""
import os

from conan import ConanFile
from conan.errors import ConanInvalidConfiguration
from conan.tools.files import copy
from conan.tools.gnu import PkgConfigDeps
from conan.tools.meson import Meson, MesonToolchain


class PrivGraph(ConanFile):
    name = "privgraph"
    version = "0.1.0"
    license = "BSD-3-Clause"
    description = "Publishable releases of private graphs, with guarantees that hold"
    settings = "os", "compiler", "build_type", "arch"
    package_type = "shared-library"
    options = {"learn": [True, False], "tool": [True, False], "blas": ["lazy", "none"]}
    default_options = {"learn": True, "tool": True, "blas": "lazy"}

    def export_sources(self):
        root = os.path.join(self.recipe_folder, "..", "..")
        for pattern in ("meson.build", "meson_options.txt", "LICENSE", "include/*", "lib/*", "mpi/*", "pkgconfig/*", "tools/*",
                        "bindings/*"):
            copy(self, pattern, root, self.export_sources_folder)

    def validate(self):
        if self.settings.os != "Linux" or str(self.settings.arch) not in ("x86_64", "armv8", "s390x"):
            raise ConanInvalidConfiguration("libprivgraph is for Linux with 64 bits")

    def requirements(self):
        self.requires("libsodium/[>=1.0.18 <2]")
        if self.options.tool:
            self.requires("zlib/[>=1.2.11 <2]")

    def build_requirements(self):
        self.tool_requires("meson/[>=1.0 <2]")
        self.tool_requires("pkgconf/[>=2 <3]")

    def generate(self):
        chain = MesonToolchain(self)
        chain.project_options["tests"] = "disabled"
        chain.project_options["examples"] = False
        chain.project_options["learn"] = bool(self.options.learn)
        chain.project_options["tool"] = bool(self.options.tool)
        chain.project_options["blas"] = str(self.options.blas)
        chain.generate()
        PkgConfigDeps(self).generate()

    def build(self):
        meson = Meson(self)
        meson.configure()
        meson.build()

    def package(self):
        Meson(self).install()
        copy(self, "LICENSE", self.source_folder, os.path.join(self.package_folder, "licenses"))

    def package_info(self):
        self.cpp_info.set_property("cmake_file_name", "privgraph")
        core = self.cpp_info.components["privgraph"]
        core.libs = ["privgraph"]
        core.requires = ["libsodium::libsodium"] + (["zlib::zlib"] if self.options.tool else [])
        core.set_property("pkg_config_name", "privgraph")
        core.set_property("cmake_target_name", "privgraph::privgraph")
        if self.options.learn:
            learn = self.cpp_info.components["learn"]
            learn.libs = ["privgraph-learn"]
            learn.requires = ["privgraph"]
            learn.set_property("pkg_config_name", "privgraph-learn")
            learn.set_property("cmake_target_name", "privgraph::learn")
