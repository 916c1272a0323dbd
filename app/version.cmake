# Run at build time, so that the commit is that of the sources and not that of the last configure.
# Needs SOURCE_DIR, IN, OUT and the STOWAGE_ values other than the commit.
execute_process(COMMAND git -C ${SOURCE_DIR} rev-parse --short=12 HEAD
  OUTPUT_VARIABLE STOWAGE_COMMIT OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET RESULT_VARIABLE failed)
if(failed)
  set(STOWAGE_COMMIT "unknown")
else()
  execute_process(COMMAND git -C ${SOURCE_DIR} status --porcelain --untracked-files=no
    OUTPUT_VARIABLE changed OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  if(changed)
    string(APPEND STOWAGE_COMMIT " with changes")
  endif()
endif()
configure_file(${IN} ${OUT} @ONLY)
