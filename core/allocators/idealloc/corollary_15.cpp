#include "core/allocators/idealloc/corollary_15.h"

#include <algorithm>
#include <cmath>

#include "core/allocators/idealloc/theorem_2.h"

namespace stowage::idealloc {
namespace {

/// The lowest floor((1 + mu)^i) that is at least `size`.
std::int64_t bucket_height(std::int64_t size, double mu) {
  const double exact = std::log(static_cast<double>(size)) / std::log1p(mu);
  double power = std::max(0.0, std::floor(exact) - 1);
  while (std::floor(std::pow(1 + mu, power)) < static_cast<double>(size)) ++power;
  return static_cast<std::int64_t>(std::pow(1 + mu, power));
}

}  // namespace

std::vector<ItemIndex> box_jobs(Workplace& at, std::span<const ItemIndex> jobs, double height, double mu) {
  const BoxTree& tree = at.tree;
  std::vector<ItemIndex> by_size(jobs.begin(), jobs.end());
  std::sort(by_size.begin(), by_size.end(), [&](ItemIndex a, ItemIndex b) {
    return tree[a].size != tree[b].size ? tree[a].size < tree[b].size : a < b;
  });
  std::vector<ItemIndex> boxes;
  for (auto first = by_size.begin(); first != by_size.end() && !at.stopped;) {
    const std::int64_t job_height = bucket_height(tree[*first].size, mu);
    const auto last =
        std::partition_point(first, by_size.end(), [&](ItemIndex i) { return tree[i].size <= job_height; });
    Stack stack;
    stack.jobs = std::max<std::int64_t>(1, static_cast<std::int64_t>(height / static_cast<double>(job_height)));
    stack.height = static_cast<std::int64_t>(height);
    stack.mu = mu;
    at.choices.next_height();
    at.recorder.bucket(job_height, stack.jobs, std::span(first, last));
    box_equal_jobs(at, std::vector<ItemIndex>(first, last), stack, boxes);
    first = last;
  }
  return boxes;
}

}  // namespace stowage::idealloc
