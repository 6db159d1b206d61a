# add_program(<name> <source>...): a program for Node and for workers of pages, <binary dir>/bin/<name>.{mjs,wasm}.
#
# It runs once and its exit status is main()'s. Whoever starts it (js/programs/src/run_program.ts) gives it arguments,
# files, and what its partitions are computed on.
function(add_program name)
  add_executable(${name} ${ARGN})
  set_target_properties(${name} PROPERTIES
    SUFFIX ".mjs" RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/bin" EXCLUDE_FROM_ALL ON)
  target_link_libraries(${name} PRIVATE pthreadpool_single)
  target_link_options(${name} PRIVATE
    -O0 # what is linked has been optimized, and the size of a program is nobody's concern
    -sASSERTIONS=0
    -sWASM_BIGINT=1
    -sMODULARIZE=1
    -sEXPORT_ES6=1
    -sEXPORT_NAME=createProgram
    -sENVIRONMENT=web,worker,node
    -sFORCE_FILESYSTEM=1
    -sINVOKE_RUN=0
    -sEXIT_RUNTIME=1
    -sALLOW_MEMORY_GROWTH=1
    -sMAXIMUM_MEMORY=4GB
    -sSTACK_SIZE=4MB
    -sEXPORTED_FUNCTIONS=_main,_malloc,_free
    -sEXPORTED_RUNTIME_METHODS=FS,callMain,HEAPU8,UTF8ToString,stringToUTF8,lengthBytesUTF8
    -sSUPPORT_LONGJMP=0)
endfunction()

# Third-party sources are compiled as they are: their warnings are theirs.
set(PROGRAM_COMPILE_OPTIONS -Wno-everything -O1)
