#include "core/chart/colouring.h"

#include <algorithm>
#include <array>
#include <bit>
#include <map>
#include <numeric>

#include <fmt/format.h>

#include "core/chart/plan_scene.h"
#include "core/model/lifetime.h"

namespace stowage {
namespace {

constexpr std::array<ColourChoice, 9> kChoices = {{{ColourBy::kKind, "kind", "Kind"},
                                                   {ColourBy::kSize, "size", "Size"},
                                                   {ColourBy::kLifetime, "lifetime", "Lifetime"},
                                                   {ColourBy::kSpace, "space", "Space"},
                                                   {ColourBy::kProducer, "producer", "Producer"},
                                                   {ColourBy::kRow, "row", "Row"},
                                                   {ColourBy::kMoved, "moved", "Moved"},
                                                   {ColourBy::kWaste, "waste", "Waste below"},
                                                   {ColourBy::kStorage, "storage", "Storage"}}};

/// Values into classes of equal width on a scale of powers of two; class 0 is the smallest.
class Scale {
 public:
  explicit Scale(const std::vector<std::int64_t>& values) {
    bool any = false;
    for (const std::int64_t value : values) {
      if (value < 0) continue;
      const int power = power_of(value);
      low_ = any ? std::min(low_, power) : power;
      high_ = any ? std::max(high_, power) : power;
      any = true;
    }
    width_ = (high_ - low_) / static_cast<int>(Colouring::kMost) + 1;
  }
  std::uint8_t class_of(std::int64_t value) const {
    return static_cast<std::uint8_t>((power_of(std::max<std::int64_t>(value, 0)) - low_) / width_);
  }
  std::size_t count() const { return static_cast<std::size_t>((high_ - low_) / width_ + 1); }
  /// Values of class k lie in [from(k), from(k + 1)).
  std::int64_t from(std::size_t k) const {
    const int power = low_ + static_cast<int>(k) * width_;
    if (power <= 0) return 0;
    return power > 62 ? kMaxInt64 : std::int64_t{1} << (power - 1);
  }

 private:
  /// 0 for 0, 1 for 1, 2 for 2 and 3, 3 for 4 to 7 ...
  static int power_of(std::int64_t value) {
    return static_cast<int>(std::bit_width(static_cast<std::uint64_t>(value)));
  }
  int low_ = 0;
  int high_ = 0;
  int width_ = 1;
};

/// An ordered colouring of a quantity; `words` writes a value, `query` makes a query of a class's bounds.
template <typename Words, typename Query>
void by_quantity(Colouring& colouring, const std::vector<std::int64_t>& values, Words words, Query query) {
  const Scale scale(values);
  colouring.ordered = true;
  for (std::size_t i = 0; i < values.size(); ++i) colouring.classes[i] = scale.class_of(values[i]);
  for (std::size_t k = 0; k < scale.count(); ++k) {
    const std::int64_t low = scale.from(k);
    const bool last = k + 1 == scale.count();
    const std::int64_t high = scale.from(k + 1);
    colouring.legend.push_back(
        {last ? fmt::format("{} and more", words(low)) : fmt::format("below {}", words(high)), query(low, high, last)});
  }
}

/// `op="conv 1"`: the find box's words for exactly this name; empty when they cannot say it.
std::string exactly(std::string_view field, std::string_view name) {
  if (name.find('"') != std::string_view::npos) return {};
  return name.empty() ? fmt::format("{}=", field) : fmt::format("{}=\"{}\"", field, name);
}

/// Names in the order in which they first appear; the eighth class takes all further ones.
template <typename Name>
void by_name(Colouring& colouring, const Problem& problem, std::string_view field, Name name) {
  std::map<std::string, std::uint8_t, std::less<>> known;
  for (BufferIndex i = 0; i < problem.size(); ++i) {
    std::string own(name(i));
    const auto found = known.find(own);
    if (found != known.end()) {
      colouring.classes[i] = found->second;
      continue;
    }
    const std::size_t next = std::min(known.size(), Colouring::kMost - 1);
    colouring.classes[i] = static_cast<std::uint8_t>(next);
    if (next < colouring.legend.size()) {
      colouring.legend[next] = {"others", ""};
    } else {
      colouring.legend.push_back({own.empty() ? "none" : own, exactly(field, own)});
    }
    known.emplace(std::move(own), static_cast<std::uint8_t>(next));
  }
  if (known.size() <= Colouring::kMost) return;
  ColourClass& others = colouring.legend.back();
  for (std::size_t k = 0; k + 1 < Colouring::kMost; ++k) {
    const std::string& named = colouring.legend[k].query;
    if (named.empty()) return others.query.clear();
    others.query += (others.query.empty() ? "!" : " !") + named;
  }
}

void by_kind(Colouring& colouring, const Problem& problem) {
  for (BufferIndex i = 0; i < problem.size(); ++i) {
    colouring.classes[i] = static_cast<std::uint8_t>(category_of(problem, i) % Colouring::kMost);
  }
  for (std::size_t k = 1; k < problem.kinds().size() && colouring.legend.size() < Colouring::kMost; ++k) {
    colouring.legend.push_back({problem.kinds()[k], exactly("kind", problem.kinds()[k])});
  }
}

void by_movement(Colouring& colouring, const ColouringInput& input) {
  colouring.legend = {{"same place", "is:same-place"},
                      {"moved up", "is:moved-up"},
                      {"moved down", "is:moved-down"},
                      {"only here", "is:only-here"}};
  for (std::size_t i = 0; i < colouring.classes.size(); ++i) {
    const std::int64_t here = i < input.offsets->size() ? (*input.offsets)[i] : kNoOffset;
    const std::int64_t there =
        input.compared != nullptr && i < input.compared->size() ? (*input.compared)[i] : kNoOffset;
    colouring.classes[i] = there == kNoOffset ? (input.compared == nullptr ? 0 : 3)
                           : here == there    ? 0
                           : here > there     ? 1
                                              : 2;
  }
}

void by_storage(Colouring& colouring, const ColouringInput& input) {
  std::map<std::int64_t, std::uint8_t> known;
  for (std::size_t i = 0; i < colouring.classes.size(); ++i) {
    std::int64_t storage = i < input.offsets->size() ? (*input.offsets)[i] : kNoOffset;
    if (input.objects != nullptr && i < input.objects->object_of.size()) storage = input.objects->object_of[i];
    const auto next = static_cast<std::uint8_t>(known.size() % Colouring::kMost);
    colouring.classes[i] = known.emplace(storage, next).first->second;
  }
  const bool objects = input.objects != nullptr;
  colouring.legend = {{objects ? "one colour for each shared object" : "one colour for each address", "is:reusing"}};
}

/// The highest top so far over ranges of sections: raise() a range, highest() of a range. O(log sections) each.
class Tops {
 public:
  explicit Tops(std::size_t sections) : leaves_(std::bit_ceil(std::max<std::size_t>(sections, 1))) {
    raised_.assign(2 * leaves_, 0);
    highest_.assign(2 * leaves_, 0);
  }
  void raise(std::size_t first, std::size_t last, std::int64_t top) { raise(1, 0, leaves_, first, last, top); }
  std::int64_t highest(std::size_t first, std::size_t last) const { return highest(1, 0, leaves_, first, last); }

