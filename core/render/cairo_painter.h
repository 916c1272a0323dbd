#pragma once

#include <string>

#include "core/base/result.h"
#include "core/chart/scene.h"
#include "core/chart/theme.h"

namespace stowage {

enum class PictureFormat { kPng, kSvg, kPdf };

/// Widths as Cairo will draw them: with these, labels fit in exports.
class CairoTextMeasure : public TextMeasure {
 public:
  CairoTextMeasure();
  ~CairoTextMeasure() override;
  CairoTextMeasure(const CairoTextMeasure&) = delete;
  CairoTextMeasure& operator=(const CairoTextMeasure&) = delete;
  float width(std::string_view text, float size, FontFace face) const override;

 private:
  struct State;
  State* state_;
};

/// The scene as the bytes of a file; PNG pixels = size x scale. Deterministic: the same scene gives the same bytes.
/// Errors: a picture above 16384 pixels a side, or Cairo's own.
Result<std::string> paint(const Scene& scene, PictureFormat format, float scale, Color background);

}  // namespace stowage
