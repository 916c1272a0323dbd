#include "core/graph/ancestors.h"

#include <algorithm>
#include <map>

namespace stowage {

Ancestors::Ancestors(const Graph& graph, const Schedule& schedule) : steps_(schedule.steps()) {
  const std::size_t count = graph.ops().size();
  const auto elsewhere = [&](const Op& op) {
    return op.stream != graph.ops().front().stream;
  };
  if (std::none_of(graph.ops().begin(), graph.ops().end(), elsewhere)) return;

  words_ = (count + 63) / 64;
  bits_.assign(count * words_, 0);
  std::map<std::uint32_t, OpIndex> last_of_stream;
  const auto inherit = [&](OpIndex n, OpIndex from) {
    for (std::size_t word = 0; word < words_; ++word) bits_[n * words_ + word] |= bits_[from * words_ + word];
    bits_[n * words_ + from / 64] |= std::uint64_t{1} << (from % 64);
  };
  for (const OpIndex n : schedule.order) {
    for (const OpIndex before : graph.waits_for(n)) inherit(n, before);
    const auto [last, first_of_stream] = last_of_stream.try_emplace(graph.op(n).stream, n);
    if (first_of_stream) continue;
    inherit(n, last->second);
    last->second = n;
  }
}

}  // namespace stowage
