// sass: the machine code of kernels, or a capture of that of the catalogue.
#include "tools/sass/sass_verb.h"

#include <algorithm>
#include <string>
#include <vector>

#include "isa/ptx/ptx_summary.h"
#include "isa/text/diagnostic.h"
#include "isa/text/number_text.h"
#include "programs/embedded.h"
#include "tools/cuda/recording/capture.h"
#include "tools/sass/code_capture.h"
#include "tools/sass/code_source.h"
#include "tools/sass/listing.h"
#include "tools/sass/written_ptx.h"
#include "tools/support/json_object.h"
#include "tools/support/output.h"
#include "tools/support/words.h"

namespace warpsim::tools {
namespace {

std::optional<std::string> text_of_file(const std::string& path) {
  std::string text, ignored;
  if (path.empty() || path == "-" || !read_file(path, text, ignored)) return std::nullopt;
  return text;
}

bool is_called(const sass::CodeSection& section, const std::string& wanted) {
  return wanted.empty() || section.name == wanted || ptx::short_name(section.name) == wanted;
}

void print_code(Session& session, const std::string& name) {
  const std::string& wanted = session.options.kernel;
  std::string text;
  std::vector<std::string> rows, names;
  for (const sass::Cubin& cubin : machine_code_of(session, name)) {
    for (const std::string& note : cubin.notes) session.reply.note(input_name(name) + ": " + note);
    for (const sass::CodeSection& section : cubin.sections) {
      names.push_back(ptx::short_name(section.name));
      if (!is_called(section, wanted)) continue;
      text += (text.empty() ? "" : "\n") + listing_of(cubin, section, text_of_file);
      rows.push_back(json_of(cubin, section));
    }
  }
  if (session.reply.code() != ExitCode::Ok) return;
  if (rows.empty())
    return session.reply.fail(
        wanted.empty() ? ExitCode::BadInput : ExitCode::Usage, wanted.empty() ? "file" : "usage",
        input_name(name) + (wanted.empty() ? " has no code" : " has no kernel " + in_ticks(wanted)),
        names.empty() ? "" : hint_for(nearest(wanted, names), "it has " + join(names)));
  session.reply.text(text + "\n" + listing_legend());
  session.reply.result(JsonObject().raw("functions", json_list(rows)).str());
}

// Of every program of the catalogue that is no mistake, what ptxas makes of it here.
void record_code(Session& session) {
  CodeCapture capture;
  capture.command = "warpsim sass --record FILE";
  capture.target = kCodeTarget;
  for (const CatalogueEntry& entry : session.catalogue.entries()) {
    if (shows_mistakes(entry.group)) continue;
    const std::optional<WrittenPtx> written = written_ptx(session, entry.full_name());
    std::optional<sass::Cubin> cubin =
        written ? assembled_ptx(session, entry.full_name(), written->text) : std::nullopt;
    if (!cubin) return;
    if (cubin->sections.size() != 1)
      return session.reply.fail(ExitCode::Internal, "internal", entry.full_name() + " has several sections of code");
    capture.compiler = cubin->compiler;
    capture.programs[entry.full_name()] = {hash_of(written->text), std::move(cubin->sections.front())};
  }
  session.reply.write_to(session.options.record, to_json(capture));
  session.reply.text(counted(capture.programs.size(), "program") + ", by " + capture.compiler + "\n");
  session.reply.result(
      JsonObject().number("programs", capture.programs.size()).text("compiler", capture.compiler).str());
}

}  // namespace

void run_sass(Session& session) {
  session.reply.send_to(session.options.output);
  if (!session.options.record.empty()) return record_code(session);
  if (session.options.names.empty())
    return session.reply.fail(ExitCode::Usage, "usage", "sass needs a NAME: a program, or a file",
                              "`warpsim sass p26/butterfly_parallel_max`, `warpsim sass app.cubin`");
  if (!session.options.links.empty())
    return session.reply.fail(ExitCode::Usage, "usage", "sass links nothing: --link has no use here",
                              "`nvcc -arch=sm_90 -rdc=true -lineinfo` links the files; give what it makes");
  print_code(session, session.options.names.front());
}

}  // namespace warpsim::tools
