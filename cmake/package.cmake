# What users of the library get: the target private_moments::private_moments, its headers as
# <private_moments/...>, and a package for find_package(private_moments).
include(cmake/public_headers.cmake)
set(include_folder ${PROJECT_BINARY_DIR}/include)
set(headers_written ${PROJECT_BINARY_DIR}/headers_written)
file(GLOB_RECURSE core_headers CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/core/*.hpp)
add_custom_command(OUTPUT ${headers_written}
  COMMAND ${CMAKE_COMMAND} -D SOURCE=${PROJECT_SOURCE_DIR} -D INTO=${include_folder}/private_moments
          -P ${PROJECT_SOURCE_DIR}/cmake/write_headers.cmake
  COMMAND ${CMAKE_COMMAND} -E touch ${headers_written}
  DEPENDS ${core_headers} cmake/public_headers.cmake cmake/write_headers.cmake
  VERBATIM)
add_custom_target(pm_headers DEPENDS ${headers_written})
add_dependencies(pm_core pm_headers)

add_library(private_moments::private_moments ALIAS pm_core)
set_target_properties(pm_core PROPERTIES EXPORT_NAME private_moments OUTPUT_NAME private_moments)
target_compile_features(pm_core PUBLIC cxx_std_20)
target_include_directories(pm_core INTERFACE $<BUILD_INTERFACE:${include_folder}>
  $<INSTALL_INTERFACE:include>)
if(TARGET Eigen3::Eigen)
  target_link_libraries(pm_core PUBLIC Eigen3::Eigen)
else()
  target_link_libraries(pm_core PUBLIC pm_eigen)
endif()

if(NOT PRIVATE_MOMENTS_INSTALL OR EMSCRIPTEN)
  return()
endif()
include(CMakePackageConfigHelpers)
include(GNUInstallDirs)
set(package_folder ${CMAKE_INSTALL_LIBDIR}/cmake/private_moments)
install(TARGETS pm_core EXPORT private_moments ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
  INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(DIRECTORY ${include_folder}/private_moments DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(EXPORT private_moments NAMESPACE private_moments:: DESTINATION ${package_folder}
  FILE private_momentsTargets.cmake)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/private_momentsConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES cmake/private_momentsConfig.cmake
  ${PROJECT_BINARY_DIR}/private_momentsConfigVersion.cmake DESTINATION ${package_folder})
