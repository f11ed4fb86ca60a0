#include "tools/terminal/tui_lanes.h"

#include <algorithm>
#include <bit>

#include "tools/support/words.h"
#include "tools/terminal/tui_arrows.h"
#include "tools/terminal/tui_words.h"
#include "traces/replay/phase_view.h"

namespace warpsim::tools {
namespace {

constexpr std::size_t kRegistersFirst = 4;  // so many stay when a shuffle is drawn
constexpr std::size_t kCutName = 10, kWidestName = 16, kWholeName = 28, kCutCell = 7, kWidestCell = 12,
                      kLanesTogether = 8;

std::size_t name_columns(const Stepper& stepper, std::size_t most) {
  std::size_t widest = 6;
  for (const TraceRegister& reg : stepper.history().head().registers) widest = std::max(widest, columns_of(reg.name));
  return std::min(widest, most);
}

// A value and the sign before it.
std::size_t cell_columns(const TuiState& state) {
  return std::clamp<std::size_t>(state.value_columns + 1, 3, kWidestCell);
}

class LaneTable {
 public:
  LaneTable(Screen& screen, const ScreenArea& area, const Stepper& stepper, const TuiState& state)
      : screen_(screen),
        area_(area),
        stepper_(stepper),
        state_(state),
        history_(stepper.history()),
        words_(tui_words(stepper.look().language)),
        cut_(stepper.look().ascii ? "~" : "…"),
        names_(name_columns(stepper, kCutName)),
        cell_(cell_columns(state)) {
    const unsigned all = history_.head().lanes;
    if (all_lanes_columns() > area.width)
      names_ = name_columns(stepper, std::clamp(area.width / 6, kCutName, kWidestName));
    const std::size_t room = area.width - names_;
    // Long values are cut rather than that only a few lanes are seen.
    cell_ = std::min(cell_, std::max(kCutCell, room / std::min<std::size_t>(all, kLanesTogether)));
    shown_ = std::clamp<unsigned>(static_cast<unsigned>(room / cell_), 1, all);
    // Of a power of two: lanes that exchange over a short distance, as a butterfly's, are on one page.
    if (shown_ < all) shown_ = std::bit_floor(shown_);
    // What the lanes leave is the names', then the lanes'.
    names_ = std::min(name_columns(stepper, kWholeName), area.width - shown_ * cell_);
    if (names_ + all * (cell_ + 1) <= area.width) ++cell_;
    // A page begins at a multiple of its length; the last is as long as the others.
    first_ = std::min(state.lane / shown_ * shown_, all - shown_);
    const std::optional<std::size_t> last = stepper.last_event();
    if (last) event_ = &history_.trace().events[*last];
  }

  void draw() {
    heading();
    const std::size_t rows = event_ != nullptr && event_->exchange && state_.sent_register >= 0 ? network() : 0;
    registers(area_.height - 2 - rows);
  }

 private:
  std::size_t all_lanes_columns() const { return names_ + history_.head().lanes * cell_; }
  std::string label_of(std::int32_t reg, std::size_t columns) const {
    return distinct_name(history_.head().registers, static_cast<std::size_t>(reg), columns, cut_);
  }
  bool ascii() const { return stepper_.look().ascii; }
  std::size_t column(unsigned lane) const { return area_.x + names_ + (lane - first_) * cell_; }
  bool is_shown(unsigned lane) const { return lane >= first_ && lane < first_ + shown_; }

  void name(std::size_t y, std::string_view text, Ink ink) {
    screen_.put(area_.x, area_.y + y, fitted(text, names_, cut_), ink);
  }
  // A sign before a value that ends where the lane's column does.
  void cell(std::size_t y, unsigned lane, std::string_view sign, std::string_view text, Ink ink) {
    const std::string body = columns_of(text) >= cell_ ? fitted(text, cell_ - 1, cut_) : std::string(text);
    const std::size_t blanks = cell_ - columns_of(sign) - columns_of(body);
    screen_.put(column(lane), area_.y + y, std::string(blanks, ' '), Ink::Plain);
    screen_.put(column(lane) + blanks, area_.y + y, std::string(sign) + body, ink);
  }

  // Lane numbers, and what each lane is doing.
  void heading() {
    const bool more_left = first_ > 0, more_right = first_ + shown_ < history_.head().lanes;
    std::string label(words_.lane);
    if (more_left) label = (ascii() ? "<" : "◀") + label;
    if (more_right) label += ascii() ? ">" : "▶";
    name(0, label, state_.pane == Pane::Lanes ? Ink::Title : Ink::Plain);
    name(1, words_.active, Ink::Plain);
    for (unsigned lane = first_; lane < first_ + shown_; ++lane) {
      cell(0, lane, "", std::to_string(lane), lane == state_.lane ? Ink::Title : Ink::Plain);
      cell(1, lane, "", lane_sign(lane), is_active(lane) ? Ink::Plain : Ink::Dim);
    }
  }

  bool is_active(unsigned lane) const { return event_ == nullptr || has_lane(event_->active, lane); }

