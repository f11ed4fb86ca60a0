// help and completions: what the command line says of itself.
#include <string>
#include <vector>

#include "isa/text/diagnostic.h"
#include "tools/command/verbs.h"
#include "tools/manual/completions.h"
#include "tools/manual/man_page.h"
#include "tools/support/json_object.h"

namespace warpsim::tools {

void run_help(Session& session) {
  if (session.options.man) {
    const std::string page = manual_page(session.command_line->manual_text(), session.command_line->describe());
    session.reply.text(page);
    session.reply.result(JsonObject().text("text", page).str());
    return;
  }
  const std::string verb = session.options.names.empty() ? "" : session.options.names.front();
  const std::string text = session.command_line->help(verb);
  if (!text.empty()) {
    session.reply.text(text);
    session.reply.result(JsonObject().text("text", text).str());
    return;
  }
  std::vector<std::string> verbs;
  for (const VerbInfo& one : session.command_line->describe()) verbs.push_back(one.name);
  const std::string near = nearest(verb, verbs);
  session.reply.fail(ExitCode::Usage, "usage", "there is no verb `" + verb + "`",
                     near.empty() ? "`warpsim help` lists the verbs" : "did you mean `" + near + "`?");
}

void run_completions(Session& session) {
  const std::vector<VerbInfo> verbs = session.command_line->describe();
  const std::string& shell = session.options.names.front();
  const std::string text = shell == "bash"  ? bash_completions(verbs)
                           : shell == "zsh" ? zsh_completions(verbs)
                                            : fish_completions(verbs);
  session.reply.text(text);
  session.reply.result(JsonObject().text("shell", shell).text("text", text).str());
}

}  // namespace warpsim::tools
