// What a run was, in words; see launch_text.h.
#include "traces/sentence/launch_text.h"

#include "traces/replay/collectives.h"
#include "traces/words/phrases.h"

namespace warpsim {

namespace {

std::string shape_words(const Dim3& d) {
  std::string text = std::to_string(d.x);
  if (d.y > 1 || d.z > 1) text += "x" + std::to_string(d.y);
  if (d.z > 1) text += "x" + std::to_string(d.z);
  return text;
}

}  // namespace

std::string launch_text(const TraceHead& head, Language language) {
  std::string text;
  const auto add = [&](bool one, Phrase singular, Phrase plural, const std::string& value) {
    text += say(language, one ? singular : plural, {value});
  };
  if (!head.case_name.empty()) add(true, Phrase::Case, Phrase::Case, head.case_name);
  add(head.lanes == 1, Phrase::OneLane, Phrase::Lanes, std::to_string(head.lanes));
  add(head.grid.count() == 1, Phrase::OneBlock, Phrase::Blocks, shape_words(head.grid));
  add(head.block.count() == 1, Phrase::OneThread, Phrase::Threads, shape_words(head.block));
  const CollectiveForm form = collective_form(head);
  if (form == CollectiveForm::OneStep) text += say(language, Phrase::CollectivesOneStep);
  if (form == CollectiveForm::Shuffles) text += say(language, Phrase::CollectivesShuffles);
  return text;
}

std::string profile_name(const TraceHead& head) { return head.profile.substr(0, head.profile.find(" --")); }

std::string timing_text(const TraceHead& head, Language language) {
  if (head.scheduler.empty()) return "";
  return say(language, Phrase::TimedBy, {profile_name(head), head.scheduler}) +
         (head.is_machine_code ? say(language, Phrase::OfMachineCode) : "");
}

}  // namespace warpsim
