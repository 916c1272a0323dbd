#include <algorithm>
#include <map>
#include <queue>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "core/io/format.h"
#include "core/io/intake.h"
#include "core/io/json.h"

namespace stowage {

Result<std::string> write_chrome_trace(const Document& document, const WriteOptions& options);

namespace {

/// The row of each buffer: the first one that is free when it begins, so that buffers of one row never overlap.
std::vector<std::size_t> rows_of(const Problem& problem) {
  std::vector<BufferIndex> order(problem.size());
  for (BufferIndex i = 0; i < order.size(); ++i) order[i] = i;
  std::stable_sort(order.begin(), order.end(),
                   [&](BufferIndex a, BufferIndex b) { return problem[a].start < problem[b].start; });
  std::vector<std::size_t> rows(problem.size(), 0);
  using Ends = std::priority_queue<std::pair<std::int64_t, std::size_t>,
                                   std::vector<std::pair<std::int64_t, std::size_t>>, std::greater<>>;
  struct Lanes {
    Ends busy;                                                                        // by end
    std::priority_queue<std::size_t, std::vector<std::size_t>, std::greater<>> free;  // by number
    std::size_t count = 0;
  };
  std::vector<Lanes> lanes(problem.spaces().size());
  for (const BufferIndex i : order) {
    const Buffer& buffer = problem[i];
    Lanes& own = lanes[buffer.space];
    for (; !own.busy.empty() && own.busy.top().first <= buffer.start; own.busy.pop())
      own.free.push(own.busy.top().second);
    if (own.free.empty()) own.free.push(own.count++);
    rows[i] = own.free.top();
    own.free.pop();
    own.busy.push({std::max(buffer.end, buffer.start), rows[i]});
  }
  return rows;
}

class Writer {
 public:
  Writer(const Problem& problem, const Plan* plan) : problem_(problem), plan_(plan) {}

  std::string run() {
    out_ = "{\"displayTimeUnit\":\"ms\",";
    if (problem_.size() == 0) out_ += "\"otherData\":{\"stowage\":\"no buffers\"},";  // no event says whose trace it is
    out_ += "\"traceEvents\":[";
    for (std::size_t s = 0; s < problem_.spaces().size(); ++s) add_space(s);
    const std::vector<std::size_t> rows = rows_of(problem_);
    for (BufferIndex i = 0; i < problem_.size(); ++i) add_buffer(i, rows[i]);
    for (std::size_t s = 0; s < problem_.spaces().size(); ++s) add_counters(s);
    return out_ + "\n]}\n";
  }

 private:
  void begin() {
    out_ += first_ ? "\n" : ",\n";
    first_ = false;
  }

  void add_space(std::size_t s) {
    const Space& space = problem_.spaces()[s];
    begin();
    json::ObjectWriter event(out_);
    event.text("ph", "M");
    event.text("name", "process_name");
    event.integer("pid", static_cast<std::int64_t>(s));
    json::ObjectWriter args(event.key("args"));
    args.text("name", space.id);
    args.close();
    event.close();
    if (space.base == 0) return;
    begin();
    json::ObjectWriter base(out_);
    base.text("ph", "M");
    base.text("name", "process_base");
    base.integer("pid", static_cast<std::int64_t>(s));
    json::ObjectWriter base_args(base.key("args"));
    base_args.integer("base", space.base);
    base_args.close();
    base.close();
  }

  void add_buffer(BufferIndex i, std::size_t row) {
    const Buffer& buffer = problem_[i];
    begin();
    json::ObjectWriter event(out_);
    event.text("ph", "X");
    event.text("name", problem_.id(i));
    event.text("cat", "buffer");
    event.integer("pid", std::int64_t{buffer.space});
    event.integer("tid", static_cast<std::int64_t>(row));
    event.integer("ts", buffer.start);
    event.integer("dur", buffer.end - buffer.start);
    json::ObjectWriter args(event.key("args"));
    if (plan_ != nullptr && plan_->offsets[i] != kNoOffset) args.integer("offset", plan_->offsets[i]);
    args.integer("size", buffer.size);
    if (buffer.alignment > 1) args.integer("alignment", buffer.alignment);
    args.text("pool", problem_.spaces()[buffer.space].id);
    if (buffer.kind != 0) args.text("kind", problem_.kind(i));
    if (const Details* details = problem_.details(i)) {
      if (details->requested) args.integer("requested", *details->requested);
      if (!details->op.empty()) args.text("op_name", details->op);
    }
    args.close();
    event.close();
  }

  /// What is in use, and the highest end in use, wherever one of them changes.
  void add_counters(std::size_t s) {
    std::map<std::int64_t, std::int64_t> changes;
    std::map<std::int64_t, std::vector<std::pair<std::int64_t, bool>>> tops;
    for (BufferIndex i = 0; i < problem_.size(); ++i) {
      const Buffer& buffer = problem_[i];
      if (buffer.space != s || !buffer.takes_memory()) continue;
      changes[buffer.start] += buffer.size;
      changes[buffer.end] -= buffer.size;
      if (plan_ == nullptr || plan_->offsets[i] == kNoOffset) continue;
      const auto end = checked_add(plan_->offsets[i], buffer.size);
      if (!end) continue;
      tops[buffer.start].emplace_back(*end, true);
      tops[buffer.end].emplace_back(*end, false);
    }
    std::int64_t load = 0;
    for (const auto& [time, change] : changes) add_counter("load", s, time, load += change);
    std::map<std::int64_t, std::int64_t> live;  // end address -> how many
    for (const auto& [time, ends] : tops) {
      for (const auto& [end, begins] : ends) {
        if ((live[end] += begins ? 1 : -1) == 0) live.erase(end);
      }
      add_counter("top address", s, time, live.empty() ? 0 : live.rbegin()->first);
    }
  }

  void add_counter(std::string_view name, std::size_t s, std::int64_t time, std::int64_t bytes) {
    begin();
    json::ObjectWriter event(out_);
    event.text("ph", "C");
    event.text("name", name);
    event.integer("pid", static_cast<std::int64_t>(s));
    event.integer("ts", time);
    json::ObjectWriter args(event.key("args"));
    args.integer("bytes", bytes);
    args.close();
    event.close();
  }

  const Problem& problem_;
  const Plan* plan_;
  std::string out_;
  bool first_ = true;
};

}  // namespace

Result<std::string> write_chrome_trace(const Document& document, const WriteOptions& options) {
  const auto plan = plan_to_write(document, options);
  if (!plan) return tl::unexpected<Error>(plan.error());
  return Writer(*document.problem, *plan).run();
}

}  // namespace stowage
