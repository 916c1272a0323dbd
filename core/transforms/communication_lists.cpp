#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "core/base/integers.h"
#include "core/base/text.h"
#include "core/transforms/registry.h"

namespace stowage {
namespace {

/// By the letters of its type: "AllReduce", "all_reduce", "HcclBroadcast".
bool communicates(const Op& op) {
  constexpr std::array<std::string_view, 5> kTypes = {"allreduce", "allgather", "reducescatter", "broadcast",
                                                      "alltoall"};
  std::string letters;
  for (const char c : to_lower(op.type)) {
    if (c != '_' && c != '-') letters += c;
  }
  return std::any_of(kTypes.begin(), kTypes.end(),
                     [&](std::string_view type) { return letters.find(type) != std::string::npos; });
}

class Run {
 public:
  Run(const Staged& staged, RunContext& context) : graph_(staged.graph), context_(context) {
    result_.staged = staged;
    bound_.assign(graph_.tensors().size(), 0);
    const auto bind = [&](const std::vector<TensorIndex>& members) {
      for (const TensorIndex t : members) bound_[t] = 1;
    };
    for (const TensorGroup& group : graph_.groups()) bind(group.members);
    for (const TensorGroup& group : staged.groups) bind(group.members);
    for (const SharedStorage& storage : staged.storages) bind(storage.members);
    for (const InPlace& merge : staged.in_place) bound_[merge.child] = 1;
  }

  Result<Transformed> run() {
    context_.say(Step{step::Phase{"what is sent at once lies one behind the other"}, {}});
    bool any = false;
    for (const OpIndex n : result_.staged.schedule.order) {
      const Op& op = graph_.op(n);
      if (!communicates(op)) continue;
      any = true;
      list(n, op.in, "inputs");
      list(n, op.out, "outputs");
    }
    if (!any) return fail(Error::Kind::kRefused, "no op of the graph is a collective");
    context_.report(1);
    return std::move(result_);
  }

 private:
  void list(OpIndex n, const std::vector<TensorIndex>& members, std::string_view what) {
    if (members.size() < 2) return;
    const std::string why = objection(members);
    const std::string text = fmt::format("{}: its {} {}", graph_.op(n).id, what,
                                         why.empty() ? std::string("lie one behind the other") : why);
    const auto kind = why.empty() ? Remark::Kind::kDone : Remark::Kind::kRefused;
    if (why.empty()) tell(n, members, what);
    context_.say(Step{step::Note{text}, {}});
    result_.report.remarks.push_back(Remark{kind, n, members.front(), text});
    if (!why.empty()) return;
    std::int64_t end = 0;
    for (const TensorIndex t : members) {
      const std::int64_t start = align_up(end, graph_.tensor(t).alignment);
      result_.report.padding += start - end;
      end = checked_add(start, graph_.tensor(t).bytes.value_or(0)).value_or(kMaxInt64);
      bound_[t] = 1;
    }
    result_.staged.groups.push_back(TensorGroup{members, 0});
  }

  void tell(OpIndex n, const std::vector<TensorIndex>& members, std::string_view what) {
    if (!context_.records()) return;
    for (std::size_t i = 0; i < members.size(); ++i) {
      const std::string where =
          i == 0 ? std::string("begins") : fmt::format("lies behind {} in", graph_.tensor(members[i - 1]).id);
      context_.say(Step{step::Consider{members[i]}, fmt::format("it {} the {} of {}", where, what, graph_.op(n).id)});
    }
  }

  /// A tensor lies in one list only, and once.
  std::string objection(const std::vector<TensorIndex>& members) const {
    for (std::size_t i = 0; i < members.size(); ++i) {
      const Tensor& tensor = graph_.tensor(members[i]);
      const auto before = members.begin() + static_cast<std::ptrdiff_t>(i);
      if (std::find(members.begin(), before, members[i]) != before) return fmt::format("hold {} twice", tensor.id);
      if (bound_[members[i]] != 0) return fmt::format("hold {}, whose place is decided already", tensor.id);
      if (graph_.is_view(members[i])) return fmt::format("hold {}, which is a view", tensor.id);
      if (!tensor.bytes) return fmt::format("hold {}, whose size is unknown", tensor.id);
      if (tensor.space != graph_.tensor(members.front()).space) return "lie in different memories";
    }
    return {};
  }

  const Graph& graph_;
  RunContext& context_;
  std::vector<std::uint8_t> bound_;  // by tensor
  Transformed result_;
};

Result<Transformed> run(const Staged& staged, const ParamValues&, RunContext& context) {
  return Run(staged, context).run();
}

}  // namespace

Transform communication_lists_transform() {
  Transform transform;
  transform.id = "communication-lists";
  transform.title = "Contiguous lists";
  transform.summary = "What a collective reads lies one behind the other, and so does what it makes.";
  transform.source = "mindspore/ccsrc/backend/common/somas, contiguous lists";
  transform.run = run;
  return transform;
}

}  // namespace stowage
