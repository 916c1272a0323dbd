#include "core/io/bench_report.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace stowage {
namespace {

using Json = nlohmann::ordered_json;

Json from(const BenchResult& result) {
  Json json;
  json["set"] = result.set;
  json["problem"] = result.problem;
  json["allocator"] = result.allocator;
  json["buffers"] = result.buffers;
  json["reference"] = result.reference;
  json["runs"] = result.runs;
  json["refused"] = result.refused;
  json["proved"] = result.proved;
  json["ratio_median"] = result.ratio_median;
  json["ratio_worst"] = result.ratio_worst;
  json["seconds_median"] = result.seconds_median;
  json["seconds_worst"] = result.seconds_worst;
  return json;
}

BenchResult result_of(const Json& json) {
  BenchResult result;
  json.at("set").get_to(result.set);
  json.at("problem").get_to(result.problem);
  json.at("allocator").get_to(result.allocator);
  json.at("buffers").get_to(result.buffers);
  json.at("reference").get_to(result.reference);
  json.at("runs").get_to(result.runs);
  json.at("refused").get_to(result.refused);
  json.at("proved").get_to(result.proved);
  json.at("ratio_median").get_to(result.ratio_median);
  json.at("ratio_worst").get_to(result.ratio_worst);
  json.at("seconds_median").get_to(result.seconds_median);
  json.at("seconds_worst").get_to(result.seconds_worst);
  return result;
}

}  // namespace

std::string bench_json(const std::vector<BenchResult>& results) {
  Json json = Json::array();
  for (const BenchResult& result : results) json.push_back(from(result));
  return json.dump(2, ' ', false, Json::error_handler_t::replace);
}

Result<std::vector<BenchResult>> parse_bench_json(std::string_view text, std::string_view name) {
  std::vector<BenchResult> results;
  try {
    for (const Json& json : Json::parse(text)) results.push_back(result_of(json));
  } catch (const nlohmann::json::exception& error) {
    return input_error(fmt::format("{}: not a result of stowage bench: {}", name, error.what()));
  }
  return results;
}

}  // namespace stowage
