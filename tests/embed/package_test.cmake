# Installs the build into a folder of its own and builds a small project against it.
#   cmake -DBUILD=... -DPROJECT=... -DFOLDER=... -DCOMPILER=... -P package_test.cmake
file(REMOVE_RECURSE ${FOLDER})
function(run)
  execute_process(COMMAND ${ARGV} RESULT_VARIABLE code OUTPUT_VARIABLE words ERROR_VARIABLE words)
  if(NOT code EQUAL 0)
    list(JOIN ARGV " " line)
    message(FATAL_ERROR "${line}\nended with ${code}:\n${words}")
  endif()
endfunction()
run(${CMAKE_COMMAND} --install ${BUILD} --prefix ${FOLDER}/installed --component planner)
run(${CMAKE_COMMAND} -S ${PROJECT} -B ${FOLDER}/build -DCMAKE_PREFIX_PATH=${FOLDER}/installed
    -DCMAKE_CXX_COMPILER=${COMPILER} -DCMAKE_BUILD_TYPE=Release)
run(${CMAKE_COMMAND} --build ${FOLDER}/build)
run(${FOLDER}/build/from_cpp)
run(${FOLDER}/build/from_c)
