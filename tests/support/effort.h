#pragma once

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define STOWAGE_SANITIZED 1
#endif
#elif defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define STOWAGE_SANITIZED 1
#endif

namespace stowage::testing {

#ifdef STOWAGE_SANITIZED
inline constexpr bool kSanitized = true;
#else
inline constexpr bool kSanitized = false;
#endif

/// How many of `cases` random ones a long test tries: all, and one in eight under sanitizers. There each takes ten to
/// twenty times as long, and what is looked for, wrong accesses, shows in few; answers are compared in the other
/// builds.
consteval int tried(int cases) {
  return kSanitized ? (cases + 7) / 8 : cases;
}

}  // namespace stowage::testing
