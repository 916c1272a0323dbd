#include "core/io/xml.h"

#include <algorithm>
#include <expat.h>
#include <memory>
#include <type_traits>

#include <fmt/format.h>

namespace stowage::xml {
namespace {

constexpr std::size_t kDeepest = 256;
constexpr std::size_t kPiece = std::size_t{1} << 20U;

struct State {
  XML_Parser parser = nullptr;
  const Handler& handler;
  std::size_t depth = 0;
  std::string why = {};

  void refuse(std::string_view reason) {
    why = reason;
    XML_StopParser(parser, XML_FALSE);
  }
};

State& state_of(void* data) {
  return *static_cast<State*>(data);
}

void on_begin(void* data, const char* name, const char** attributes) {
  State& state = state_of(data);
  if (++state.depth > kDeepest) return state.refuse("elements are nested more than 256 deep");
  state.handler.begin(name, Attributes(attributes), state.depth);
}

void on_end(void* data, const char* name) {
  State& state = state_of(data);
  state.handler.end(name, state.depth);
  --state.depth;
}

void on_text(void* data, const char* text, int length) {
  const State& state = state_of(data);
  state.handler.text(std::string_view(text, static_cast<std::size_t>(length)), state.depth);
}

void on_document_type(void* data, const char*, const char*, const char*, int) {
  state_of(data).refuse("it has a document type, which is refused");
}

}  // namespace

std::string parse(std::string_view document, const Handler& handler) {
  const std::unique_ptr<std::remove_pointer_t<XML_Parser>, decltype(&XML_ParserFree)> parser(XML_ParserCreate("UTF-8"),
                                                                                             XML_ParserFree);
  if (parser == nullptr) return "there is no memory to read it";
  State state{parser.get(), handler};
  XML_SetUserData(parser.get(), &state);
  XML_SetElementHandler(parser.get(), on_begin, on_end);
  XML_SetCharacterDataHandler(parser.get(), on_text);
  XML_SetStartDoctypeDeclHandler(parser.get(), on_document_type);
  for (bool last = false; !last;) {
    const std::string_view piece = document.substr(0, kPiece);
    document.remove_prefix(piece.size());
    last = document.empty();
    if (XML_Parse(parser.get(), piece.data(), static_cast<int>(piece.size()), last ? 1 : 0) == XML_STATUS_OK) continue;
    const std::string why = state.why.empty() ? XML_ErrorString(XML_GetErrorCode(parser.get())) : state.why;
    return fmt::format("line {}: {}", XML_GetCurrentLineNumber(parser.get()), why);
  }
  return {};
}

}  // namespace stowage::xml
