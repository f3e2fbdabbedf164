# What `cmake --install` puts down: the run-time library as find_package(gomkit COMPONENTS runtime), without needing anything else.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)
set(gomkit_package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/gomkit)

install(TARGETS gomkit_runtime EXPORT gomkit_runtime_targets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT runtime)
install(DIRECTORY runtime/include/gomkit DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT runtime FILES_MATCHING PATTERN "*.hpp")
install(EXPORT gomkit_runtime_targets NAMESPACE gomkit:: FILE GomkitRuntimeTargets.cmake
        DESTINATION ${gomkit_package_dir} COMPONENT runtime)
configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/GomkitConfig.cmake.in ${PROJECT_BINARY_DIR}/gomkit-config.cmake
                              INSTALL_DESTINATION ${gomkit_package_dir})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/gomkit-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/gomkit-config.cmake ${PROJECT_BINARY_DIR}/gomkit-config-version.cmake
        DESTINATION ${gomkit_package_dir} COMPONENT runtime)
