// The steps of making a case ready, for launch.cpp and launch_shape.cpp alone.
//
// Shapes: each step may use what came before it: lanes, grid and block; scalar parameters in the kernel's order; buffer
//         lengths; inputs in the kernel's order; expected outputs. A step that fails says false.
// Units:  lengths count elements.
// Errors: the first one is kept; the codes are in launch.cpp.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "sim/launch/launch.h"

namespace warpsim {

inline constexpr std::string_view kExpect = "expect ";

// Where a value comes from: a rule of the case, of the command line, or of the kernel's own default.
struct RuleSource {
  std::string_view text;
  const CaseField* field = nullptr;
};

// How many elements it has by itself; 0: as many as are wanted.
inline std::size_t natural_length(const RuleSource& rule) {
  const bool is_file = rule.field != nullptr && rule.field->contents;
  return is_file ? rule.field->contents->bits.size() : natural_length(rule.text);
}

class Preparation {
 public:
  Preparation(const Program& program, const Case& c, const CaseOverrides& overrides)
      : program_(program), case_(c), overrides_(overrides) {
    prepared_.name = c.name;
  }

  std::variant<PreparedCase, LaunchError> run();

 private:
  bool fail(std::string code, SourceRange where, std::string message, std::string hint = "");  // false
  // A rule that could not be evaluated; `what` says whose value it is.
  bool fail_rule(const RuleSource& rule, const std::string& what, const CaseError& error);

  // ---- names
  bool check_names();
  bool check_override(const std::string& name, bool buffer);
  bool fail_unknown(SourceRange where, const std::string& name, std::vector<std::string> known,
                    const std::string& kind);
  std::vector<std::string> names_of(bool buffers) const;

  // ---- the launch
  bool set_lanes();
  bool set_shape();
  bool set_dimensions(std::string_view key, const std::optional<Dim3>& given, Dim3& dim);
  bool accept(std::optional<LaunchError> fault, SourceRange where);  // false if there is a fault
  bool set_max_cycles();
  bool set_shared();

  // ---- the parameters
  bool set_scalars();
  // A scalar that is the length of inputs given by hand takes their length, if nothing contradicts; the grid too, where
  // it had a thread for each element.
  bool fit_to_inputs();
  bool fit_missing(const Param& p);  // one that nothing else gives a value; false if no input says it either
  std::uint64_t given_by_hand(const Param& buffer) const;
  std::optional<std::uint64_t> length_given(const std::string& scalar) const;
  void fit_grid(std::uint64_t before, std::uint64_t after);
  bool set_lengths();
  std::optional<std::uint64_t> length_of(const Param& p);
  bool set_buffers();
  bool set_buffer(const Param& p, std::size_t length);
  bool set_expected();
  bool set_findings();
  bool fill(const RuleSource& rule, const Param& p, std::size_t length, const std::string& what, Array& array);
  std::optional<RuleSource> rule_of(const Param& p) const;
  bool still_holds(const CaseField& expectation) const;
  bool fail_length(const Param& p, const std::string& what, std::uint64_t given, std::uint64_t wanted,
                   const CaseField* field);

  const Program& program_;
  const Case& case_;
  const CaseOverrides& overrides_;
  PreparedCase prepared_;
  CaseScope scope_;
  std::map<std::string, std::uint64_t, std::less<>> lengths_;  // of buffers
  std::map<std::string, std::uint64_t, std::less<>> fitted_;   // scalars that take the length of an input
  bool fits_grid_ = false;                                     // the grid follows them
  std::optional<LaunchError> error_;
};

// The counts in a case's `lanes` field.
std::variant<std::vector<unsigned>, CaseError> parse_lanes(const CaseField& field);

std::string quoted_name(std::string_view name);  // 'name'
std::string written_param(const Param& p);       // as in the kernel's line: 'input: f32[size]'

}  // namespace warpsim
