#include "core/io/graph_file.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "core/io/graph_document.h"
#include "core/io/intake.h"
#include "core/io/sharing.h"

namespace stowage {
namespace {

/// The buffers that stay, with the offset and the tensors of each.
struct Kept {
  ProblemInput input;
  std::vector<std::int64_t> offsets;
  std::vector<std::vector<TensorIndex>> members;
};

class Placing {
 public:
  Placing(Document& document, const TensorPlaces& places, const ReadOptions& options, const std::string& name)
      : document_(document), places_(places), options_(options), name_(name) {}

  Result<void> run() {
    const auto lowered = lowered_again(document_);
    if (!lowered) return tl::unexpected(lowered.error());
    keep(*lowered);
    drop_empty_spaces();
    tie();
    const auto placed = static_cast<std::size_t>(
        std::count_if(kept_.offsets.begin(), kept_.offsets.end(), [](std::int64_t o) { return o != kNoOffset; }));
    const bool all = placed == kept_.offsets.size();
    const bool as_plan = options_.offsets == OffsetRule::kPlan || (options_.offsets == OffsetRule::kDefault && all);
    if (placed > 0 && !as_plan) {
      kept_.input.buffers = pinned();
      if (!all) {
        note(fmt::format("{} of {} buffers have a place in the file: these are pins, the others are yet to be planned",
                         placed, kept_.offsets.size()));
      }
    }
    auto problem = make_problem(std::move(kept_.input));
    if (!problem) return input_error(fmt::format("{}: {}", name_, problem.error().front().message));
    document_.problem = std::make_shared<const Problem>(std::move(*problem));
    document_.facts.offsets = placed == 0 ? "none" : as_plan ? "plan" : "pins";
    if (placed > 0 && as_plan) {
      Plan plan;
      plan.id = "file";
      plan.allocator = "file";
      plan.offsets = std::move(kept_.offsets);
      document_.put_plan(std::move(plan));
    }
    return {};
  }

 private:
  void note(std::string_view text) { document_.facts.warnings.push_back(fmt::format("{}: {}", name_, text)); }

  void keep(const Lowered& lowered) {
    const ProblemInput& all = document_.problem->input();
    kept_.input = all;
    kept_.input.buffers.clear();
    kept_.input.ids = Names();
    kept_.input.details.clear();
    std::vector<BufferIndex> left_out;
    for (BufferIndex i = 0; i < all.buffers.size(); ++i) {
      const std::int64_t offset = offset_of(i, lowered);
      if (offset == kNoOffset && places_.others_lie_elsewhere) {
        left_out.push_back(i);
        continue;
      }
      const Buffer& buffer = all.buffers[i];
      if (buffer.details == Buffer::kNoDetails) {
        kept_.input.add(all.ids[i], buffer);
      } else {
        kept_.input.add(all.ids[i], buffer, all.details[buffer.details]);
      }
      kept_.offsets.push_back(offset);
      kept_.members.push_back(lowered.members[i]);
    }
    Notes notes(document_.facts.warnings, "tensors whose memory comes from elsewhere");
    for (const BufferIndex i : left_out) {
      notes.add([&] { return fmt::format("{}: {}: its memory comes from elsewhere, left out", name_, all.ids[i]); });
    }
    document_.facts.left_out += left_out.size();
  }

  std::int64_t offset_of(BufferIndex i, const Lowered& lowered) {
    const std::int64_t size = document_.problem->buffers()[i].size;
    std::int64_t found = kNoOffset;
    for (const TensorIndex t : lowered.members[i]) {
      if (t >= places_.offsets.size() || places_.offsets[t] == kNoOffset) continue;
      const auto offset = checked_sub(places_.offsets[t], lowered.offset_in[t]);
      if (!offset || !checked_add(*offset, size)) {
        note(
            fmt::format("{}: no memory reaches from {} to its end", document_.graph->tensor(t).id, places_.offsets[t]));
      } else if (found == kNoOffset) {
        found = *offset;
      } else if (found != *offset) {
        note(fmt::format("{} lies elsewhere than {}, in whose memory it should be", document_.graph->tensor(t).id,
                         document_.problem->id(i)));
      }
    }
    return found;
  }

  void drop_empty_spaces() {
    std::vector<bool> used(kept_.input.spaces.size(), false);
    for (const Buffer& buffer : kept_.input.buffers) used[buffer.space] = true;
    if (std::find(used.begin(), used.end(), true) == used.end()) return;
    std::vector<std::uint16_t> number(used.size(), 0);
    std::vector<Space> spaces;
    for (std::size_t s = 0; s < used.size(); ++s) {
      number[s] = static_cast<std::uint16_t>(spaces.size());
      if (used[s]) spaces.push_back(kept_.input.spaces[s]);
    }
    for (Buffer& buffer : kept_.input.buffers) buffer.space = number[buffer.space];
    kept_.input.spaces = std::move(spaces);
  }

  void tie() {
    if (!places_.meant) return;
    const std::size_t tied = tie_shared(kept_.input, kept_.offsets, [&](const SharedBytes& pair) {
      for (const TensorIndex a : kept_.members[pair.first]) {
        for (const TensorIndex b : kept_.members[pair.second]) {
          if (places_.meant(a, b)) return true;
        }
      }
      return false;
    });
    if (tied > 0) note(fmt::format("{} pairs of buffers share bytes at the same time because the file means it", tied));
  }

  std::vector<Buffer> pinned() const {
    std::vector<Buffer> buffers = kept_.input.buffers;
    for (std::size_t i = 0; i < buffers.size(); ++i) {
      if (kept_.offsets[i] != kNoOffset) buffers[i].fixed = kept_.offsets[i];
    }
    return buffers;
  }

  Document& document_;
  const TensorPlaces& places_;
  const ReadOptions& options_;
  const std::string& name_;
  Kept kept_;
};

}  // namespace

Result<Document> document_of_file(GraphFile file, const Format& format, const std::string& name,
                                  const ReadOptions& options) {
  auto graph = make_graph(std::move(file.graph));
  if (!graph) {
    Complaints complaints(false);
    std::uint64_t at = 0;
    for (const GraphFault& fault : graph.error()) {
      complaints.add(at++, fmt::format("{}: {}{}{}", name, fault.where, fault.where.empty() ? "" : " ", fault.message));
    }
    return tl::unexpected<Error>(complaints.error());
  }
  auto document = document_of_graph(std::move(*graph), std::move(file.recipe), format, name, options);
  if (!document) return document;
  std::vector<std::string> warnings;
  for (const std::string& note : file.notes) warnings.push_back(fmt::format("{}: {}", name, note));
  warnings.insert(warnings.end(), document->facts.warnings.begin(), document->facts.warnings.end());
  document->facts.warnings = std::move(warnings);
  document->facts.left_out += file.left_out;
  for (std::string& name_of_one : file.open_dimensions) {
    document->facts.open.push_back({"dims", std::move(name_of_one)});
  }
  return document;
}

Result<Lowered> lowered_again(const Document& document) {
  return lower(*document.staged, document.recipe.lowering);
}

Result<void> put_places(Document& document, const TensorPlaces& places, const ReadOptions& options,
                        const std::string& name) {
  return Placing(document, places, options, name).run();
}

}  // namespace stowage
