# pm_eigen and pm_flags: what our own code is compiled with, and nothing that links the library.
add_library(pm_eigen INTERFACE)
add_library(pm_flags INTERFACE)
if(EMSCRIPTEN AND PROJECT_IS_TOP_LEVEL)
  # Links to Debian's headers, as a cross compiler must not search all of /usr/include.
  set(PM_HEADERS ${PROJECT_BINARY_DIR}/headers)
  file(MAKE_DIRECTORY ${PM_HEADERS})
  foreach(package eigen3/Eigen fast_float nlohmann)
    if(EXISTS /usr/include/${package})
      get_filename_component(name ${package} NAME)
      file(CREATE_LINK /usr/include/${package} ${PM_HEADERS}/${name} SYMBOLIC)
    endif()
  endforeach()
  target_include_directories(pm_eigen SYSTEM INTERFACE ${PM_HEADERS})
else()
  if(NOT TARGET Eigen3::Eigen)
    find_package(Eigen3 3.4 REQUIRED NO_MODULE)
  endif()
  if(NOT TARGET FastFloat::fast_float)
    find_package(FastFloat REQUIRED)
  endif()
  target_link_libraries(pm_eigen INTERFACE Eigen3::Eigen)
  target_link_libraries(pm_flags INTERFACE FastFloat::fast_float)
endif()
target_link_libraries(pm_flags INTERFACE pm_eigen)
target_include_directories(pm_flags INTERFACE ${PROJECT_SOURCE_DIR})

if(PROJECT_IS_TOP_LEVEL)
  # CMakePresets.json makes errors of them.
  target_compile_options(pm_flags INTERFACE -Wall -Wextra -Wpedantic
    $<$<CXX_COMPILER_ID:Clang>:-Wreserved-identifier>)
else()
  # Whatever warnings and arithmetic the project around this one asks for (core/arithmetic.hpp).
  target_compile_options(pm_flags INTERFACE -w -fno-fast-math -fno-finite-math-only
    -fno-associative-math -fno-reciprocal-math -fsigned-zeros
    $<$<CXX_COMPILER_ID:GNU>:-fno-unsafe-math-optimizations>)
endif()
# With contraction into fused multiply-add, the bits of a quantised row would depend on the compiler.
target_compile_options(pm_flags INTERFACE -ffp-contract=off)
if(PM_SANITIZE)
  # Tests are not what the sanitizers are after: instrumented fully, they take a quarter longer
  # to compile. Null pointers and sizes of objects are checked by the address sanitizer as well; to
  # check them twice takes a sixth of the compiler's time.
  target_compile_options(pm_flags INTERFACE -fsanitize=address -fno-omit-frame-pointer
    $<$<NOT:$<BOOL:$<TARGET_PROPERTY:PM_TESTS>>>:-fsanitize=undefined -fno-sanitize=null,object-size
    -fno-sanitize-recover=all>)
  target_link_options(pm_flags INTERFACE -fsanitize=address,undefined)
endif()
if(EMSCRIPTEN)
  target_compile_options(pm_flags INTERFACE -fno-exceptions)
  if(PM_SIMD)
    # Every browser with SIMD also has memory.copy and memory.fill. The C library's loops that they
    # replace took a quarter of an interval's time.
    target_compile_options(pm_flags INTERFACE -msimd128 -mbulk-memory)
  endif()
endif()
