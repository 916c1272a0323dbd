#include "app/gl/texture_slots.h"

#include <type_traits>

#include <glad/gl.h>

namespace stowage {
namespace {

/// Dear ImGui's texture id is a pointer in old versions and an integer in new ones.
template <typename Id>
Id as_texture_id(unsigned name) {
  if constexpr (std::is_pointer_v<Id>) {
    return reinterpret_cast<Id>(static_cast<std::uintptr_t>(name));
  } else {
    return static_cast<Id>(name);
  }
}

void create_texture(unsigned& name) {
  glGenTextures(1, &name);
  glBindTexture(GL_TEXTURE_2D, name);
  // Linear, because while the user pans or zooms the last picture is shown moved and stretched.
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
}

}  // namespace

TextureSlots::~TextureSlots() {
  for (const auto& entry : slots_) {
    if (entry.second.name != 0) glDeleteTextures(1, &entry.second.name);
  }
}

ImTextureID TextureSlots::texture(std::string_view slot_name, const draw::Image& image) {
  auto found = slots_.find(slot_name);
  if (found == slots_.end()) found = slots_.emplace(std::string(slot_name), Slot{}).first;
  Slot& slot = found->second;
  const bool same =
      slot.name != 0 && slot.revision == image.revision && slot.width == image.width && slot.height == image.height;
  if (!same && image.pixels && image.width > 0 && image.height > 0) upload(slot, image);
  return as_texture_id<ImTextureID>(slot.name);
}

void TextureSlots::upload(Slot& slot, const draw::Image& image) {
  if (slot.name == 0) {
    create_texture(slot.name);
  } else {
    glBindTexture(GL_TEXTURE_2D, slot.name);
  }
  glPixelStorei(GL_UNPACK_ALIGNMENT, 4);
  if (slot.width == image.width && slot.height == image.height) {
    glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, image.width, image.height, GL_RGBA, GL_UNSIGNED_BYTE, image.pixels->data());
  } else {
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, image.width, image.height, 0, GL_RGBA, GL_UNSIGNED_BYTE,
                 image.pixels->data());
  }
  slot.width = image.width;
  slot.height = image.height;
  slot.revision = image.revision;
  ++uploads_;
}

}  // namespace stowage
