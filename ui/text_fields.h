#pragma once

namespace stowage {

/// Before the widgets of a frame: the undo list of a text field that was left is gone. The library keeps it for the
/// next time that the field is entered, but by then the field may show another text, and taking back what was done to
/// the old one ends the program.
void forget_left_field();

}  // namespace stowage
