#pragma once

#include <string>

namespace stowage::conform {

/// What became of one case, or of one key of what it expects.
struct Verdict {
  enum class Kind { kHeld, kFailed, kNotExpressible };
  Kind kind = Kind::kHeld;
  std::string why;  // "expected X, got Y"; or what the model or this program has no word for

  static Verdict held() { return {}; }
  static Verdict failed(std::string why) { return {Kind::kFailed, std::move(why)}; }
  static Verdict not_expressible(std::string why) { return {Kind::kNotExpressible, std::move(why)}; }
  bool is_held() const { return kind == Kind::kHeld; }
};

}  // namespace stowage::conform