 private:
  void raise(std::size_t node, std::size_t low, std::size_t high, std::size_t first, std::size_t last,
             std::int64_t top) {
    if (last <= low || high <= first) return;
    highest_[node] = std::max(highest_[node], top);
    if (first <= low && high <= last) {
      raised_[node] = std::max(raised_[node], top);
      return;
    }
    const std::size_t middle = (low + high) / 2;
    raise(2 * node, low, middle, first, last, top);
    raise(2 * node + 1, middle, high, first, last, top);
  }
  std::int64_t highest(std::size_t node, std::size_t low, std::size_t high, std::size_t first, std::size_t last) const {
    if (last <= low || high <= first) return 0;
    if (first <= low && high <= last) return highest_[node];
    const std::size_t middle = (low + high) / 2;
    return std::max(
        {raised_[node], highest(2 * node, low, middle, first, last), highest(2 * node + 1, middle, high, first, last)});
  }

  std::size_t leaves_;
  std::vector<std::int64_t> raised_;   // the whole node was raised to this
  std::vector<std::int64_t> highest_;  // of the node and everything below it
};

// Figures: Okabe and Ito, "Color Universal Design" (2008); Paul Tol, "Colour schemes" (2021), scheme bright.
constexpr std::array<Palette, 3> kPalettes = {{{"standard",
                                                "Standard",
                                                {rgb(0x6A9BFB), rgb(0x5DD3A6), rgb(0xF2B84B), rgb(0xD6698E),
                                                 rgb(0x7A63EA), rgb(0x4EBDE3), rgb(0xF18A5D), rgb(0x93A4B9)},
                                                false},
                                               {"okabe-ito",
                                                "Okabe-Ito, hatched",
                                                {rgb(0x56B4E9), rgb(0xE69F00), rgb(0x009E73), rgb(0xF0E442),
                                                 rgb(0x0072B2), rgb(0xD55E00), rgb(0xCC79A7), rgb(0x999999)},
                                                true},
                                               {"tol-bright",
                                                "Tol bright, hatched",
                                                {rgb(0x4477AA), rgb(0xEE6677), rgb(0x228833), rgb(0xCCBB44),
                                                 rgb(0x66CCEE), rgb(0xAA3377), rgb(0xBBBBBB), rgb(0xEE8866)},
                                                true}}};

}  // namespace

std::span<const ColourChoice> colour_choices() {
  return kChoices;
}

std::vector<std::int64_t> free_below(const Problem& problem, const std::vector<std::int64_t>& offsets) {
  std::vector<std::int64_t> free(problem.size(), -1);
  std::vector<BufferIndex> order;
  for (BufferIndex i = 0; i < problem.size() && i < offsets.size(); ++i) {
    if (offsets[i] != kNoOffset && problem[i].takes_memory()) order.push_back(i);
  }
  std::sort(order.begin(), order.end(),
            [&](BufferIndex a, BufferIndex b) { return offsets[a] != offsets[b] ? offsets[a] < offsets[b] : a < b; });
  Tops tops(problem.sections().count());
  for (const BufferIndex i : order) {
    std::int64_t below = 0;
    problem.sections().for_each_span(problem[i], i, [&](const Span& span) {
      below = std::max(below, tops.highest(static_cast<std::size_t>(span.first), static_cast<std::size_t>(span.last)));
    });
    free[i] = std::max<std::int64_t>(0, offsets[i] - below);
    problem.sections().for_each_span(problem[i], i, [&](const Span& span) {
      const std::int64_t top = checked_add(offsets[i], span.high).value_or(kMaxInt64);
      tops.raise(static_cast<std::size_t>(span.first), static_cast<std::size_t>(span.last), top);
    });
  }
  return free;
}

std::vector<bool> sharing_storage(std::size_t buffers, const std::vector<std::int64_t>& offsets,
                                  const Objects* objects) {
  const auto storage = [&](std::size_t i) {
    if (objects != nullptr && i < objects->object_of.size()) return std::int64_t{objects->object_of[i]};
    return i < offsets.size() ? offsets[i] : kNoOffset;
  };
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < buffers; ++i) {
    if (storage(i) != kNoOffset) order.push_back(i);
  }
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return storage(a) < storage(b); });
  std::vector<bool> sharing(buffers, false);
  for (std::size_t k = 1; k < order.size(); ++k) {
    if (storage(order[k - 1]) != storage(order[k])) continue;
    sharing[order[k - 1]] = sharing[order[k]] = true;
  }
  return sharing;
}

