#include <stdio.h>

#include <stowage/stowage.h>

int main(void) {
  const int64_t lower[] = {0, 1}, upper[] = {2, 3}, size[] = {64, 32};
  int64_t offsets[2];
  stowage_result result;
  const int32_t code = stowage_plan(2, lower, upper, size, NULL, -1, 0, offsets, &result);
  printf("stowage %s: makespan %lld\n", stowage_version(), (long long)result.makespan);
  return code == STOWAGE_FITS && result.makespan == 96 ? 0 : 1;
}
