// One warp's network as a Graphviz digraph: a node a lane and row, the lanes of a row in order.
//
// Source: Graphviz, "DOT Language".
#include "traces/export.h"
#include "traces/network.h"

namespace warpsim {
namespace {

// As an HTML-free, quoted string.
std::string quoted(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += c == '\n' || c == '\r' || c == '\0' ? ' ' : c;
  }
  return out + "\"";
}

std::string node(std::size_t row, unsigned lane) { return "r" + std::to_string(row) + "_" + std::to_string(lane); }

void append_row(std::string& out, const Network& net, std::size_t k) {
  const NetworkRow& row = net.rows[k];
  out += "  { rank=same;\n    t" + std::to_string(k) + " [shape=plaintext, label=" +
         quoted((row.title.empty() ? "" : row.title + ": ") + row.text + (row.more.empty() ? "" : "; " + row.more)) +
         "];\n";
  std::string order = "    t" + std::to_string(k);
  for_each_lane(net.present, [&](unsigned lane) {
    const NetworkCell& cell = row.cells[lane];
    const bool inactive = cell.kind == NetworkCell::Kind::Inactive;
    const std::string value = cell.kind == NetworkCell::Kind::Undefined ? "⟂" : cell.text;
    out += "    " + node(k, lane) + " [label=" + quoted(cell.caption.empty() ? value : value + " " + cell.caption) +
           (inactive ? ", style=dashed" : "") + "];\n";
    order += " -> " + node(k, lane);
  });
  out += order + " [style=invis];\n  }\n";
}

void append_edges(std::string& out, const Network& net, std::size_t k) {
  for (const NetworkEdge& edge : net.rows[k].edges) {
    const char* style = "";
    if (edge.kind == NetworkEdge::Kind::Keeps) style = " [style=dashed]";
    if (edge.kind == NetworkEdge::Kind::Carries) style = " [color=gray, arrowhead=none]";
    if (edge.kind == NetworkEdge::Kind::Undefined) style = " [style=dotted, label=\"⟂\"]";
    out += "  " + node(k - 1, edge.from) + " -> " + node(k, edge.to) + style + ";\n";
  }
  // A collective: every lane's value goes through one point to every lane.
  if (net.rows[k].gathered == 0) return;
  const std::string point = "g" + std::to_string(k);
  out += "  " + point + " [shape=point];\n";
  for_each_lane(net.rows[k].gathered, [&](unsigned lane) {
    out +=
        "  " + node(k - 1, lane) + " -> " + point + " [arrowhead=none];\n  " + point + " -> " + node(k, lane) + ";\n";
  });
}

}  // namespace

std::string export_dot(const TraceHead& head, const Network& net) {
  std::string out = "digraph " + quoted(head.program) +
                    " {\n  node [shape=box, fontname=\"monospace\", fontsize=10];\n  edge [arrowsize=0.6];\n";
  for (std::size_t k = 0; k < net.rows.size(); ++k) append_row(out, net, k);
  for (std::size_t k = 1; k < net.rows.size(); ++k) {
    append_edges(out, net, k);
    // Rows stay below each other, also where no value goes from one to the next.
    out += "  t" + std::to_string(k - 1) + " -> t" + std::to_string(k) + " [style=invis];\n";
  }
  return out + "}\n";
}

}  // namespace warpsim
