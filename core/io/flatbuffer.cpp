#include "core/io/flatbuffer.h"

#include <algorithm>
#include <limits>

#include <fmt/format.h>

namespace stowage::flat {
namespace {

/// Writers store equal texts and vectors once, so a sound file hands out somewhat more than it holds.
constexpr std::size_t kTimes = 4;
constexpr std::size_t kAtLeast = 65536;

}  // namespace

File::File(std::string_view bytes) : bytes_(bytes), left_(kAtLeast) {
  const std::size_t most = std::numeric_limits<std::size_t>::max() / kTimes - kAtLeast;
  left_ += kTimes * std::min(bytes.size(), most);
}

std::string_view File::identifier() const {
  return holds(4, 4) ? bytes_.substr(4, 4) : std::string_view();
}

Table File::root() {
  const auto at = follow(0, "the root table");
  return at ? Table(*this, *at) : Table();
}

void File::damaged(std::size_t at, std::string_view what) {
  if (!damage_) damage_ = Damage{at, std::string(what)};
}

std::string File::damage_text() const {
  return fmt::format("damaged or cut off: at byte {}, {}", damage_->at, damage_->what);
}

bool File::hand_out(std::size_t at, std::size_t size, std::string_view what) {
  if (!holds(at, size)) {
    damaged(at, std::string(what) + " does not lie inside the file");
    return false;
  }
  if (size > left_) {
    damaged(at, "the same bytes are used over and over");
    left_ = 0;
    return false;
  }
  left_ -= size;
  return true;
}

std::optional<std::size_t> File::follow(std::size_t at, std::string_view what) {
  if (!holds(at, sizeof(std::uint32_t))) {
    damaged(at, std::string(what) + " does not lie inside the file");
    return std::nullopt;
  }
  const std::size_t step = number<std::uint32_t>(at);
  if (step == 0 || !holds(at + step, sizeof(std::uint32_t))) {
    damaged(at, std::string(what) + " does not lie inside the file");
    return std::nullopt;
  }
  return at + step;
}

Table::Table(File& file, std::size_t at) {
  constexpr std::string_view what = "a table";
  if (!file.hand_out(at, sizeof(std::int32_t), what)) return;
  // The table says how far below itself its list of fields lies; lists may be shared and may stand behind it.
  const std::int64_t vtable = static_cast<std::int64_t>(at) - file.number<std::int32_t>(at);
  if (vtable < 0 || !file.holds(static_cast<std::size_t>(vtable), 4)) {
    file.damaged(at, "the fields of a table do not lie inside the file");
    return;
  }
  const auto list = static_cast<std::size_t>(vtable);
  const std::size_t list_size = file.number<std::uint16_t>(list);
  const std::size_t size = file.number<std::uint16_t>(list + 2);
  if (list_size < 4 || list_size % 2 != 0 || size < 4 || !file.holds(list, list_size)) {
    file.damaged(list, "the fields of a table do not lie inside the file");
    return;
  }
  if (!file.hand_out(at, size, what)) return;
  file_ = &file;
  at_ = at;
  size_ = size;
  vtable_ = list;
  fields_ = (list_size - 4) / 2;
}

std::optional<std::size_t> Table::place(std::size_t field, std::size_t size) const {
  if (file_ == nullptr || field >= fields_) return std::nullopt;
  const std::size_t offset = file_->number<std::uint16_t>(vtable_ + 4 + 2 * field);
  if (offset == 0) return std::nullopt;
  if (offset + size > size_) {
    file_->damaged(at_, "a field does not lie inside its table");
    return std::nullopt;
  }
  return at_ + offset;
}

Table Table::table(std::size_t field) const {
  const auto at = place(field, sizeof(std::uint32_t));
  const auto target = at ? file_->follow(*at, "a table") : std::nullopt;
  return target ? Table(*file_, *target) : Table();
}

Extent Table::vector(std::size_t field, std::size_t element_size) const {
  const auto at = place(field, sizeof(std::uint32_t));
  const auto target = at ? file_->follow(*at, "a vector") : std::nullopt;
  if (!target) return {};
  const std::size_t count = file_->number<std::uint32_t>(*target);
  const std::size_t begin = *target + sizeof(std::uint32_t);
  if (count > (file_->bytes().size() - begin) / element_size) {
    file_->damaged(*target, "a vector does not lie inside the file");
    return {};
  }
  return {begin, count};
}

std::string_view Table::text(std::size_t field) const {
  const Extent extent = vector(field, 1);
  if (extent.count == 0 || !file_->hand_out(extent.at, extent.count, "a text")) return {};
  return file_->bytes().substr(extent.at, extent.count);
}

std::vector<Table> Table::tables(std::size_t field) const {
  const Extent extent = vector(field, sizeof(std::uint32_t));
  std::vector<Table> tables;
  if (extent.count == 0 || !file_->hand_out(extent.at, extent.count * sizeof(std::uint32_t), "a vector")) return tables;
  tables.reserve(extent.count);
  for (std::size_t i = 0; i < extent.count; ++i) {
    const auto target = file_->follow(extent.at + i * sizeof(std::uint32_t), "a table");
    tables.push_back(target ? Table(*file_, *target) : Table());
  }
  return tables;
}

Table Table::element(std::size_t field, std::size_t index) const {
  const Extent extent = vector(field, sizeof(std::uint32_t));
  if (index >= extent.count) return {};
  const auto target = file_->follow(extent.at + index * sizeof(std::uint32_t), "a table");
  return target ? Table(*file_, *target) : Table();
}

}  // namespace stowage::flat
