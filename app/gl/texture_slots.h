#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include <imgui.h>

#include "core/chart/scene.h"

namespace stowage {

/// Images of the interface as OpenGL textures, one for each named slot. An image is uploaded only when its revision
/// differs from what the slot holds; the storage is kept while the size stays. Needs a current context all its life.
class TextureSlots {
 public:
  TextureSlots() = default;
  ~TextureSlots();
  TextureSlots(const TextureSlots&) = delete;
  TextureSlots& operator=(const TextureSlots&) = delete;

  ImTextureID texture(std::string_view slot, const draw::Image& image);
  /// Uploads since the start, for tests and measurements.
  std::uint64_t uploads() const { return uploads_; }

 private:
  struct Slot {
    unsigned name = 0;  // 0: no texture yet
    int width = 0;
    int height = 0;
    std::uint64_t revision = 0;
  };
  void upload(Slot& slot, const draw::Image& image);

  std::map<std::string, Slot, std::less<>> slots_;
  std::uint64_t uploads_ = 0;
};

}  // namespace stowage
