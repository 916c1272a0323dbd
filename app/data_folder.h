#pragma once

#include <string>

namespace stowage {

/// The folder that holds `samples/` and `assets/`: ../share/stowage beside an installed program, else the source folder
/// of the build. Empty when neither is there (a program that was moved by hand).
std::string data_folder();

/// One file or folder inside data_folder(), e.g. "samples/five.csv"; empty when it does not exist.
std::string find_data(const std::string& relative);

}  // namespace stowage
