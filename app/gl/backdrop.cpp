#include "app/gl/backdrop.h"

namespace stowage {
namespace {

constexpr unsigned kRectangle = 6;  // indices of two triangles
constexpr ImU32 kBlack = IM_COL32(0, 0, 0, 255);

bool inside(const ImVec2& point, const ImVec2& low, const ImVec2& high) {
  return point.x > low.x && point.x < high.x && point.y > low.y && point.y < high.y;
}

}  // namespace

ImU32 take_backdrop(ImDrawData& data) {
  if (data.CmdListsCount == 0 || data.CmdLists[0]->CmdBuffer.Size == 0) return kBlack;
  ImDrawList& list = *data.CmdLists[0];
  ImDrawCmd& command = list.CmdBuffer[0];
  if (command.UserCallback != nullptr || command.ElemCount < kRectangle) return kBlack;

  const ImVec2 low = data.DisplayPos;
  const ImVec2 high(low.x + data.DisplaySize.x, low.y + data.DisplaySize.y);
  if (command.ClipRect.x > low.x || command.ClipRect.y > low.y || command.ClipRect.z < high.x ||
      command.ClipRect.w < high.y) {
    return kBlack;
  }
  // Two triangles over the corners a b c and a c d of one colour, a at the display's top left and c at its bottom
  // right.
  const ImDrawIdx* index = list.IdxBuffer.Data + command.IdxOffset;
  const ImDrawVert* vertices = list.VtxBuffer.Data + command.VtxOffset;
  const ImDrawVert& first = vertices[index[0]];
  const ImDrawVert& opposite = vertices[index[2]];
  const ImVec2 white = first.uv;
  for (unsigned k = 0; k < kRectangle; ++k) {
    const ImDrawVert& vertex = vertices[index[k]];
    if (inside(vertex.pos, low, high) || vertex.col != first.col || vertex.uv.x != white.x || vertex.uv.y != white.y) {
      return kBlack;
    }
  }
  const bool spans = first.pos.x <= low.x && first.pos.y <= low.y && opposite.pos.x >= high.x &&
                     opposite.pos.y >= high.y && index[3] == index[0] && index[4] == index[2];
  const bool opaque = (first.col >> IM_COL32_A_SHIFT) == 255U;
  if (!spans || !opaque) return kBlack;
  const ImU32 color = first.col;
  command.IdxOffset += kRectangle;
  command.ElemCount -= kRectangle;
  return color;
}

}  // namespace stowage
