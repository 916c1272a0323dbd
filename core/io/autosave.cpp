#include "core/io/autosave.h"

#include <algorithm>
#include <cerrno>
#include <fcntl.h>
#include <filesystem>
#include <set>
#include <sys/file.h>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>
#include <utility>

#include <fmt/format.h>

#include "core/base/text.h"
#include "core/io/format.h"
#include "core/io/home_folder.h"
#include "core/io/json.h"
#include "core/io/settings.h"

namespace stowage {
namespace {

constexpr std::string_view kPrefix = "work-";
constexpr std::string_view kKey = "autosave";
constexpr int kMostSlots = 1'000;

std::string absolute(const std::string& path) {
  std::error_code error;
  const auto full = std::filesystem::absolute(path, error);
  return path.empty() || error ? path : full.string();
}

/// The document's unknown members, and where the work belongs.
std::string with_origin(const Document& document) {
  std::string extra;
  json::ObjectWriter writer(extra);
  writer.members_of(document.extra);
  json::ObjectWriter origin(writer.key(kKey));
  origin.text("path", absolute(document.path));
  origin.text("format", document.facts.format);
  origin.text("title", title_of(document));
  origin.close();
  writer.close();
  return extra;
}

struct Origin {
  std::string path;
  std::string format;
  std::string title;
  std::string rest;  // the other members, as a JSON object; empty when there are none
};

Origin origin_of(const std::string& extra) {
  Origin found;
  if (extra.empty()) return found;
  bool others = false;
  json::ObjectWriter rest(found.rest);
  json::Members members(json::root(extra));
  while (auto member = members.next()) {
    if (member->key != kKey || member->value.kind() != json::Kind::kObject) {
      rest.key(member->key) += member->value.text;
      others = true;
      continue;
    }
    json::Members parts(member->value);
    while (auto part = parts.next()) {
      if (part->value.kind() != json::Kind::kString) continue;
      if (part->key == "path") found.path = json::decode(part->value);
      if (part->key == "format") found.format = json::decode(part->value);
      if (part->key == "title") found.title = json::decode(part->value);
      if (part->key == "path_bytes") found.path = json::from_hex(json::decode(part->value)).value_or(found.path);
    }
  }
  rest.close();
  if (!others) found.rest.clear();
  return found;
}

/// The slot of "work-7.json"; 0 for any other name.
int slot_of(const std::filesystem::path& file) {
  const std::string stem = file.stem().string();
  if (file.extension() != ".json" || stem.rfind(kPrefix, 0) != 0) return 0;
  const auto number = parse_int(std::string_view(stem).substr(kPrefix.size()));
  return number && *number > 0 && *number <= kMostSlots ? static_cast<int>(*number) : 0;
}

std::int64_t seconds_of(const std::string& file) {
  struct stat facts = {};
  return ::stat(file.c_str(), &facts) == 0 ? static_cast<std::int64_t>(facts.st_mtim.tv_sec) : 0;
}

void remove(const std::string& file) {
  std::error_code ignored;
  std::filesystem::remove(file, ignored);
}

}  // namespace

std::string autosave_folder(const std::string& config_folder) {
  if (config_folder.empty()) return {};
  if (config_folder == default_config_folder()) return folder_of_user("XDG_STATE_HOME", ".local/state");
  return (std::filesystem::path(config_folder) / "autosave").string();
}

std::optional<FileLock> FileLock::take(const std::string& path) {
  const int descriptor = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  if (descriptor < 0) return std::nullopt;
  if (::flock(descriptor, LOCK_EX | LOCK_NB) == 0) return FileLock(descriptor);
  ::close(descriptor);
  return std::nullopt;
}

FileLock::FileLock(FileLock&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}

FileLock& FileLock::operator=(FileLock&& other) noexcept {
  std::swap(descriptor_, other.descriptor_);
  return *this;
}

FileLock::~FileLock() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

Autosave::Autosave(std::string folder, FileProbe probe) : folder_(std::move(folder)), probe_(std::move(probe)) {
  if (!folder_.empty()) remove_unfinished(folder_);
}

std::string Autosave::file_of(int slot) const {
  return (std::filesystem::path(folder_) / fmt::format("{}{}.json", kPrefix, slot)).string();
}

std::string Autosave::lock_of(int slot) const {
  return (std::filesystem::path(folder_) / fmt::format("{}{}.lock", kPrefix, slot)).string();
}

/// The first slot that no running program uses and in which no work waits.
Result<void> Autosave::take_slot() {
  if (slot_ != 0) return {};
  std::error_code error;
  std::filesystem::create_directories(folder_, error);
  if (error) return input_error(fmt::format("{}: cannot be made: {}", folder_, error.message()));
  for (int slot = 1; slot <= kMostSlots; ++slot) {
    if (left_.contains(slot)) continue;
    std::optional<FileLock> lock = FileLock::take(lock_of(slot));
    if (!lock || std::filesystem::exists(file_of(slot), error)) continue;
    lock_ = std::move(lock);
    slot_ = slot;
    return {};
  }
  return input_error(folder_ + ": no place is left for unsaved work");
}

Result<void> Autosave::keep(const Document& document) {
  const std::lock_guard guard(mutex_);
  if (folder_.empty() || ended_) return {};
  if (const Result<void> taken = take_slot(); !taken) return taken;
  Document kept = document;
  kept.extra = with_origin(document);
  return save_document(kept, file_of(slot_), *find_format("stowage-json"), WriteOptions{}, probe_);
}

void Autosave::forget() {
  const std::lock_guard guard(mutex_);
  if (slot_ != 0) remove(file_of(slot_));
}

void Autosave::end() {
  const std::lock_guard guard(mutex_);
  ended_ = true;
  if (slot_ != 0) remove(file_of(slot_));
}

std::vector<LeftWork> Autosave::left() {
  const std::lock_guard guard(mutex_);
  std::set<int> slots;
  std::error_code error;
  if (!folder_.empty()) {
    for (const auto& entry : std::filesystem::directory_iterator(folder_, error)) slots.insert(slot_of(entry.path()));
  }
  std::vector<LeftWork> found;
  for (const int slot : slots) {
    if (slot == 0 || slot == slot_) continue;
    if (!left_.contains(slot)) {
      std::optional<FileLock> lock = FileLock::take(lock_of(slot));
      if (!lock) continue;
      left_.emplace(slot, std::move(*lock));
    }
    if (!std::filesystem::exists(file_of(slot), error)) {  // its owner has ended meanwhile, with everything saved
      left_.erase(slot);
      continue;
    }
    const auto document = open_document(file_of(slot), ReadOptions{});
    const Origin origin = document ? origin_of(document->extra) : Origin{};
    LeftWork work;
    work.slot = slot;
    work.title = origin.title.empty() ? std::string("untitled") : origin.title;
    work.path = origin.path;
    work.format = origin.format;
    work.seconds = seconds_of(file_of(slot));
    found.push_back(std::move(work));
  }
  std::stable_sort(found.begin(), found.end(),
                   [](const LeftWork& a, const LeftWork& b) { return a.seconds > b.seconds; });
  return found;
}

void Autosave::release_left() {
  const std::lock_guard guard(mutex_);
  left_.clear();
}

Result<Document> Autosave::open(const LeftWork& work) {
  const std::lock_guard guard(mutex_);
  auto document = open_document(file_of(work.slot), ReadOptions{});
  if (!document) return document;
  Origin origin = origin_of(document->extra);
  document->extra = std::move(origin.rest);
  document->path = std::move(origin.path);
  document->facts.format = std::move(origin.format);
  return document;
}

void Autosave::adopt(const LeftWork& work) {
  const std::lock_guard guard(mutex_);
  const auto found = left_.find(work.slot);
  if (found == left_.end()) return;
  if (slot_ != 0) remove(file_of(slot_));
  lock_ = std::move(found->second);
  slot_ = work.slot;
  left_.erase(found);
}

void Autosave::discard(const LeftWork& work) {
  const std::lock_guard guard(mutex_);
  if (!left_.contains(work.slot)) return;
  remove(file_of(work.slot));
  left_.erase(work.slot);
}

}  // namespace stowage
