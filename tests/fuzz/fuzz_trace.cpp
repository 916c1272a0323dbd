#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "core/io/trace_text.h"
#include "core/pools/pool.h"

/// Whatever is read as a trace is written and read back as the same trace, and every pool plays it to the end.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  using namespace stowage;
  for (const bool lenient : {false, true}) {
    std::vector<std::string> warnings;
    const auto trace = read_trace({reinterpret_cast<const char*>(bytes), size}, "input", lenient, warnings);
    if (!trace) continue;
    const auto again = read_trace(write_trace(*trace), "again", false, warnings);
    if (!again || !(*again == *trace)) {
      std::fputs("what was written is not read back\n", stderr);
      std::abort();
    }
    for (const Pool& pool : pools()) {
      RunContext context;
      if (!run_pool(pool, *trace, {}, std::int64_t{1} << 24U, context)) continue;
      if (!run_pool(pool, *trace, {}, {}, context)) {
        std::fputs("a pool without a capacity refuses what it takes with one\n", stderr);
        std::abort();
      }
    }
  }
  return 0;
}
