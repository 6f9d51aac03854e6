# An overlay port: vcpkg install privgraph --overlay-ports=packaging/vcpkg. The source is the clone that it lies in; a
# registry's port has vcpkg_from_git here, with the commit of a release.
get_filename_component(SOURCE_PATH "${CMAKE_CURRENT_LIST_DIR}/../.." ABSOLUTE)

set(WITH_LEARN false)
if("learn" IN_LIST FEATURES)
  set(WITH_LEARN true)
endif()
set(WITH_TOOL false)
if("tool" IN_LIST FEATURES)
  set(WITH_TOOL true)
endif()

vcpkg_configure_meson(
  SOURCE_PATH "${SOURCE_PATH}"
  OPTIONS
    -Dtests=disabled
    -Dexamples=false
    -Dblas=lazy
    -Drelocatable=true
    -Dlearn=${WITH_LEARN}
    -Dtool=${WITH_TOOL})
vcpkg_install_meson()
vcpkg_fixup_pkgconfig()
vcpkg_cmake_config_fixup(PACKAGE_NAME privgraph CONFIG_PATH lib/cmake/privgraph)
if(WITH_TOOL)
  vcpkg_copy_tools(TOOL_NAMES privgraph AUTO_CLEAN)
endif()
file(REMOVE_RECURSE "${CURRENT_PACKAGES_DIR}/debug/include" "${CURRENT_PACKAGES_DIR}/debug/share")
vcpkg_install_copyright(FILE_LIST "${SOURCE_PATH}/LICENSE")
