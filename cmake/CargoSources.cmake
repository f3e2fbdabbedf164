# gomkit_cargo_source(OUT_VAR crate): the folder of a crate pinned in third_party/Cargo.lock, found through cargo's own
# metadata, so no path is written down. setup.sh has fetched it; nothing is downloaded here.
function(gomkit_cargo_source out crate)
  get_property(metadata GLOBAL PROPERTY gomkit_cargo_metadata)
  if(NOT metadata)
    # The same order as setup.sh: a toolchain of the user's before Debian's.
    set(cargo_home "$ENV{CARGO_HOME}")
    if(NOT cargo_home)
      set(cargo_home "$ENV{HOME}/.cargo")
    endif()
    find_program(GOMKIT_CARGO cargo HINTS ${cargo_home}/bin)
    if(NOT GOMKIT_CARGO)
      message(FATAL_ERROR "gomkit: cargo not found; run ./setup.sh, or give the sources with -DGOMKIT_UFBX_DIR= and -DGOMKIT_MIKKTSPACE_DIR=")
    endif()
    execute_process(COMMAND ${GOMKIT_CARGO} --version OUTPUT_VARIABLE version ERROR_QUIET)
    set(environment)
    if(version MATCHES "cargo ([0-9.]+)" AND CMAKE_MATCH_1 VERSION_LESS 1.68)
      set(environment RUSTC_BOOTSTRAP=1 CARGO_UNSTABLE_SPARSE_REGISTRY=true)  # as setup.sh fetched them
    endif()
    execute_process(
      COMMAND ${CMAKE_COMMAND} -E env ${environment}
              ${GOMKIT_CARGO} metadata --offline --locked --format-version 1
              --manifest-path ${PROJECT_SOURCE_DIR}/third_party/Cargo.toml
      OUTPUT_VARIABLE metadata ERROR_VARIABLE error RESULT_VARIABLE result)
    if(NOT result EQUAL 0)
      message(FATAL_ERROR "gomkit: the pinned sources are not here; run ./setup.sh first\n${error}")
    endif()
    set_property(GLOBAL PROPERTY gomkit_cargo_metadata "${metadata}")
    set_property(DIRECTORY ${PROJECT_SOURCE_DIR} APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS third_party/Cargo.lock)
  endif()
  string(JSON count LENGTH "${metadata}" packages)
  math(EXPR last "${count} - 1")
  foreach(i RANGE ${last})
    string(JSON name GET "${metadata}" packages ${i} name)
    if(name STREQUAL crate)
      string(JSON manifest GET "${metadata}" packages ${i} manifest_path)
      get_filename_component(folder "${manifest}" DIRECTORY)
      set(${out} "${folder}" PARENT_SCOPE)
      return()
    endif()
  endforeach()
  message(FATAL_ERROR "gomkit: crate '${crate}' is not in third_party/Cargo.lock")
endfunction()
