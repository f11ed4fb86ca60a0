// See code_source.h.
#include "tools/sass/code_source.h"

#include <algorithm>
#include <cstdlib>
#include <span>

#include "host/exec/temporary_folder.h"
#include "host/fatbin/fat_binary.h"
#include "tools/sass/code_capture.h"
#include "tools/sass/written_ptx.h"
#include "tools/session/cuda_source.h"
#include "tools/session/foreign_file.h"
#include "tools/session/ptx_lessons.h"
#include "tools/support/child_process.h"
#include "tools/support/files.h"
#include "tools/support/output.h"
#include "tools/support/words.h"

namespace warpsim::tools {
namespace {

const std::string kTarget = "sm_" + std::to_string(kCodeTarget);
constexpr std::string_view kMakeCubin =
    "`nvcc -arch=sm_90 -cubin -lineinfo` makes a cubin of CUDA C++, `ptxas "
    "-arch=sm_90 -lineinfo` of PTX";

std::optional<sass::Cubin> cubin_in(Session& session, const std::string& name, std::string_view bytes) {
  auto read = sass::read_cubin(std::as_bytes(std::span(bytes)));
  if (const auto* const error = std::get_if<sass::CubinError>(&read)) {
    session.reply.fail(ExitCode::BadInput, "cubin", input_name(name) + " cannot be read: " + error->message,
                       std::string(kMakeCubin));
    return std::nullopt;
  }
  return std::move(std::get<sass::Cubin>(read));
}

void refuse_targets(Session& session, const std::string& name, std::vector<std::string> targets) {
  std::sort(targets.begin(), targets.end());
  targets.erase(std::unique(targets.begin(), targets.end()), targets.end());
  session.reply.fail(
      ExitCode::Unsupported, "unsupported",
      input_name(name) + " has machine code for " + join(targets) + ", and warpsim reads that for " + kTarget,
      "compile it with -gencode arch=compute_90,code=sm_90");
}

std::vector<sass::Cubin> one_or_none(std::optional<sass::Cubin> cubin) {
  std::vector<sass::Cubin> cubins;
  if (cubin) cubins.push_back(std::move(*cubin));
  return cubins;
}

// Of the fat binaries in a file: the code for sm_90, or what ptxas makes of the PTX.
std::vector<sass::Cubin> from_fat_binaries(Session& session, const std::string& name,
                                           const std::vector<std::span<const std::byte>>& found) {
  std::vector<sass::Cubin> cubins;
  std::vector<std::string> targets;
  std::vector<SharedText> texts;
  for (const std::span<const std::byte> bytes : found) {
    auto read = host::read_fat_binary(bytes, host::kMostMemberBytes, host::FatCode::Read);
    if (const auto* const error = std::get_if<host::FatBinaryError>(&read)) {
      session.reply.fail(ExitCode::BadInput, "fatbin", input_name(name) + ": " + error->message);
      return {};
    }
    const auto& members = std::get<std::vector<host::FatMember>>(read);
    for (const host::FatMember& member : members) {
      if (member.is_ptx) continue;
      if (member.arch != kCodeTarget) {
        targets.push_back("sm_" + std::to_string(member.arch));
        continue;
      }
      std::optional<sass::Cubin> cubin = cubin_in(session, name, member.code);
      if (!cubin) return {};
      cubins.push_back(std::move(*cubin));
    }
    if (const host::FatMember* const best = host::best_ptx(members, kCodeTarget)) texts.push_back(best->text);
  }
  if (!cubins.empty()) return cubins;
  if (texts.empty()) return refuse_targets(session, name, targets), cubins;
  for (const SharedText& text : texts) {
    std::optional<sass::Cubin> cubin = assembled_ptx(session, name, text);
    if (!cubin) return {};
    cubins.push_back(std::move(*cubin));
  }
  return cubins;
}

std::vector<sass::Cubin> from_binary(Session& session, const std::string& name, const std::string& bytes) {
  const sass::Bytes file = std::as_bytes(std::span(bytes));
  const auto found = sass::is_cubin(file) ? std::vector<std::span<const std::byte>>() : host::fat_binaries_in(file);
  if (!found.empty()) return from_fat_binaries(session, name, found);
  if (sass::is_elf(file) && !sass::is_cubin(file) && bytes.find(".nv_fatbin") == std::string::npos) {
    session.reply.fail(ExitCode::BadInput, "file", input_name(name) + " has no machine code for a GPU",
                       std::string(kMakeCubin));
    return {};
  }
  std::optional<sass::Cubin> cubin = cubin_in(session, name, bytes);
  if (cubin && cubin->target != kCodeTarget)
    return refuse_targets(session, name, {"sm_" + std::to_string(cubin->target)}), std::vector<sass::Cubin>();
  return one_or_none(std::move(cubin));
}

bool is_binary(const std::string& bytes) {
  return sass::is_elf(std::as_bytes(std::span(bytes))) || host::fat_binary_bytes(std::as_bytes(std::span(bytes))) ||
         bytes.find('\0') != std::string::npos;
}

}  // namespace

std::optional<sass::Cubin> assembled_ptx(Session& session, const std::string& name, std::string_view ptx) {
  const host::TemporaryFolder folder;
  const std::string from = (folder.path() / "kernels.ptx").string(), to = (folder.path() / "kernels.cubin").string();
  Output text = Output::open(from);
  text.write(ptx);
  if (const std::string error = text.finish(); !error.empty()) {
    session.reply.fail(ExitCode::BadInput, "file", error);
    return std::nullopt;
  }
  for (const std::string& ptxas : places_of_toolkit_program("ptxas")) {
    const ChildResult result = run_child({ptxas, "-arch=" + kTarget, "-lineinfo", "-o", to, from}, "");
    if (!result.is_there) continue;
    std::string bytes, error;
    if (result.is_fine() && read_file(to, bytes, error)) return cubin_in(session, name, bytes);
    const std::string& said = result.err.empty() ? result.out : result.err;
    session.reply.fail(
        ExitCode::BadInput, "ptxas",
        ptxas + " does not assemble " + input_name(name) + ":\n" + said.substr(0, said.find_last_not_of('\n') + 1));
    return std::nullopt;
  }
  session.reply.fail(ExitCode::Unsupported, "ptxas",
                     "there is no ptxas here to make machine code of " + input_name(name),
                     "install the CUDA toolkit; or give a cubin: " + std::string(kMakeCubin));
  return std::nullopt;
}

std::vector<sass::Cubin> machine_code_of(Session& session, const std::string& name) {
  std::string bytes, error;
  if (is_file(name)) {
    if (!read_file(name, bytes, error))
      return session.reply.fail(ExitCode::BadInput, "file", error), std::vector<sass::Cubin>();
    if (is_binary(bytes)) return from_binary(session, name, bytes);
    const std::optional<PtxText> ptx = ptx_of_file(session, name);
    if (ptx) return one_or_none(assembled_ptx(session, name, ptx->text));
    if (session.reply.code() != ExitCode::Ok) return {};
  }
  const std::optional<WrittenPtx> written = written_ptx(session, name);
  if (!written) return {};
  if (const CapturedCode* const captured = captured_code_of(written->text))
    return one_or_none(cubin_of(*captured, written->text));
  return one_or_none(assembled_ptx(session, name, written->text));
}

}  // namespace warpsim::tools
