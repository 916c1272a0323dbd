#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "core/io/format.h"
#include "ui/workbench.h"

namespace stowage {

/// How the open file is read: the rule of its times, what its offsets are, answers to the questions of its format.
struct Reading {
  ReadOptions options;                         // with which the open file was read
  ReadOptions asked;                           // of the file that is being read
  std::shared_ptr<std::atomic<double>> share;  // of that which is done, in [0, 1]; set by the thread that reads
  std::uint64_t present = 0;                   // of the history, when reading began
};

/// Reads a file in a certain way; `again`: it is the open one, whose selection, view and filter stay.
void start_loading(Workbench::State& state, const std::string& path, bool again, const ReadOptions& options);
/// The file that is being read is not opened after all; everything stays as it is.
void cancel_loading(Workbench::State& state);
/// "Opening... 43 %", or with a name "Opening model.csv... 43 %"; without the share while it is not known.
std::string loading_words(const Workbench::State& state, std::string_view name = {});
/// Reads the open file again in another way; asks first when there are changes. A file that cannot be read so leaves
/// everything as it is.
void read_otherwise(Workbench::State& state, ReadOptions options);
/// After a file has failed: where only some of its rows are bad, the notice gets a button that leaves them out.
void offer_lenient(Workbench::State& state, const Error& error);

}  // namespace stowage
