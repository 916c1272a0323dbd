#include "core/io/pool_report.h"

#include <algorithm>

#include <nlohmann/json.hpp>

namespace stowage {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kMostFailures = 10'000;

std::string text_of(const Json& json) {
  return json.dump(2, ' ', false, Json::error_handler_t::replace);
}

Json from(const PoolFailure& failure, const Trace& trace) {
  return Json{{"event", failure.event},
              {"id", std::string(trace.id(failure.allocation))},
              {"bytes", trace.allocations()[failure.allocation].bytes},
              {"needed", failure.needed},
              {"available", failure.available},
              {"missing", failure.missing()},
              {"largest_free", failure.largest_free}};
}

Json from(const PoolPeaks& peaks) {
  return Json{{"requested", peaks.requested},
              {"allocated", peaks.allocated},
              {"allocated_event", peaks.allocated_event},
              {"reserved", peaks.reserved},
              {"reserved_event", peaks.reserved_event},
              {"internal_fragmentation", peaks.internal_fragmentation},
              {"external_fragmentation", peaks.external_fragmentation},
              {"segments", peaks.segments},
              {"largest_block", peaks.largest_block}};
}

Json from(const PoolPoint& point) {
  return Json{{"requested", point.requested}, {"allocated", point.allocated},
              {"waiting", point.waiting},     {"reserved", point.reserved},
              {"free", point.free()},         {"largest_free", point.largest_free},
              {"segments", point.segments},   {"device_allocations", point.device_allocations}};
}

Json points_of(const PoolRun& run) {
  Json points = Json::array();
  for (std::size_t e = 0; e < run.points.size(); ++e) {
    const PoolPoint& point = run.points[e];
    points.push_back(Json::array({e, point.requested, point.allocated, point.waiting, point.reserved,
                                  point.largest_free, point.device_allocations}));
  }
  return points;
}

Json addresses_of(const PoolRun& run) {
  Json addresses = Json::array();
  for (const std::int64_t address : run.addresses) {
    addresses.push_back(address == kNoOffset ? Json(nullptr) : Json(address));
  }
  return addresses;
}

Json from(const PoolReport& report, const Trace& trace, bool with_points) {
  Json json;
  json["file"] = report.file;
  json["pool"] = report.run->pool;
  json["offline"] = report.offline;
  json["error"] = report.error.empty() ? Json(nullptr) : Json(report.error);
  if (!report.error.empty()) return json;
  const PoolRun& run = *report.run;
  json["capacity"] = run.capacity ? Json(*run.capacity) : Json(nullptr);
  json["events"] = trace.events().size();
  json["allocations"] = trace.allocations().size();
  json["failure_count"] = run.failures.size();
  json["failures"] = Json::array();
  for (std::size_t k = 0; k < std::min(run.failures.size(), kMostFailures); ++k) {
    json["failures"].push_back(from(run.failures[k], trace));
  }
  json["peak"] = from(run.peaks());
  json["end"] = from(run.points.empty() ? PoolPoint{} : run.points.back());
  json["highest_address"] = run.highest_address();
  json["facts"] = Json::object();
  for (const PoolFact& fact : run.facts) json["facts"][fact.name] = fact.value;
  json["addresses"] = addresses_of(run);
  if (with_points) json["points"] = points_of(run);
  json["seconds"] = run.seconds;
  return json;
}

}  // namespace

std::string pool_report_json(const PoolReport& report, const Trace& trace, bool points) {
  return text_of(from(report, trace, points));
}

std::string pool_reports_json(const std::vector<PoolReport>& reports, const Trace& trace, bool points) {
  Json json = Json::array();
  for (const PoolReport& report : reports) json.push_back(from(report, trace, points));
  return text_of(json);
}

std::string pools_json() {
  Json all = Json::array();
  for (const Pool& pool : pools()) {
    Json params = Json::array();
    for (const ParamSpec& spec : pool.params) {
      params.push_back(Json{{"key", spec.key},
                            {"summary", spec.summary},
                            {"value", spec.value},
                            {"choices", spec.choices},
                            {"closed", spec.closed}});
    }
    all.push_back(Json{{"id", pool.id},
                       {"title", pool.title},
                       {"summary", pool.summary},
                       {"source", pool.source},
                       {"params", params}});
  }
  return text_of(all);
}

}  // namespace stowage
