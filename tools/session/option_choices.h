// What options can be that are one of a few words: for the command line and for a page's requests.
//
// Shapes: words with | between them, as help prints them.
#pragma once

namespace warpsim::tools {

inline constexpr const char* kReconvergences = "stack|independent";
inline constexpr const char* kSchedulers = "gto|lrr|oldest";
inline constexpr const char* kTimings = "program|machine-code";
inline constexpr const char* kTraceFormats = "json|ndjson|text";
inline constexpr const char* kLanguages = "en|ko";
inline constexpr const char* kChecks = "on|warn|off";
inline constexpr const char* kFailingSeverities = "warning|error";
inline constexpr const char* kThemes = "light|dark";

}  // namespace warpsim::tools
