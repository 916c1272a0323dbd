#pragma once

#include <string>

#include "ui/widgets.h"

namespace stowage {

/// A value that can be typed: as it is, what is being typed, and what was wrong with that.
struct TypedField {
  std::string shown;  // as the problem has it; empty when the selected buffers differ
  std::string text;
  std::string error;
  bool mixed = false;
  bool active = false;

  /// What is in it gives way to what is shown.
  void reset();
};

struct FieldWords {
  const char* key;    // for tests: "edit.size"
  const char* label;  // for people, also in labels of the history
  const char* hint;   // what an empty field means
  const char* help;
};

/// A line with a label and a field; what was wrong stands below it. True when the text is to become the value.
/// `focus`: it takes the keys from now on.
bool typed_field(Ui& ui, const FieldWords& words, TypedField& field, bool focus = false);

}  // namespace stowage
