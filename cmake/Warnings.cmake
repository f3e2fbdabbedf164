# gomkit_warnings: link it PRIVATE to get the project's warnings.
add_library(gomkit_warnings INTERFACE)
if(MSVC)
  target_compile_options(gomkit_warnings INTERFACE /W4 $<$<BOOL:${GOMKIT_WERROR}>:/WX>)
else()
  target_compile_options(gomkit_warnings INTERFACE
    -Wall -Wextra -Wconversion -Wsign-conversion -Wshadow -Wnon-virtual-dtor -Wold-style-cast -Wcast-align -Wunused
    -Woverloaded-virtual -Wformat=2 -Wimplicit-fallthrough
    $<$<CXX_COMPILER_ID:Clang>:-Wno-missing-braces>  # gcc leaves it out of -Wall for C++
    $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict>  # false alarms on std::string + char* in g++ 12 (GCC bug 105651)
    $<$<BOOL:${GOMKIT_WERROR}>:-Werror>)
endif()
