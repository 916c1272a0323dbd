#include "ui/state.h"

#include <algorithm>
#include <thread>
#include <utility>

#include "core/allocators/allocator.h"

namespace stowage {
namespace {

unsigned planning_threads() {
  const unsigned cores = std::thread::hardware_concurrency();
  return cores > 1 ? cores - 1 : 1;
}

}  // namespace

Workbench::State::State(Host& from, std::string folder)
    : host(from), config_folder(std::move(folder)), tasks(planning_threads()) {}

const PlanFacts* Workbench::State::facts_of(const std::string& plan_id) const {
  const auto found = plan_facts.find(plan_id);
  return found == plan_facts.end() ? nullptr : &found->second;
}

const std::vector<std::int64_t>& Workbench::State::drawn_offsets() const {
  if (drawn_instead != nullptr) return *drawn_instead;
  const PlanFacts* facts = shown_facts();
  return facts != nullptr && space < facts->offsets.size() ? facts->offsets[space] : offsets();
}

const std::vector<std::int64_t>& Workbench::State::offsets() const {
  static const std::vector<std::int64_t> none;
  const Plan* shown = plan();
  return shown != nullptr ? shown->offsets : none;
}

const ChartIndex* Workbench::State::index() const {
  return space < analysis.indexes.size() ? analysis.indexes[space].get() : nullptr;
}

const std::vector<LoadPoint>& Workbench::State::curve() const {
  static const std::vector<LoadPoint> none;
  return space < analysis.curves.size() ? *analysis.curves[space] : none;
}

bool Workbench::State::is_selected(BufferIndex i) const {
  return std::find(selection.begin(), selection.end(), i) != selection.end();
}

ByteUnit Workbench::State::byte_unit() const {
  if (settings.byte_unit == "B") return ByteUnit::kBytes;
  if (settings.byte_unit == "KiB") return ByteUnit::kKiB;
  if (settings.byte_unit == "MiB") return ByteUnit::kMiB;
  if (settings.byte_unit == "GiB") return ByteUnit::kGiB;
  return ByteUnit::kAuto;
}

std::string Workbench::State::bytes(std::int64_t count) const {
  return format_bytes(count, byte_unit());
}

std::string Workbench::State::address(std::int64_t byte) const {
  return byte == kNoOffset ? std::string("\u2013") : format_address(byte, address_style(), byte_unit());
}

std::string Workbench::State::time_unit(std::int64_t count) const {
  return problem().time_unit() + (count == 1 ? "" : "s");
}

std::vector<std::string> Workbench::State::ranked_plans() const {
  std::vector<std::string> ids;
  for (const Plan& one : document.plans) ids.push_back(one.id);
  std::stable_sort(ids.begin(), ids.end(), [&](const std::string& a, const std::string& b) {
    const PlanFacts* left = facts_of(a);
    const PlanFacts* right = facts_of(b);
    if (left == nullptr || right == nullptr) return left != nullptr && right == nullptr;
    if (left->report.valid() != right->report.valid()) return left->report.valid();
    return left->metrics.makespan < right->metrics.makespan;
  });
  return ids;
}

std::string Workbench::State::title_of_plan(const std::string& id) {
  if (const Allocator* allocator = find_allocator(id)) return allocator->title;
  if (id == "file") return "Plan of the file";
  if (id == kHandPlan) return "By hand";
  return id;
}

void Workbench::State::tell(std::string words) {
  notices.push_back(Notice{next_notice++, false, std::move(words), host.now(), {}, {}});
}

void Workbench::State::complain(std::string words) {
  notices.push_back(Notice{next_notice++, true, std::move(words), host.now(), {}, {}});
}

const ProblemMetrics& Workbench::State::space_facts() const {
  return space < analysis.spaces.size() ? analysis.spaces[space] : analysis.facts;
}

const PlanMetrics& Workbench::State::space_metrics(const PlanFacts& plan) const {
  return space < plan.spaces.size() ? plan.spaces[space] : plan.metrics;
}

}  // namespace stowage
