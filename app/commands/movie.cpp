#include "app/commands/movie.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <system_error>
#include <unistd.h>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "app/commands/apng.h"
#include "app/commands/program.h"
#include "core/base/text.h"
#include "core/io/file.h"

namespace stowage {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kFrameBegin = "frame_";

std::string ending_of(std::string_view path) {
  return to_lower(fs::path(path).extension().string());
}

fs::path folder_around(const std::string& path) {
  const fs::path target = fs::path(path).lexically_normal();
  const fs::path named = target.has_filename() ? target : target.parent_path();
  return named.has_parent_path() ? named.parent_path() : fs::path(".");
}

Result<void> check_place(const std::string& path, MovieKind kind) {
  std::error_code ignored;
  const bool is_folder = fs::is_directory(path, ignored);
  if (kind != MovieKind::kFolder && is_folder) return input_error(path + ": is a folder");
  if (kind == MovieKind::kFolder && !is_folder && fs::exists(path, ignored)) {
    return input_error(path + ": is there and no folder");
  }
  const fs::path folder = is_folder ? fs::path(path) : folder_around(path);
  if (!fs::is_directory(folder, ignored)) {
    return input_error(fmt::format("{}: there is no folder {}", path, folder.string()));
  }
  if (::access(folder.c_str(), W_OK) != 0) {
    return input_error(fmt::format("{}: the folder {} cannot be written", path, folder.string()));
  }
  return {};
}

Result<void> rename_to(const fs::path& from, const fs::path& to) {
  std::error_code error;
  fs::rename(from, to, error);
  if (error) return input_error(fmt::format("{}: {}", to.string(), error.message()));
  return {};
}

}  // namespace

Result<MovieKind> movie_kind(std::string_view path) {
  const std::string ending = ending_of(path);
  if (ending == ".gif") return MovieKind::kGif;
  if (ending == ".apng") return MovieKind::kApng;
  if (ending == ".webm") return MovieKind::kWebm;
  constexpr std::array<std::string_view, 9> others = {".png", ".svg", ".pdf", ".jpg", ".webp",
                                                      ".mp4", ".mkv", ".avi", ".mov"};
  if (std::find(others.begin(), others.end(), ending) != others.end()) {
    return usage_error(fmt::format("--out {}: an animation is a folder of frames, or a .gif, .apng or .webm", path));
  }
  return MovieKind::kFolder;
}

Result<MovieWriter> MovieWriter::open(const std::string& path, int fps) {
  const Result<MovieKind> kind = movie_kind(path);
  if (!kind) return tl::unexpected(kind.error());
  if (const Result<void> place = check_place(path, *kind); !place) return tl::unexpected(place.error());
  MovieWriter writer;
  writer.path_ = path;
  writer.kind_ = *kind;
  writer.fps_ = fps;
  if (*kind == MovieKind::kGif) {
    Result<GifWriter> gif = GifWriter::make(fps);
    if (!gif) return input_error(path + ": " + gif.error().message);
    writer.gif_ = std::move(*gif);
  }
  if (*kind == MovieKind::kWebm) {
    writer.program_ = find_program("ffmpeg");
    if (writer.program_.empty()) {
      return input_error(path +
                         ": WebM is written by the program ffmpeg, which is not installed (Debian: apt install "
                         "ffmpeg); .gif, .apng and a folder of frames need nothing");
    }
  }
  const bool into = fs::is_directory(path);
  std::string pattern = ((into ? fs::path(path) : folder_around(path)) / ".stowage-frames-XXXXXX").string();
  if (mkdtemp(pattern.data()) == nullptr) return input_error(fmt::format("{}: {}", path, std::strerror(errno)));
  writer.folder_ = pattern;
  if (writer.gif_) writer.film_.open(writer.film_path(), std::ios::binary);
  return writer;
}

MovieWriter::MovieWriter(MovieWriter&& other) noexcept
    : path_(std::move(other.path_)),
      kind_(other.kind_),
      fps_(other.fps_),
      program_(std::move(other.program_)),
      folder_(std::exchange(other.folder_, {})),
      gif_(std::move(other.gif_)),
      film_(std::move(other.film_)),
      frames_(other.frames_),
      stale_(other.stale_) {}

MovieWriter::~MovieWriter() {
  std::error_code ignored;
  if (!folder_.empty()) fs::remove_all(folder_, ignored);
}

