#include "tools/cycles/job_file.h"

#include "tools/support/compression.h"

namespace warpsim::tools {

std::string job_file(const std::vector<MachineJob>& jobs) {
  Compressor compressor(Compression::Zstd);
  std::string bytes;
  compressor.add(pack_jobs(jobs), bytes);
  compressor.finish(bytes);
  return bytes;
}

std::variant<std::vector<MachineJob>, std::string> read_job_file(const std::string& bytes) {
  std::string unpacked;
  Decompressor decompressor([&unpacked](std::string_view piece) { return unpacked += piece, true; });
  if (!decompressor.add(bytes) || !decompressor.finish()) return decompressor.error();
  return unpack_jobs(unpacked);
}

}  // namespace warpsim::tools