  // "#" active, "o" switched off by the guard, "." elsewhere, "x" done, " " no such thread.
  std::string_view lane_sign(unsigned lane) const {
    if (!has_lane(stepper_.threads(), lane)) return " ";
    if (event_ == nullptr) return ".";
    if (has_lane(event_->active, lane)) return "#";
    const WarpPlace* place = history_.warp(stepper_.block(), stepper_.warp());
    if (place != nullptr && has_lane(place->exited, lane)) return "x";
    return has_lane(event_->group, lane) ? "o" : ".";
  }

  // "*" changed, "=" written with what it held, "." inactive.
  std::string_view cell_sign(std::int32_t reg, unsigned lane) const {
    const TraceEvent* last = history_.last();
    if (last != nullptr && last->block == stepper_.block() && last->warp == stepper_.warp())
      for (const HistoryChanges::Register& change : history_.changes().registers) {
        if (change.reg != reg || !has_lane(change.written, lane)) continue;
        return has_lane(change.changed, lane) ? "*" : "=";
      }
    return is_active(lane) ? "" : ascii() ? "." : "·";
  }

  TemplateValue value_of(std::int32_t reg, unsigned lane) const {
    return history_.value(stepper_.block(), stepper_.warp(), reg, lane);
  }
  std::string text_of(const TemplateValue& value) const {
    if (value.kind == TemplateValue::Kind::Bits && value.type == Type::Pred) return value.bits != 0 ? "T" : "F";
    return stepper_.value_text(value);
  }

  // A value too wide for a column that all lanes share stands once, a mask for one.
  bool shared_value(std::size_t y, std::int32_t reg) {
    const LaneMask lanes = stepper_.threads();
    if (lanes == 0) return false;
    const TemplateValue value = value_of(reg, first_lane(lanes));
    const std::string text = text_of(value);
    const auto written = [&](unsigned lane) {
      const std::string_view sign = cell_sign(reg, lane);
      return sign == "*" || sign == "=" ? sign : "";
    };
    const std::string_view sign = written(first_lane(lanes));
    bool same = columns_of(text) >= cell_;
    for_each_lane(lanes, [&](unsigned lane) {
      const TemplateValue other = value_of(reg, lane);
      same = same && other.kind == value.kind && other.bits == value.bits && written(lane) == sign;
    });
    const Ink ink = reg == state_.reg ? Ink::Chosen : sign == "*" ? Ink::Changed : Ink::Plain;
    const std::string line = std::string(sign) + text + "  (" + std::string(words_.all) + ")";
    if (same) screen_.put(column(first_) + 1, area_.y + y, fitted(line, area_.width - names_ - 1, cut_), ink);
    return same;
  }

  void registers(std::size_t rows) {
    const std::size_t all = history_.head().registers.size();
    const auto chosen = static_cast<std::size_t>(state_.reg);
    const std::size_t top = all <= rows || chosen < rows ? 0 : std::min(chosen + 1 - rows, all - rows);
    for (std::size_t k = 0; k < rows && top + k < all; ++k) {
      const auto reg = static_cast<std::int32_t>(top + k);
      const bool is_last = k + 1 == rows && top + k + 1 < all;
      const bool has_more = is_last || (k == 0 && top > 0);
      std::string label = label_of(reg, names_ - (has_more ? 1 : 0));
      if (has_more) label = fitted(label, names_ - 1, cut_) + (is_last ? (ascii() ? "v" : "↓") : (ascii() ? "^" : "↑"));
      name(2 + k, label, reg == state_.reg ? Ink::Title : Ink::Plain);
      if (shared_value(2 + k, reg)) continue;
      for (unsigned lane = first_; lane < first_ + shown_; ++lane) {
        if (!has_lane(stepper_.threads(), lane)) continue;
        const std::string_view sign = cell_sign(reg, lane);
        const Ink ink = reg == state_.reg && lane == state_.lane ? Ink::Chosen
                        : sign == "*"                            ? Ink::Changed
                        : is_active(lane)                        ? Ink::Plain
                                                                 : Ink::Dim;
        cell(2 + k, lane, sign, text_of(value_of(reg, lane)), ink);
      }
    }
  }

  // What was sent, the arrows, what arrived and from which lane; how many rows that took.
  std::size_t network() {
    const std::vector<TraceRegister>& registers = history_.head().registers;
    const ArrowPicture picture = fitting_arrows(std::min(registers.size(), kRegistersFirst));
    const std::size_t rows = picture.rows + 3, top = area_.height - rows;
    name(top, label_of(state_.sent_register, names_), Ink::Arrow);
    for (unsigned lane = first_; lane < first_ + shown_; ++lane)
      if (has_lane(stepper_.threads(), lane)) cell(top, lane, "", text_of(state_.sent[lane]), Ink::Plain);
    for (const ArrowCell& one : picture.cells)
      screen_.put(area_.x + names_ + static_cast<std::size_t>(one.x), area_.y + top + 1 + one.y, one.text,
                  one.hot ? Ink::HotArrow : Ink::Arrow);
    if (picture.left_out > 0) name(top + 1, "+" + std::to_string(picture.left_out), Ink::Arrow);
    received(top + 1 + picture.rows);
    return rows;
  }

