/* The C interface from C: what it promises, and what it does with nonsense. */
#include "core/embed/stowage.h"

#include <stdio.h>
#include <string.h>

static int failures = 0;

#define CHECK(condition)                                            \
  do {                                                              \
    if (!(condition)) {                                             \
      fprintf(stderr, "line %d: not so: %s\n", __LINE__, #condition); \
      ++failures;                                                   \
    }                                                               \
  } while (0)

int main(void) {
  const int64_t lower[] = {0, 1, 3, 2};
  const int64_t upper[] = {3, 4, 5, 5};
  const int64_t size[] = {64, 32, 64, 16};
  const int64_t alignment[] = {32, 32, 32, 16};
  int64_t offsets[] = {-7, -7, -7, -7};
  stowage_result result;

  CHECK(stowage_plan(4, lower, upper, size, NULL, -1, 0, offsets, &result) == STOWAGE_FITS);
  CHECK(result.makespan == 112);
  CHECK(result.load == 112);
  CHECK(result.lower_bound == 112);
  CHECK(result.status == STOWAGE_OPTIMAL);
  CHECK(strcmp(stowage_error(), "") == 0);
  for (int i = 0; i < 4; ++i) {
    for (int j = 0; j < i; ++j) {
      const int together = lower[i] < upper[j] && lower[j] < upper[i];
      const int apart = offsets[i] + size[i] <= offsets[j] || offsets[j] + size[j] <= offsets[i];
      CHECK(!together || apart);
    }
  }

  CHECK(stowage_plan(4, lower, upper, size, alignment, 4096, 1, offsets, NULL) == STOWAGE_FITS);
  for (int i = 0; i < 4; ++i) CHECK(offsets[i] % alignment[i] == 0);
  CHECK(stowage_plan(4, lower, upper, size, NULL, 100, 0, offsets, &result) == STOWAGE_TOO_HIGH);
  CHECK(result.makespan >= 112);
  CHECK(stowage_plan(0, NULL, NULL, NULL, NULL, -1, 0, NULL, &result) == STOWAGE_FITS);
  CHECK(result.makespan == 0);

  const int64_t backwards[] = {9, 1, 3, 2};
  offsets[0] = -7;
  CHECK(stowage_plan(4, backwards, upper, size, NULL, -1, 0, offsets, &result) == STOWAGE_WRONG);
  CHECK(strstr(stowage_error(), "buffer 0") != NULL);
  CHECK(offsets[0] == -7);
  const int64_t huge[] = {INT64_MAX, INT64_MAX, 1, 1};
  CHECK(stowage_plan(4, lower, upper, huge, NULL, -1, 0, offsets, NULL) == STOWAGE_WRONG);
  CHECK(strlen(stowage_error()) > 0);
  CHECK(stowage_plan(4, NULL, upper, size, NULL, -1, 0, offsets, NULL) == STOWAGE_WRONG);
  CHECK(strlen(stowage_version()) >= 5);
  if (failures == 0) printf("the C interface keeps its promises\n");
  return failures == 0 ? 0 : 1;
}
