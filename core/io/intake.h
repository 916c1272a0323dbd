#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/result.h"
#include "core/document/document.h"
#include "core/io/format.h"
#include "core/model/problem.h"

namespace stowage {

/// What a reader found wrong, in the order of the file. A strict reading fails with the first 20; a lenient one lists
/// them as warnings, the first 10,000, and counts the rest.
class Complaints {
 public:
  static constexpr std::size_t kListed = 20;
  static constexpr std::size_t kListedLeftOut = 10'000;

  explicit Complaints(bool lenient) : lenient_(lenient) {}
  /// `at` orders the complaints: a line or a byte of the file. `message` begins with the place.
  void add(std::uint64_t at, std::string message);
  bool empty() const { return count_ == 0; }
  std::uint64_t count() const { return count_; }
  bool lenient() const { return lenient_; }
  /// All of them as one error.
  Error error() const;
  /// Moves them into the warnings.
  void become_warnings(std::vector<std::string>& warnings) const;

 private:
  std::vector<std::pair<std::uint64_t, std::string>> sorted() const;

  std::vector<std::pair<std::uint64_t, std::string>> listed_;
  std::uint64_t count_ = 0;
  bool lenient_;
};

/// Warnings of one kind, named in the plural: the first 20 are listed, the others counted at the end.
class Notes {
 public:
  Notes(std::vector<std::string>& warnings, std::string_view what) : warnings_(warnings), what_(what) {}
  ~Notes();
  Notes(const Notes&) = delete;
  Notes& operator=(const Notes&) = delete;
  /// Calls message() only when the note is listed.
  template <typename Message>
  void add(Message&& message) {
    if (count_++ < Complaints::kListed) warnings_.push_back(message());
  }

 private:
  std::vector<std::string>& warnings_;
  std::string_view what_;
  std::uint64_t count_ = 0;
};

/// Rows on their way through the gate.
struct Intake {
  ProblemInput input;
  /// Offsets of the plans read beside it, each in buffer order; rows that are left out are left out there as well.
  std::vector<Plan> plans;
  /// Where a buffer stands in the file; both kept small because a file may have a million rows.
  std::function<std::uint64_t(BufferIndex)> at;
  /// The beginning of a message about a field of a buffer (or of the whole for kNoBuffer): "model.csv:14: ".
  std::function<std::string(BufferIndex, std::string_view field)> place;
};

/// make_problem for readers: adds its faults and offsets of plans that end above 2^63-1 to the complaints. Then fails
/// with them, or leaves the bad rows out and makes them warnings; adds warnings about duplicate ids, rows without
/// bytes or steps, and ids that are no UTF-8.
Result<Document> admit(Intake intake, Complaints& complaints, std::vector<std::string> warnings);

/// The plan that a writer of one plan takes; null when there is none to write. An error names an unknown id.
Result<const Plan*> plan_to_write(const Document& document, const WriteOptions& options);

/// A piece of a file for a message: printable, on one line, cut when long.
std::string shown(std::string_view text);
/// A word that can be given to a shell as it stands: in quotes where it has letters that mean something to one.
std::string shell_word(std::string_view text);

/// "1048576 in the file's name" for "K.1048576.csv"; empty when there is none.
std::string capacity_hint(std::string_view path);

}  // namespace stowage
