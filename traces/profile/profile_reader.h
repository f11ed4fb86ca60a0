// What the files of the profile's reader share; private to traces/.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>

#include "traces/io/json_dom.h"
#include "traces/profile/profile_json.h"

namespace warpsim {

// Reads one bound of a profile.
class ProfileReader {
 public:
  explicit ProfileReader(std::size_t bound) : bound_(bound) {}

  TimingProfile profile(const Node& root);
  bool has_range() const { return has_range_; }  // was there a [low, high]?

 private:
  void scheduler(const Node& node);
  void sm(const Node& node);
  void pipes(const Node& node);
  static void class_names(const Node& node, std::vector<TimingClass>& out);
  void one_class(const Node& node, TimingClass& out);
  void class_pipes(const Node& node, TimingClass& out);
  void class_ways(const Node& node, TimingClass& out);
  void latency(const Node& node, TimingClass& out);
  void barrier(const Node& node);
  void global(const Node& node);
  void cache(const Node& node, CacheTiming& out);
  void address(const Node& node);
  void machine_code(const Node& node);
  void code_class(const Node& node, TimingClass& out);
  void code_rules(const Node& node, CodeTimingProfile& out) const;
  void branch(const Node& node, BranchTiming& out);

  double time(const Node& node, bool is_whole);  // a number of cycles of this bound
  unsigned cycles(const Node& node) { return static_cast<unsigned>(time(node, true)); }
  void may_say(const Node& node, std::string_view name, double& target);
  std::uint8_t pipe(const Node& node, bool of_sm) const;
  std::uint8_t class_called(const Node& node) const;

  std::size_t bound_;
  bool has_range_ = false;
  TimingProfile out_;
};

// Of the classes that the profile has; reports what is wrong in them, and what fits none of them.
void read_rules(const Node& node, TimingProfile& profile);

// What a profile, a pipe or a class can be called: a word that fits an option and a table.
void want_name(const Node& node, std::string_view name);
// No member but these.
void want_members(const Node& node, std::initializer_list<std::string_view> known);
// The place of `word` in `words`; reports at the node if there is none. "pipe", {"alu", …}.
std::size_t place_of(const Node& node, std::string_view kind, const std::string& word,
                     const std::vector<std::string>& words);

}  // namespace warpsim
