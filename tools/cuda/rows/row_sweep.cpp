// warpsim_row_sweep: every opcode of the instruction table with many operands, on the GPU of this machine and on the
// simulated one, compared bit for bit. See kHelp.
//
// Shapes: differences and, at the end, a table of the classes on standard output, progress on standard error.
// Units:  tuples: a lane's operands.
// Errors: exit codes 0 all equal; 1 something differs, or one side alone refuses an opcode; 2 the command line; 3 FILE
//         cannot be written; 4 the sweep was stopped, by a launch that failed or did not end; 5 no GPU.
// Source: row_compare.h, row_operands.h.
#include <algorithm>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <regex>
#include <string>
#include <thread>
#include <vector>

#include "tools/cuda/rows/row_compare.h"
#include "tools/cuda/rows/row_gpu.h"
#include "tools/cuda/rows/row_jobs.h"
#include "tools/cuda/rows/row_reference.h"
#include "tools/cuda/rows/row_report.h"
#include "tools/support/exit_code.h"

namespace warpsim::rows {
namespace {

using tools::ExitCode;

constexpr const char* kHelp =
    "warpsim_row_sweep [options]: every opcode on this machine's GPU and on the simulated machine, bit for bit.\n"
    "  --count N      tuples for each opcode, default 1048576, rounded up to a multiple of 128\n"
    "  --only REGEX   opcodes in which it is found: '^div\\.', 'f64$'; all but some: '^(?!st|atom)'\n"
    "  --exhaustive   instead of N: all 2^32 operands of one of 32 bits, of the high word of a seed of f64, of two of "
    "16;\n"
    "                 of opcodes that compute alone, but the f32 functions that are proved by their hashes\n"
    "  --fractions    of operations on two f32: N tuples that go through all fractions of b, 8388608 a turn\n"
    "  --seed S       of the operands, default 1\n"
    "  --threads T    host threads, default one a core\n"
    "  --json FILE    one object a line, as opcodes end; - is standard output, without the table then\n"
    "  --list         the opcodes and how many tuples each would have; runs nothing\n"
    "  --self-test    the second interpreter instead of a GPU, default 256 tuples: tries all but the GPU's part\n";

struct Options {
  std::uint64_t count = 0, seed = 1, threads = std::max(1U, std::thread::hardware_concurrency());
  std::string only, json;
  Pattern pattern = Pattern::Mixed;
  bool list = false, self_test = false;
};

int say(ExitCode code, const std::string& what) {
  std::fprintf(stderr, "warpsim_row_sweep: %s\n", what.c_str());
  return static_cast<int>(code);
}

bool read_number(const std::string& text, std::uint64_t& number) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size();
}

// Empty, or what is wrong with the command line.
std::string parse(const std::vector<std::string>& words, Options& o) {
  for (std::size_t k = 0; k < words.size(); ++k) {
    const std::string& word = words[k];
    if (word == "--exhaustive") o.pattern = Pattern::Every;
    else if (word == "--fractions") o.pattern = Pattern::Fractions;
    else if (word == "--list") o.list = true;
    else if (word == "--self-test") o.self_test = true;
    else if (word != "--count" && word != "--only" && word != "--seed" && word != "--threads" && word != "--json")
      return "there is no option `" + word + "`; --help lists them";
    else if (++k == words.size()) return word + " needs a value";
    else if (word == "--only") o.only = words[k];
    else if (word == "--json") o.json = words[k];
    else if (!read_number(words[k], word == "--count" ? o.count : word == "--seed" ? o.seed : o.threads))
      return word + " needs a whole number, not `" + words[k] + "`";
  }
  if (o.threads == 0 || o.threads > 1024) return "--threads is from 1 to 1024";
  if (o.count > std::uint64_t{1} << 40) return "--count is at most 2^40";
  if (o.count == 0) o.count = o.self_test ? 256 : std::uint64_t{1} << 20;
  return "";
}

std::vector<Job> jobs_of(const Options& o, const std::regex& only) {
  std::vector<Job> jobs = all_jobs(o.pattern, o.count, o.seed);
  std::erase_if(jobs, [&only](const Job& job) { return !std::regex_search(line_name(job.instruction), only); });
  return jobs;
}

// Standard output, a file or nowhere.
class JsonLines {
 public:
  bool open(const std::string& path) {
    if (path == "-") out_ = stdout;
    else if (!path.empty()) out_ = std::fopen(path.c_str(), "w");
    return path.empty() || out_ != nullptr;
  }
  void line(const std::string& text) {
    if (out_ == nullptr) return;
    std::fprintf(out_, "%s\n", text.c_str());
    std::fflush(out_);  // a sweep that is stopped leaves what it has found
  }

 private:
  std::FILE* out_ = nullptr;
};

int run(const Options& o, const std::vector<Job>& jobs) {
  std::string why;
  const unsigned threads = static_cast<unsigned>(o.threads);
  const std::unique_ptr<Witness> witness = o.self_test ? reference_witness() : open_gpu(threads, why);
  if (witness == nullptr)
    return say(ExitCode::Unsupported, why + "; --self-test tries everything but the GPU's part without one");
  JsonLines json;
  if (!json.open(o.json)) return say(ExitCode::BadInput, "cannot write " + o.json);
  const bool speaks = o.json != "-";
  Totals totals;
  std::size_t ended = 0;
  const auto done = [&](const Job& job, const JobResult& result) {
    totals.add(job, result);
    json.line(json_line(job, result));
    const std::string text = text_line(job, result);
    if (speaks && !text.empty()) std::printf("%s\n", text.c_str()), std::fflush(stdout);
    if (++ended % 100 == 0) std::fprintf(stderr, "%zu of %zu\n", ended, jobs.size());
  };
  std::fprintf(stderr, "%s, %u threads, %zu jobs\n", witness->description().c_str(), threads, jobs.size());
  const std::string stopped = sweep(jobs, *witness, threads, done);
  json.line(totals.json(witness->description(), o.seed, stopped));
  if (speaks)
    std::printf("%s: tuples compared, seed %llu\n%s", witness->description().c_str(),
                static_cast<unsigned long long>(o.seed), totals.table().c_str());
  std::fflush(nullptr);
  if (!stopped.empty()) std::_Exit(say(ExitCode::Trap, "stopped: " + stopped));  // the GPU may hold on to its memory
  return static_cast<int>(totals.has_findings() ? ExitCode::Mismatch : ExitCode::Ok);
}

int main_of(const std::vector<std::string>& words) {
  if (std::find(words.begin(), words.end(), "--help") != words.end()) return std::fputs(kHelp, stdout), 0;
  Options o;
  if (const std::string wrong = parse(words, o); !wrong.empty()) return say(ExitCode::Usage, wrong);
  std::regex only;
  try {
    only = std::regex(o.only);
  } catch (const std::regex_error&) {
    return say(ExitCode::Usage, "--only: `" + o.only + "` is no regular expression");
  }
  const std::vector<Job> jobs = jobs_of(o, only);
  if (jobs.empty()) return say(ExitCode::Usage, "no opcode is asked for; --list without --only lists them");
  if (!o.list) return run(o, jobs);
  for (const Job& job : jobs)
    std::printf("%s %llu\n", job_name(job).c_str(), static_cast<unsigned long long>(job.count));
  return 0;
}

}  // namespace
}  // namespace warpsim::rows

int main(int argc, char** argv) { return warpsim::rows::main_of(std::vector<std::string>(argv + 1, argv + argc)); }
