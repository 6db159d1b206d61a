# Copies of third-party files with a mended fault, or with other kernels; MENDED_DIR has them by the names of the originals.
set(MENDED_DIR "${CMAKE_BINARY_DIR}/mended")

# mend(<folder> <file> [<regex> <replacement>]...): writes MENDED_DIR/<file> from <folder>/<file>
function(mend folder file)
  set_property(GLOBAL APPEND PROPERTY MENDED "${file}")
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${folder}/${file}")
  file(READ "${folder}/${file}" text)
  math(EXPR last "${ARGC} - 1")
  foreach(i RANGE 2 ${last} 2)
    math(EXPR next "${i} + 1")
    string(REGEX REPLACE "${ARGV${i}}" "${ARGV${next}}" mended "${text}")
    if(mended STREQUAL text)
      message(FATAL_ERROR
        "${folder}/${file} has no '${ARGV${i}}' any more: if its fault is gone, delete the call of mend()")
    endif()
    set(text "${mended}")
  endforeach()
  file(CONFIGURE OUTPUT "${MENDED_DIR}/${file}" CONTENT "${text}" @ONLY)
endfunction()

# use_mended_headers(<target>): lets its sources include the mended copies of headers. Their command line names the
# headers, since neither ninja nor ccache sees that an included header has a copy in a folder that is searched earlier.
function(use_mended_headers target)
  get_property(headers GLOBAL PROPERTY MENDED)
  list(FILTER headers INCLUDE REGEX "[.]h$")
  file(GLOB_RECURSE copies RELATIVE "${MENDED_DIR}" "${MENDED_DIR}/*.h")
  list(REMOVE_ITEM copies ${headers})
  foreach(copy IN LISTS copies)
    file(REMOVE "${MENDED_DIR}/${copy}")
  endforeach()
  string(MD5 names "${headers}")
  target_include_directories(${target} BEFORE PRIVATE "${MENDED_DIR}")
  target_compile_definitions(${target} PRIVATE "MENDED_HEADERS=${names}")
endfunction()

# use_mended(<list of files>...): puts the mended copy in the place of each original that has one, in a list of paths
function(use_mended list_name folder)
  get_property(mended GLOBAL PROPERTY MENDED)
  set(files)
  foreach(path IN LISTS ${list_name})
    file(RELATIVE_PATH file "${folder}" "${path}")
    if(file IN_LIST mended)
      set(path "${MENDED_DIR}/${file}")
    endif()
    list(APPEND files "${path}")
  endforeach()
  set(${list_name} ${files} PARENT_SCOPE)
endfunction()
