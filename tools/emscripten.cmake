# Includes Emscripten's toolchain file, which is in the folder of emcc or in Debian's.
find_program(EMCC emcc REQUIRED)
file(REAL_PATH ${EMCC} emcc_path)
get_filename_component(emscripten_root ${emcc_path} DIRECTORY)
if(NOT EXISTS ${emscripten_root}/cmake/Modules/Platform/Emscripten.cmake)
  set(emscripten_root /usr/share/emscripten)
endif()
include(${emscripten_root}/cmake/Modules/Platform/Emscripten.cmake)
