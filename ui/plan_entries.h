#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>

#include "ui/workbench.h"

namespace stowage {

/// Runs that a person has asked for: what they bring is an entry of the history. What plans by itself, after opening a
/// file or an edit, makes none.
struct PlanEntries {
  struct Asked {
    std::uint64_t request = 0;           // runs asked for together make one entry
    std::uint64_t problem_revision = 0;  // a run for another problem is not the one that was asked for
  };
  std::map<std::string, Asked> asked;  // by allocator
  std::uint64_t requests = 0;
  std::uint64_t entry = 0;     // that the last request has made; 0: none yet
  std::size_t in_entry = 0;    // plans in it
  std::uint64_t of_entry = 0;  // the request
};

/// The runs that are noted until the next call are asked for together.
void begin_request(Workbench::State& state);
/// The run of this allocator that was just started was asked for.
void note_asked(Workbench::State& state, const std::string& allocator);
/// A plan is about to come into the document: makes it an entry, when it was asked for and says something new.
void keep_before_plan(Workbench::State& state, const Plan& plan);

}  // namespace stowage
