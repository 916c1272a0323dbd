#pragma once

#include <cstddef>
#include <fstream>
#include <optional>
#include <string>
#include <string_view>

#include "core/base/result.h"
#include "core/render/gif_writer.h"

namespace stowage {

/// What an animation becomes, by the ending of its path.
enum class MovieKind { kFolder, kGif, kApng, kWebm };

/// A usage error for endings of other pictures and films.
Result<MovieKind> movie_kind(std::string_view path);

/// Frames on their way to a folder, an animated PNG, a GIF or a WebM film. They lie in a folder beside the result until
/// finish(), which is all or nothing; whatever is left of them goes with this object. A GIF grows there frame by frame.
class MovieWriter {
 public:
  /// Errors: the place cannot be written, or nothing installed writes this kind.
  static Result<MovieWriter> open(const std::string& path, int fps);
  MovieWriter(MovieWriter&& other) noexcept;
  MovieWriter& operator=(MovieWriter&&) = delete;
  ~MovieWriter();

  Result<void> add(std::string_view png);
  Result<void> finish();
  std::size_t frames() const { return frames_; }
  /// Frames of an earlier, longer animation that stay in the folder.
  std::size_t stale() const { return stale_; }

 private:
  MovieWriter() = default;
  std::string frame_path(std::size_t frame) const;
  std::string film_path() const;
  Result<void> grow(const std::string& bytes);
  Result<void> move_frames();
  Result<void> join_frames();
  Result<void> end_gif();
  Result<void> film();

  std::string path_;
  MovieKind kind_ = MovieKind::kFolder;
  int fps_ = 12;
  std::string program_;           // that makes the film; empty where none is needed
  std::string folder_;            // of the frames, temporary
  std::optional<GifWriter> gif_;  // of a GIF alone, as is what it has written so far
  std::ofstream film_;
  std::size_t frames_ = 0;
  std::size_t stale_ = 0;
};

}  // namespace stowage
