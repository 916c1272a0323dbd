#include "core/io/onnx_outline.h"

#include <set>

#include "core/io/wire.h"

namespace stowage::onnx {
namespace {

using wire::Field;
using wire::Fields;
using wire::Kind;

constexpr std::uint64_t kVersion = 8;         // of the IR: in the first ones constants had to be inputs as well
constexpr std::size_t kMostData = 4096;       // of a tensor whose contents may be a shape
constexpr std::size_t kMostText = 1U << 16U;  // of a text attribute

template <typename Take>
void each(std::string_view message, const Take& take) {
  Fields fields(message);
  for (Field field; fields.next(field);) take(field);
}

class Outline {
 public:
  Outline(bool told_shapes, const NumbersByName& known, const Resolve& resolve)
      : told_shapes_(told_shapes), known_(known), resolve_(resolve) {}

  std::string model(std::string_view message) {
    std::string out;
    std::set<std::string_view> imported;
    wire::append_number(out, 1, kVersion);
    each(message, [&](const Field& field) {
      if (field.number == 8) out += field.whole;
      if (field.is(8, Kind::kBytes)) imported.insert(domain_in(field.bytes, 1));
      if (field.is(7, Kind::kBytes)) wire::append_bytes(out, 7, graph(field.bytes, 0));
      if (field.is(25, Kind::kBytes)) wire::append_bytes(out, 25, function(field.bytes));
    });
    // One domain that the model forgets to import would keep the library from inferring anything.
    for (const std::string_view domain : domains_) {
      if (!imported.contains(domain)) wire::append_bytes(out, 8, import_of(domain));
    }
    return out;
  }

 private:
  /// The domain in a message that has it as field `number`; the standard one has no name.
  static std::string_view domain_in(std::string_view message, std::uint32_t number) {
    std::string_view domain;
    each(message, [&](const Field& field) {
      if (field.is(number, Kind::kBytes)) domain = field.bytes;
    });
    return domain == "ai.onnx" ? std::string_view() : domain;
  }

  static std::string import_of(std::string_view domain) {
    std::string out;
    wire::append_bytes(out, 1, domain);
    wire::append_number(out, 2, 1);
    return out;
  }

  std::string function(std::string_view message) {
    std::string out;
    each(message, [&](const Field& field) {
      if (field.is(7, Kind::kBytes)) {
        wire::append_bytes(out, 7, node(field.bytes, 0));
      } else if (field.number != 8) {  // doc_string
        out += field.whole;
      }
    });
    return out;
  }

  std::string graph(std::string_view message, int depth) {
    std::string out;
    if (depth > kDeepest) return out;
    each(message, [&](const Field& field) {
      if (field.kind != Kind::kBytes) return;
      if (field.number == 1) add_node(out, field.bytes, depth);
      if (field.number == 2) out += field.whole;
      if (field.number == 5) wire::append_bytes(out, 5, tensor(field.bytes));
      if (field.number == 11) wire::append_bytes(out, 11, value(field.bytes, true));
      if (field.number == 12) wire::append_bytes(out, 12, value(field.bytes, told_shapes_));
      if (field.number == 13 && told_shapes_) wire::append_bytes(out, 13, value(field.bytes, true));
    });
    return out;
  }

  void add_node(std::string& out, std::string_view message, int depth) {
    if (depth == 0 && !known_.empty()) {
      std::string_view made;  // the first result
      each(message, [&](const Field& field) {
        if (field.is(2, Kind::kBytes) && made.empty()) made = field.bytes;
      });
      const auto found = known_.find(made);
      if (found != known_.end()) return wire::append_bytes(out, 5, tensor_of(made, found->second));
    }
    wire::append_bytes(out, 1, node(message, depth));
  }

  std::string node(std::string_view message, int depth) {
    domains_.insert(domain_in(message, 7));
    std::string out;
    each(message, [&](const Field& field) {
      if (field.is(5, Kind::kBytes)) {
        wire::append_bytes(out, 5, attribute(field.bytes, depth));
      } else if (field.number != 6) {  // doc_string
        out += field.whole;
      }
    });
    return out;
  }

  std::string attribute(std::string_view message, int depth) {
    std::string out;
    each(message, [&](const Field& field) {
      switch (field.number) {
        case 5:
        case 10:
          if (field.kind == Kind::kBytes) wire::append_bytes(out, field.number, tensor(field.bytes));
          break;
        case 6:
        case 11:
          if (field.kind == Kind::kBytes) wire::append_bytes(out, field.number, graph(field.bytes, depth + 1));
          break;
        case 13:  // doc_string
        case 22:  // sparse tensors
        case 23:
          break;
        case 4:
        case 9:
          if (field.whole.size() <= kMostText) out += field.whole;
          break;
        default:
          out += field.whole;
      }
    });
    return out;
  }

  std::string tensor(std::string_view message) const {
    std::string out;
    std::string data;
    bool external = false;
    each(message, [&](const Field& field) {
      if (field.number == 1 || field.number == 2 || field.number == 8) out += field.whole;
      external = external || field.is(14, Kind::kVarint);
      const bool holds_data = (field.number >= 4 && field.number <= 7) || (field.number >= 9 && field.number <= 11);
      if (holds_data && data.size() <= kMostData) data += field.whole.substr(0, kMostData + 1);
    });
    if (!external && data.size() <= kMostData) out += data;
    return out;
  }

  std::string value(std::string_view message, bool shapes) const {
    std::string out;
    std::string_view name;
    each(message, [&](const Field& field) {
      if (field.is(1, Kind::kBytes)) name = field.bytes;
    });
    wire::append_bytes(out, 1, name);
    each(message, [&](const Field& field) {
      if (field.is(2, Kind::kBytes)) wire::append_bytes(out, 2, type(field.bytes, name, shapes));
    });
    return out;
  }

  std::string type(std::string_view message, std::string_view name, bool shapes) const {
    std::string out;
    each(message, [&](const Field& field) {
      if (!field.is(1, Kind::kBytes)) {
        out += field.whole;
        return;
      }
      std::string tensor_type;
      each(field.bytes, [&](const Field& part) {
        if (part.number == 1) tensor_type += part.whole;
        if (part.is(2, Kind::kBytes) && shapes) wire::append_bytes(tensor_type, 2, shape(part.bytes, name));
      });
      wire::append_bytes(out, 1, tensor_type);
    });
    return out;
  }

  std::string shape(std::string_view message, std::string_view name) const {
    std::string out;
    std::size_t index = 0;
    each(message, [&](const Field& field) {
      if (!field.is(1, Kind::kBytes)) return;
      std::optional<std::int64_t> number;
      std::string_view symbol;
      each(field.bytes, [&](const Field& part) {
        if (part.is(1, Kind::kVarint) && part.integer() >= 0) number = part.integer();
        if (part.is(2, Kind::kBytes)) symbol = part.bytes;
      });
      if (!number) number = resolve_(symbol, name, index);
      std::string dimension;
      if (number) {
        wire::append_number(dimension, 1, static_cast<std::uint64_t>(*number));
      } else if (!symbol.empty()) {
        wire::append_bytes(dimension, 2, symbol);
      }
      wire::append_bytes(out, 1, dimension);
      ++index;
    });
    return out;
  }

  bool told_shapes_;
  const NumbersByName& known_;
  const Resolve& resolve_;
  std::set<std::string_view> domains_;  // of the nodes
};

}  // namespace

std::string outline_of(std::string_view file, bool told_shapes, const NumbersByName& known, const Resolve& resolve) {
  return Outline(told_shapes, known, resolve).model(file);
}

}  // namespace stowage::onnx
