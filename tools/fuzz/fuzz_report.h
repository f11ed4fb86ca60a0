// What a fuzz found, as JSON and as text, and several shards' reports put together.
//
// Shapes: merged shards give the report that one run over all of them gives, byte for byte, unless one of them ended
//         before its last program.
// Units:  as in tools/fuzz/fuzzer.h.
// Errors: merge() says which shard is missing, there twice or of another fuzz; reading says where in the JSON.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tools/fuzz/fuzzer.h"
#include "tools/session/reply.h"

namespace warpsim::tools {

struct FuzzReport {
  std::string backend = "reference";
  std::uint64_t seed = 1, count = 1000;
  std::uint64_t shard = 0, shards = 1;
  fuzz::Report found;
};

std::string fuzz_json(const FuzzReport& report);
std::string fuzz_text(const FuzzReport& report);
// Tells the Reply of each difference, with a hint to the first.
void report_differences(Reply& reply, const FuzzReport& report, const std::string& hint = "");

// From the document that `fuzz --json` wrote.
std::optional<FuzzReport> read_fuzz_report(Reply& reply, const std::string& file);
// `files` are the reports' names, for messages.
std::optional<FuzzReport> merge(Reply& reply, const std::vector<FuzzReport>& reports,
                                const std::vector<std::string>& files);

}  // namespace warpsim::tools
