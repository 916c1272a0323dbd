#include "core/explain/clique.h"

#include <algorithm>

#include "core/base/integers.h"

namespace stowage {
namespace {

using Nodes = std::vector<std::uint32_t>;

class CliqueSearch {
 public:
  CliqueSearch(std::span<const Nodes> neighbours, std::span<const std::int64_t> weights, std::int64_t enough,
               std::int64_t nodes)
      : neighbours_(neighbours), weights_(weights), enough_(enough), nodes_left_(nodes) {}

  Clique run() {
    Nodes all(neighbours_.size());
    for (std::uint32_t node = 0; node < all.size(); ++node) all[node] = node;
    std::stable_sort(all.begin(), all.end(),
                     [&](std::uint32_t a, std::uint32_t b) { return weights_[a] > weights_[b]; });
    expand(all);
    std::sort(best_.nodes.begin(), best_.nodes.end());
    return std::move(best_);
  }

 private:
  bool connected(std::uint32_t a, std::uint32_t b) const {
    return std::binary_search(neighbours_[a].begin(), neighbours_[a].end(), b);
  }

  /// Classes of nodes without an edge between them, heaviest first. A clique has at most one node of each.
  std::vector<Nodes> coloured(const Nodes& candidates) const {
    std::vector<Nodes> classes;
    for (const std::uint32_t node : candidates) {
      const auto fits = std::find_if(classes.begin(), classes.end(), [&](const Nodes& members) {
        return std::none_of(members.begin(), members.end(),
                            [&](std::uint32_t other) { return connected(node, other); });
      });
      if (fits == classes.end()) {
        classes.push_back({node});
      } else {
        fits->push_back(node);
      }
    }
    return classes;
  }

  /// `candidates` by falling weight, each connected to all of current_.
  void expand(const Nodes& candidates) {
    if (weight_ > best_.weight) best_ = Clique{current_, weight_};
    if (candidates.empty() || best_.weight > enough_ || nodes_left_-- <= 0) return;
    const std::vector<Nodes> classes = coloured(candidates);
    // What is left of the last classes cannot make up for the best: branch on the others, the last class first.
    Int128 bound = weight_;
    std::vector<Int128> bounds;  // with this class and those before
    for (const Nodes& members : classes) bounds.push_back(bound += weights_[members.front()]);
    Nodes left;
    for (const Nodes& members : classes) left.insert(left.end(), members.begin(), members.end());
    for (std::size_t c = classes.size(); c-- > 0 && bounds[c] > best_.weight;) {
      for (const std::uint32_t node : classes[c]) {
        left.erase(std::find(left.begin(), left.end(), node));
        Nodes next;
        std::copy_if(left.begin(), left.end(), std::back_inserter(next),
                     [&](std::uint32_t other) { return connected(node, other); });
        std::stable_sort(next.begin(), next.end(),
                         [&](std::uint32_t a, std::uint32_t b) { return weights_[a] > weights_[b]; });
        current_.push_back(node);
        weight_ += weights_[node];
        expand(next);
        weight_ -= weights_[node];
        current_.pop_back();
        if (best_.weight > enough_ || nodes_left_ <= 0) return;
      }
    }
  }

  std::span<const Nodes> neighbours_;
  std::span<const std::int64_t> weights_;
  std::int64_t enough_;
  std::int64_t nodes_left_;
  Nodes current_;
  std::int64_t weight_ = 0;
  Clique best_;
};

}  // namespace

Clique heavy_clique(std::span<const Nodes> neighbours, std::span<const std::int64_t> weights, std::int64_t enough,
                    std::int64_t nodes) {
  return CliqueSearch(neighbours, weights, enough, nodes).run();
}

}  // namespace stowage
