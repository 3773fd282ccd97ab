# How this project builds itself. Projects that contain it choose for themselves.
option(PM_SANITIZE "Build with the address and undefined-behaviour sanitizers" OFF)
option(PM_FUZZ "Build the programs that fuzz the core instead of the tests" OFF)
option(PM_WHOLE_ROOMS "Compile one room of the core at a time, for clang-tidy and tests" OFF)
option(PM_DEV "For work on the core: compile files separately, with precompiled headers" OFF)
option(PM_SIMD "WebAssembly: use 128-bit SIMD" ON)
option(PM_RESEARCH "Build core/research too, which tests and experiments need"
       ${PRIVATE_MOMENTS_BUILD_TESTS})

set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
get_property(PM_MULTI_CONFIG GLOBAL PROPERTY GENERATOR_IS_MULTI_CONFIG)
if(NOT CMAKE_BUILD_TYPE AND NOT PM_MULTI_CONFIG)
  set(CMAKE_BUILD_TYPE Release)
endif()

# Objects of another checkout serve too: paths are taken from the root of this one.
find_program(PM_CCACHE ccache)
if(PM_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env CCACHE_BASEDIR=${PROJECT_SOURCE_DIR}
      CCACHE_NOHASHDIR=1 CCACHE_SLOPPINESS=pch_defines,time_macros ${PM_CCACHE})
endif()

if(PM_DEV)
  find_program(PM_LLD ld.lld)
  # The compiler cache needs this to distinguish precompiled headers.
  add_compile_options(-fpch-preprocess)
  if(PM_LLD)
    add_link_options(-fuse-ld=lld)
  endif()
endif()
