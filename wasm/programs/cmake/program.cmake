# add_program(<name> [THREADS] <source>...): a program for Node and for workers of pages, <binary dir>/bin/<name>.{mjs,wasm}.
#
# It runs once and exits with main()'s status. The caller, js/apps/programs/src/run_program.ts, passes arguments, files,
# the host that computes partitions and, with THREADS, a pool of one thread less than the run uses.
function(add_program name)
  cmake_parse_arguments(PARSE_ARGV 1 program THREADS "" "")
  add_executable(${name} ${program_UNPARSED_ARGUMENTS})
  set_target_properties(${name} PROPERTIES
    SUFFIX ".mjs" RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/bin" EXCLUDE_FROM_ALL ON)
  target_link_libraries(${name} PRIVATE $<IF:$<BOOL:${program_THREADS}>,pthreadpool_threads,pthreadpool_single>)
  target_link_options(${name} PRIVATE
    -O0 # the objects are optimized already, and a program's size does not matter
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
    -sEXPORTED_RUNTIME_METHODS=FS,callMain,HEAPU8,UTF8ToString,stringToUTF8,lengthBytesUTF8$<$<BOOL:${program_THREADS}>:$<COMMA>PThread>
    -sSUPPORT_LONGJMP=0)
  if(program_THREADS)
    # As in the module with threads (wasm/runtime/CMakeLists.txt): no thread starts while the program runs.
    target_link_options(${name} PRIVATE
      -pthread
      -Wno-pthreads-mem-growth
      "-sPTHREAD_POOL_SIZE=Module['threadPoolSize']"
      -sPTHREAD_POOL_SIZE_STRICT=2
      -sDEFAULT_PTHREAD_STACK_SIZE=256KB)
  endif()
endfunction()

# Third-party sources stay unmodified, so their warnings are off.
set(PROGRAM_COMPILE_OPTIONS -Wno-everything -O1)
