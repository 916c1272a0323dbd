#ifndef STOWAGE_H
#define STOWAGE_H

/* The C interface of Stowage's planner: buffers in, offsets out. Any language that can call C can call it. */

#include <stddef.h>
#include <stdint.h>

#if defined(__GNUC__)
#define STOWAGE_EXPORT __attribute__((visibility("default")))
#else
#define STOWAGE_EXPORT
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* What stowage_plan returns. */
enum {
  STOWAGE_FITS = 0,     /* a plan, and it lies below the capacity (or there is none) */
  STOWAGE_TOO_HIGH = 1, /* a plan, but it is higher than the capacity */
  STOWAGE_WRONG = 2,    /* an argument is wrong; nothing was written */
  STOWAGE_FAILED = 3    /* no plan: out of memory, out of time before there was one */
};

/* What is known about the plan. */
enum {
  STOWAGE_COMPLETE = 0,   /* a plan; nothing is proved */
  STOWAGE_OPTIMAL = 1,    /* no plan can be lower */
  STOWAGE_INFEASIBLE = 2, /* no plan can lie below the capacity */
  STOWAGE_STOPPED = 3     /* the time limit ended the search */
};

typedef struct stowage_result {
  int64_t makespan;    /* bytes: the highest address that is used */
  int64_t load;        /* bytes: the largest sum of sizes that are live at once */
  int64_t lower_bound; /* bytes: no plan can be lower; at least the load */
  int32_t status;      /* STOWAGE_COMPLETE and so on */
  double seconds;      /* wall time of the search */
} stowage_result;

/*
 * Plans n buffers. Buffer i needs size[i] bytes (0 or more) during the half-open lifetime [lower[i], upper[i]), at a
 * multiple of alignment[i] (1 or more; NULL: all 1). Buffers whose lifetimes overlap get disjoint bytes.
 *   capacity     bytes that there are; a negative number: as many as needed
 *   time_limit   seconds; 0 or less: until the search is done
 *   offsets_out  n offsets in bytes, 0 or more
 *   result_out   may be NULL
 * The same input gives the same plan unless the time limit cuts the search. Several threads may plan at once.
 */
STOWAGE_EXPORT int32_t stowage_plan(size_t n, const int64_t* lower, const int64_t* upper, const int64_t* size,
                                    const int64_t* alignment, int64_t capacity, double time_limit, int64_t* offsets_out,
                                    stowage_result* result_out);

/* Why the last call of this thread returned STOWAGE_WRONG or STOWAGE_FAILED; empty after one that did not. Valid until
 * the next call of this thread. */
STOWAGE_EXPORT const char* stowage_error(void);

/* "0.1.0" */
STOWAGE_EXPORT const char* stowage_version(void);

#ifdef __cplusplus
}
#endif

#endif