std::string MovieWriter::frame_path(std::size_t frame) const {
  return (fs::path(folder_) / fmt::format("{}{:05}.png", kFrameBegin, frame)).string();
}

std::string MovieWriter::film_path() const {
  return (fs::path(folder_) / (kind_ == MovieKind::kGif ? "film.gif" : "film.webm")).string();
}

Result<void> MovieWriter::add(std::string_view png) {
  if (gif_) {
    const Result<std::string> bytes = gif_->add(png);
    if (!bytes) return input_error(path_ + ": " + bytes.error().message);
    if (const Result<void> grown = grow(*bytes); !grown) return grown;
  } else if (const Result<void> written = write_file(frame_path(frames_ + 1), png); !written) {
    return written;
  }
  ++frames_;
  return {};
}

Result<void> MovieWriter::grow(const std::string& bytes) {
  film_.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  if (film_.flush()) return {};
  return input_error(fmt::format("{}: cannot be written: {}", path_, std::strerror(errno)));
}

Result<void> MovieWriter::finish() {
  switch (kind_) {
    case MovieKind::kFolder:
      break;
    case MovieKind::kApng:
      return join_frames();
    case MovieKind::kGif:
      return end_gif();
    case MovieKind::kWebm:
      return film();
  }
  return move_frames();
}

Result<void> MovieWriter::move_frames() {
  std::error_code error;
  const fs::path target(path_);
  if (!fs::is_directory(target, error)) {
    fs::permissions(folder_,
                    fs::perms::owner_all | fs::perms::group_read | fs::perms::group_exec | fs::perms::others_read |
                        fs::perms::others_exec,
                    error);
    const Result<void> moved = rename_to(folder_, target);
    if (moved) folder_.clear();
    return moved;
  }
  for (std::size_t frame = 1; frame <= frames_; ++frame) {
    const fs::path from(frame_path(frame));
    if (const Result<void> moved = rename_to(from, target / from.filename()); !moved) return moved;
  }
  for (const fs::directory_entry& entry : fs::directory_iterator(target, error)) {
    const std::string name = entry.path().filename().string();
    if (entry.path().extension() != ".png" || name.compare(0, kFrameBegin.size(), kFrameBegin) != 0) continue;
    const auto number = parse_int(name.substr(kFrameBegin.size(), name.size() - kFrameBegin.size() - 4));
    if (number && *number > static_cast<std::int64_t>(frames_)) ++stale_;
  }
  return {};
}

Result<void> MovieWriter::join_frames() {
  ApngWriter apng(static_cast<std::uint32_t>(frames_), fps_);
  for (std::size_t frame = 1; frame <= frames_; ++frame) {
    const Result<std::string> png = read_file(frame_path(frame));
    if (!png) return tl::unexpected(png.error());
    if (const Result<void> added = apng.add(*png); !added) return added;
  }
  return write_file(path_, std::move(apng).finish());
}

Result<void> MovieWriter::end_gif() {
  if (const Result<void> grown = grow(std::move(*gif_).finish()); !grown) return grown;
  film_.close();
  if (!film_) return input_error(fmt::format("{}: cannot be written: {}", path_, std::strerror(errno)));
  return move_into_place(film_path(), path_);
}

Result<void> MovieWriter::film() {
  // Films have even sides; without a rate the quality alone counts.
  const std::vector<std::string> arguments = {"-y",
                                              "-loglevel",
                                              "error",
                                              "-framerate",
                                              std::to_string(fps_),
                                              "-i",
                                              (fs::path(folder_) / "frame_%05d.png").string(),
                                              "-vf",
                                              "pad=ceil(iw/2)*2:ceil(ih/2)*2",
                                              "-c:v",
                                              "libvpx-vp9",
                                              "-pix_fmt",
                                              "yuv420p",
                                              "-crf",
                                              "24",
                                              "-b:v",
                                              "0",
                                              film_path()};
  const std::string log = (fs::path(folder_) / "said.txt").string();
  if (const Result<void> ran = run_program(program_, arguments, log); !ran) return ran;
  const Result<std::string> bytes = read_file(film_path());
  if (!bytes) return input_error(fmt::format("{}: {} has written nothing", path_, program_));
  return write_file(path_, *bytes);
}

}  // namespace stowage
