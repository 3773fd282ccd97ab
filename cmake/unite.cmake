# Compiles several files of these folders of the core at a time, as most of the time goes into Eigen's
# headers; for clang-tidy a room at a time, with core/analysis as one room. So a name in an anonymous
# namespace may occur only once in a room. Folders without Eigen are compiled file by file, as tests
# inspect their objects.
if(PM_WHOLE_ROOMS)
  set(PM_UNITED 100)
else()
  set(PM_UNITED 7)
endif()
function(pm_unite target)
  if(PM_DEV)
    target_precompile_headers(${target} PRIVATE <Eigen/Core> <algorithm> <cmath> <cstdint>
      <optional> <span> <vector>)
    return()
  endif()
  foreach(folder ${ARGN})
    file(GLOB sources ${PROJECT_SOURCE_DIR}/core/${folder}/*.cpp)
    set(place 0)
    foreach(source ${sources})
      math(EXPR group "${place} / ${PM_UNITED}")
      math(EXPR place "${place} + 1")
      if(PM_WHOLE_ROOMS)
        string(REGEX REPLACE "/.*" "" name ${folder})
      else()
        string(REPLACE "/" "_" name ${folder})
      endif()
      set_source_files_properties(${source} PROPERTIES UNITY_GROUP ${name}_${group})
    endforeach()
  endforeach()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP
    UNITY_BUILD_CODE_BEFORE_INCLUDE "// NOLINTNEXTLINE(bugprone-suspicious-include)")
endfunction()
