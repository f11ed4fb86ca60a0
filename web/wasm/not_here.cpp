// What a page has not: a GPU, nvcc, other programs, threads, a terminal. In the place of the files that have them.
#include <atomic>
#include <string>

#include "host/device/source_texts.h"
#include "host/exec/environment.h"
#include "tools/book/mdbook_verb.h"
#include "tools/command/verbs.h"
#include "tools/exec/exec_verb.h"
#include "tools/picture/pixels.h"
#include "tools/sass/sass_verb.h"
#include "tools/session/cuda_source.h"
#include "tools/session/gpu_session.h"
#include "tools/support/interrupt.h"

namespace warpsim::host {

void SourceTexts::add_to(Program&, const std::string&) {}  // CUDA C++ is not beside what is pasted
unsigned threads_of_host() { return 1; }

}  // namespace warpsim::host

namespace warpsim::tools {

namespace {

void not_here(Session& session, const std::string& what, const std::string& hint) {
  session.reply.fail(ExitCode::Unsupported, "unsupported", "a page in a browser " + what, hint);
}
void needs_the_command(Session& session) {
  not_here(session, "has no `" + session.options.verb + "`",
           "the command has it: `warpsim help " + session.options.verb + "`");
}

}  // namespace

void run_view(Session& session) { needs_the_command(session); }
void run_site(Session& session) { needs_the_command(session); }
void run_step(Session& session) { needs_the_command(session); }
void run_tui(Session& session) { needs_the_command(session); }
void run_mdbook(Session& session) { needs_the_command(session); }
void run_exec(Session& session) { needs_the_command(session); }
void run_fuzz(Session& session) { needs_the_command(session); }
void run_crosscheck(Session& session) { needs_the_command(session); }
void run_calibrate(Session& session) { needs_the_command(session); }
void run_sass(Session& session) { needs_the_command(session); }
void run_help(Session& session) { needs_the_command(session); }
void run_completions(Session& session) { needs_the_command(session); }

std::optional<std::string> compiled_to_ptx(Session& session, const std::string& path) {
  not_here(session, "cannot compile CUDA C++: " + path,
           "`nvcc -arch=sm_90 -ptx -lineinfo " + path + "` on a machine that has it, and paste the PTX");
  return std::nullopt;
}

std::optional<Trace> gpu_trace_of(Session& session, const Ready&, bool) {
  not_here(session, "has no GPU", "leave out `backend`");
  return std::nullopt;
}
bool gpu_options_fit(Session&) { return true; }  // no request has them

namespace {
Pixels no_pixels() { return {"", "a page in a browser draws PNG itself", "export SVG", true}; }
}  // namespace
Pixels png_of(const std::string&, double) { return no_pixels(); }
Pixels apng_of(const std::vector<std::string>&, double, double) { return no_pixels(); }
Pixels gif_of(const std::vector<std::string>&, double, double) { return no_pixels(); }

const std::atomic<bool>* catch_interrupt() { return nullptr; }  // the worker is ended

}  // namespace warpsim::tools