  // Registers make room for arrows that would be left out, down to one.
  ArrowPicture fitting_arrows(std::size_t registers) const {
    const std::size_t others = registers + 2 + 3;
    ArrowPicture picture = arrows(std::max<std::size_t>(area_.height - std::min(area_.height, others), 2));
    return picture.left_out == 0 || registers <= 1 ? picture : fitting_arrows(registers - 1);
  }

  ArrowPicture arrows(std::size_t rows) const {
    ArrowField field;
    field.width = static_cast<std::int32_t>(shown_ * cell_);
    field.rows = rows;
    field.hot_lane = state_.lane;
    field.ascii = ascii();
    for (unsigned lane = 0; lane < history_.head().lanes; ++lane) {
      const auto place = static_cast<std::int32_t>((lane - first_ + 1) * cell_) - 1;
      field.column.push_back(is_shown(lane) ? place : lane < first_ ? -1 : field.width);
    }
    std::vector<LaneArrow> list;
    const TraceExchange& exchange = *event_->exchange;
    for_each_lane(exchange.lanes, [&](unsigned lane) {
      const unsigned from = exchange.from[lane_place(exchange.lanes, lane)];
      if (!has_lane(exchange.in_range, lane)) list.push_back({lane, lane, LaneArrow::Kind::Keeps});
      else
        list.push_back(
            {from, lane, has_lane(exchange.undefined, lane) ? LaneArrow::Kind::Undefined : LaneArrow::Kind::Moves});
    });
    return draw_arrows(list, field);
  }

  void received(std::size_t y) {
    if (event_->writes.empty()) return;
    const TraceWrite& write = event_->writes.front();
    const TraceRegister& reg = history_.head().registers[static_cast<std::size_t>(write.reg)];
    const TraceExchange& exchange = *event_->exchange;
    name(y, label_of(write.reg, names_), Ink::Arrow);
    name(y + 1, words_.from, Ink::Arrow);
    for (unsigned lane = first_; lane < first_ + shown_; ++lane) {
      if (!has_lane(exchange.lanes, lane)) continue;
      if (has_lane(write.lanes, lane)) {
        const TemplateValue value = has_lane(write.undefined, lane)
                                        ? TemplateValue::undefined()
                                        : TemplateValue::of(reg.type, write.bits[lane_place(write.lanes, lane)]);
        cell(y, lane, "", text_of(value), lane == state_.lane ? Ink::HotArrow : Ink::Plain);
      }
      const unsigned from = exchange.from[lane_place(exchange.lanes, lane)];
      const bool own = !has_lane(exchange.in_range, lane), nobody = has_lane(exchange.undefined, lane);
      cell(y + 1, lane, nobody ? "x" : "", own ? "=" : std::to_string(from), Ink::Dim);
    }
  }

  Screen& screen_;
  const ScreenArea& area_;
  const Stepper& stepper_;
  const TuiState& state_;
  const History& history_;
  const TuiWords& words_;
  std::string_view cut_;
  std::size_t names_, cell_;
  unsigned first_ = 0, shown_ = 1;
  const TraceEvent* event_ = nullptr;
};

}  // namespace

LanesWant lanes_want(const Stepper& stepper, const TuiState& state) {
  const std::size_t lanes = stepper.history().head().lanes, cells = lanes * cell_columns(state);
  const std::size_t whole = name_columns(stepper, kWholeName);
  return {name_columns(stepper, kCutName) + cells, whole + cells, whole + cells + lanes};
}

std::string distinct_name(const std::vector<TraceRegister>& registers, std::size_t reg, std::size_t columns,
                          std::string_view cut) {
  const std::string& name = registers[reg].name;
  if (columns_of(name) <= columns || columns < 3 || columns_of(name) != name.size()) return name;
  const std::size_t kept = columns - 1;
  const auto is_one_of_its_own = [&](std::string_view head, std::string_view tail) {
    for (const TraceRegister& other : registers)
      if (other.name != name && other.name.size() > columns && other.name.rfind(head, 0) == 0 &&
          std::string_view(other.name).substr(other.name.size() - tail.size()) == tail)
        return false;
    return true;
  };
  const auto cut_after = [&](std::size_t head) {
    return name.substr(0, head) + std::string(cut) + name.substr(name.size() - (kept - head));
  };
  // From the middle outwards; where all that agrees with another's, its number tells.
  const std::size_t middle = (kept + 1) / 2;
  for (std::size_t k = 0; k <= kept; ++k)
    for (const std::size_t head : {middle + k, middle - std::min(k, middle)}) {
      if (head == 0 || head > kept) continue;
      const std::string_view tail = std::string_view(name).substr(name.size() - (kept - head));
      if (is_one_of_its_own(std::string_view(name).substr(0, head), tail)) return cut_after(head);
    }
  const std::string number = std::to_string(reg);
  return name.substr(0, kept - std::min(kept, number.size())) + std::string(cut) + number;
}

void draw_lanes(Screen& screen, const ScreenArea& area, const Stepper& stepper, const TuiState& state) {
  LaneTable(screen, area, stepper, state).draw();
}

}  // namespace warpsim::tools
