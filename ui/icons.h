#pragma once

namespace stowage::icon {

// Font Awesome 4.7, as UTF-8. Only these are loaded into the atlas: see kCodes.
inline constexpr const char* kOpen = "\xef\x81\xbc";       // f07c folder-open
inline constexpr const char* kFolder = "\xef\x81\xbb";     // f07b folder
inline constexpr const char* kFile = "\xef\x83\xb6";       // f0f6 file-text-o
inline constexpr const char* kExport = "\xef\x82\x93";     // f093 upload
inline constexpr const char* kPlay = "\xef\x81\x8b";       // f04b play
inline constexpr const char* kStop = "\xef\x81\x8d";       // f04d stop
inline constexpr const char* kSearch = "\xef\x80\x82";     // f002 search
inline constexpr const char* kSun = "\xef\x86\x85";        // f185 sun-o
inline constexpr const char* kMoon = "\xef\x86\x86";       // f186 moon-o
inline constexpr const char* kHelp = "\xef\x84\xa8";       // f128 question
inline constexpr const char* kSettings = "\xef\x80\x93";   // f013 cog
inline constexpr const char* kClose = "\xef\x80\x8d";      // f00d times
inline constexpr const char* kCheck = "\xef\x80\x8c";      // f00c check
inline constexpr const char* kWarning = "\xef\x81\xb1";    // f071 exclamation-triangle
inline constexpr const char* kUp = "\xef\x81\xa2";         // f062 arrow-up
inline constexpr const char* kSortUp = "\xef\x83\x98";     // f0d8 caret-up
inline constexpr const char* kSortDown = "\xef\x83\x97";   // f0d7 caret-down
inline constexpr const char* kPin = "\xef\x82\x8d";        // f08d thumb-tack
inline constexpr const char* kSave = "\xef\x83\x87";       // f0c7 floppy-o
inline constexpr const char* kHistory = "\xef\x87\x9a";    // f1da history
inline constexpr const char* kMap = "\xef\x80\x89";        // f009 th-large
inline constexpr const char* kBars = "\xef\x82\x80";       // f080 bar-chart
inline constexpr const char* kFrame = "\xef\x82\xb2";      // f0b2 arrows-alt
inline constexpr const char* kBox = "\xef\x86\xb2";        // f1b2 cube
inline constexpr const char* kTrophy = "\xef\x82\x91";     // f091 trophy
inline constexpr const char* kLevelUp = "\xef\x85\x88";    // f148 level-up
inline constexpr const char* kUndo = "\xef\x83\xa2";       // f0e2 undo
inline constexpr const char* kRedo = "\xef\x80\x9e";       // f01e repeat
inline constexpr const char* kPencil = "\xef\x81\x80";     // f040 pencil
inline constexpr const char* kColumns = "\xef\x83\x9b";    // f0db columns
inline constexpr const char* kPause = "\xef\x81\x8c";      // f04c pause
inline constexpr const char* kStepBack = "\xef\x81\x88";   // f048 step-backward
inline constexpr const char* kStepOn = "\xef\x81\x91";     // f051 step-forward
inline constexpr const char* kPhaseBack = "\xef\x81\x89";  // f049 fast-backward
inline constexpr const char* kPhaseOn = "\xef\x81\x90";    // f050 fast-forward
inline constexpr const char* kLoop = "\xef\x80\xa1";       // f021 refresh
inline constexpr const char* kEye = "\xef\x81\xae";        // f06e eye
inline constexpr const char* kPlus = "\xef\x81\xa7";       // f067 plus
inline constexpr const char* kTrash = "\xef\x87\xb8";      // f1f8 trash
inline constexpr const char* kCopy = "\xef\x83\x85";       // f0c5 files-o
inline constexpr const char* kSwap = "\xef\x83\xac";       // f0ec exchange
inline constexpr const char* kSliders = "\xef\x87\x9e";    // f1de sliders
inline constexpr const char* kList = "\xef\x83\x89";       // f0c9 bars

/// Code points of the icons above, for the atlas.
inline constexpr unsigned short kCodes[] = {0xf07c, 0xf07b, 0xf0f6, 0xf093, 0xf04b, 0xf04d, 0xf002, 0xf185, 0xf186,
                                            0xf128, 0xf013, 0xf00d, 0xf00c, 0xf071, 0xf062, 0xf0d8, 0xf0d7, 0xf08d,
                                            0xf0c7, 0xf1da, 0xf009, 0xf080, 0xf0b2, 0xf1b2, 0xf091, 0xf148, 0xf0e2,
                                            0xf01e, 0xf040, 0xf0db, 0xf04c, 0xf048, 0xf051, 0xf049, 0xf050, 0xf021,
                                            0xf06e, 0xf067, 0xf1f8, 0xf0c5, 0xf0ec, 0xf1de, 0xf0c9};

}  // namespace stowage::icon