Colouring colour_by(ColourBy by, const ColouringInput& input) {
  const Problem& problem = *input.problem;
  Colouring colouring;
  colouring.by = by;
  colouring.classes.assign(problem.size(), 0);
  const auto bytes = [&](std::int64_t value) {
    return format_bytes(value, input.unit);
  };
  std::vector<std::int64_t> values(problem.size());
  switch (by) {
    case ColourBy::kKind:
      by_kind(colouring, problem);
      break;
    case ColourBy::kSize:
      for (BufferIndex i = 0; i < problem.size(); ++i) values[i] = problem[i].size;
      by_quantity(colouring, values, bytes, [](std::int64_t low, std::int64_t high, bool last) {
        return last ? fmt::format("size>={}", low) : fmt::format("size>={} size<{}", low, high);
      });
      break;
    case ColourBy::kLifetime:
      for (BufferIndex i = 0; i < problem.size(); ++i) values[i] = problem[i].lifetime();
      by_quantity(
          colouring, values, [&](std::int64_t steps) { return format_count(steps) + " " + problem.time_unit() + "s"; },
          [](std::int64_t low, std::int64_t high, bool last) {
            return last ? fmt::format("life>={}", low) : fmt::format("life>={} life<{}", low, high);
          });
      break;
    case ColourBy::kSpace:
      by_name(colouring, problem, "space",
              [&](BufferIndex i) { return std::string_view(problem.spaces()[problem[i].space].id); });
      break;
    case ColourBy::kProducer:
      by_name(colouring, problem, "op", [&](BufferIndex i) {
        const Details* details = problem.details(i);
        return details != nullptr ? std::string_view(details->op) : std::string_view();
      });
      break;
    case ColourBy::kRow:
      for (BufferIndex i = 0; i < problem.size(); ++i) {
        colouring.classes[i] = static_cast<std::uint8_t>(i % Colouring::kMost);
      }
      for (std::size_t k = 0; k < std::min(problem.size(), Colouring::kMost); ++k) {
        const bool more = k + Colouring::kMost < problem.size();
        colouring.legend.push_back({more ? fmt::format("{}, {}\u2026", k, k + Colouring::kMost) : std::to_string(k),
                                    fmt::format("row%{}={}", Colouring::kMost, k)});
      }
      break;
    case ColourBy::kMoved:
      by_movement(colouring, input);
      break;
    case ColourBy::kWaste:
      by_quantity(colouring, free_below(problem, *input.offsets), bytes,
                  [](std::int64_t low, std::int64_t high, bool last) {
                    return last ? fmt::format("waste>={}", low) : fmt::format("waste>={} waste<{}", low, high);
                  });
      break;
    case ColourBy::kStorage:
      by_storage(colouring, input);
      break;
  }
  return colouring;
}

std::span<const Palette> palettes() {
  return kPalettes;
}

Theme with_palette(Theme theme, const Palette& palette) {
  theme.categories = palette.categories;
  return theme;
}

Theme with_ramp(Theme theme) {
  for (std::size_t k = 0; k < theme.categories.size(); ++k) {
    const double share = 0.18 + 0.82 * static_cast<double>(k) / static_cast<double>(theme.categories.size() - 1);
    theme.categories[k] = mix(theme.dark ? theme.raised : theme.card, theme.accent, share);
  }
  return theme;
}

}  // namespace stowage
