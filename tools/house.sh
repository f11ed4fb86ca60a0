#!/usr/bin/env bash
# Measures the house: the size of its rooms, files and functions, and how many places an addition touches.
#
#   tools/house.sh [ROOT]     default ROOT: the repository that the script lies in
#
# Shapes: a hall is one of the folders below, a room is a folder of a hall that holds source files. A function is a C++
#         body from its signature to its closing brace: both at column 0, or one level deeper inside a class.
# Units:  lines, comments and blank lines included.
# Errors: exit code 1, with a line "house: …" on stderr for each limit that is broken; 2: ROOT has no hall.
# Source: the limits are those of docs/house.md; the places to touch are the numbered lists of CONTRIBUTING.md.
set -euo pipefail
export LC_ALL=C

halls=(isa sim traces host tools web tests)
max_room_files=40
max_file_lines=500
max_function_lines=60

# Not measured at all: data that happens to be source.
data_folders=(
  tests/cases              # one-file cases: the command's input and its exact output
  tools/cuda/kernels       # the programs in CUDA C++: one file a program
  tests/host/programs      # CUDA programs that are run: one file a program
)
# May be longer than a file: tables, one row a line.
long_tables=(
  '*.def'                          # rows of instructions, findings and messages
  isa/kernels/mufu_tables.h        # generated: the special-function unit's coefficients
)
# Break a limit still, and are to be split; an entry without need is named below.
pending=()

root=${1:-$(cd "$(dirname "$0")/.." && pwd)}
cd "$root" || exit 2
present=()
for hall in "${halls[@]}"; do [[ ! -d $hall ]] || present+=("$hall"); done
[[ ${#present[@]} -gt 0 ]] || { echo "house: $root has none of the folders ${halls[*]}" >&2; exit 2; }

broken=0
excused=
break_limit() {  # PLACE WHAT
  local file
  for file in "${pending[@]}"; do
    [[ $1 != "$file" && $1 != "$file":* ]] || { excused+="$file "; return 0; }
  done
  echo "house: $1: $2" >&2
  broken=1
}

source_files() {  # of a folder and its rooms, sorted
  local skip=() folder
  for folder in "${data_folders[@]}"; do skip+=(-path "$folder" -o); done
  find "$1" \( "${skip[@]}" -name node_modules -o -name build \) -prune -o -type f \
    \( -name '*.cpp' -o -name '*.h' -o -name '*.def' -o -name '*.in' -o -name '*.js' -o -name '*.mjs' -o -name '*.css' \
    -o -name '*.html' -o -name '*.cu' -o -name '*.py' \) -print | sort
}
line_counts() { xargs -d '\n' -r awk '{ n[FILENAME]++ } END { for (f in n) print n[f], f }' | sort -k1,1nr -k2; }
is_long_table() {
  local pattern
  # shellcheck disable=SC2254  # the entries are patterns
  for pattern in "${long_tables[@]}"; do case $1 in $pattern) return 0 ;; esac; done
  return 1
}

# "LINES FILE:LINE SIGNATURE" of every C++ function, the longest first.
function_lengths() {
  grep -E '\.(cpp|h)$' | xargs -d '\n' -r awk '
    function begins(text) { return text ~ /^(  )?[A-Za-z_~\[]/ && text !~ /^(  )?(public|private|protected):/ }
    function scope(text) { return text ~ /^ *(template <.*> *)?(namespace|struct|class|enum|union|extern "C")( |$)/ }
    FNR == 1 { start = 0; inside = 0; raw = ""; indent = "" }
    raw != "" { if (index($0, raw)) raw = ""; next }             # inside a raw string
    {
      text = $0
      sub(/ *\/\/.*$/, "", text)
      if (match(text, /R"[A-Za-z~]*\(/)) {
        end = ")" substr(text, RSTART + 2, RLENGTH - 3) "\""
        if (!index(substr(text, RSTART + RLENGTH), end)) raw = end
      }
      if (inside) {
        if (text ~ ("^" indent "}")) {
          if (!table) print FNR - start + 1, FILENAME ":" start, signature
          inside = 0; start = 0
        }
        next
      }
      if (text ~ /^ *#/ || text == "") next
      if (text ~ /^ *(template <|requires )/) { start = 0; next }   # the signature is the next line
      if (!start && begins(text) && !scope(text)) {
        start = FNR; signature = text; indent = text ~ /^  / ? "  " : ""; table = 0
        gsub(/^ +/, "", signature)
      }
      if (!start) next
      if (raw != "") start = 0                                   # a text, not a function
      else if (text ~ /\{$/) { inside = 1; table = text ~ /= \{$/ }
      else if (text ~ /[;}]$/) { if (text ~ /}$/) print FNR - start + 1, FILENAME ":" start, signature; start = 0 }
    }' | sort -k1,1nr -k2,2
}

printf '%-32s %6s %7s\n' room files lines
for hall in "${present[@]}"; do
  files=$(source_files "$hall")
  for room in $(sed 's,/[^/]*$,,' <<<"$files" | sort -u); do
    count=$(grep -c "^$room/[^/]*$" <<<"$files")
    lines=$(grep "^$room/[^/]*$" <<<"$files" | line_counts | awk '{ n += $1 } END { print n + 0 }')
    printf '%-32s %6d %7d\n' "$room" "$count" "$lines"
    [[ $count -le $max_room_files ]] || break_limit "$room" "$count files; a room has at most $max_room_files"
  done
  case $hall in isa | sim | traces | host | tools)
    for flat in $(grep "^$hall/[^/]*$" <<<"$files" || true); do
      [[ $flat == */main.cpp ]] || break_limit "$flat" "a source file beside the rooms of $hall/, not in one"
    done ;;
  esac
done

echo
all_counts=
for hall in "${present[@]}"; do
  files=$(source_files "$hall")
  counts=$(line_counts <<<"$files")
  all_counts+=$counts$'\n'
  longest=
  while read -r lines file; do
    [[ $file =~ \.(cpp|h|def)$ ]] || continue
    is_long_table "$file" && continue
    [[ -n $longest ]] || longest="$lines lines, $file"
    [[ $lines -le $max_file_lines ]] || break_limit "$file" "$lines lines; a file has at most $max_file_lines"
  done <<<"$counts"
  functions=$(function_lengths <<<"$files")
  printf '%-7s longest file: %s\n' "$hall" "${longest:-none}"
  printf '%-7s longest function: %s\n' "" "$(awk 'NR == 1 { n = $1; sub(/^[0-9]+ /, ""); print n " lines, " $0 }' <<<"$functions")"
  while read -r lines place signature; do
    [[ -z $lines || $lines -le $max_function_lines ]] ||
      break_limit "$place" "$lines lines; a function has at most $max_function_lines: $signature"
  done <<<"$functions"
done
median=$(grep -E '\.(cpp|h)$' <<<"$all_counts" | sort -n | awk '{ n[NR] = $1 } END { print n[int((NR + 1) / 2)] + 0 }')
echo "median C++ file: $median lines"
echo "longer than a file may be, as tables: ${long_tables[*]}"
echo "not measured, as data: ${data_folders[*]}"
for file in "${pending[@]}"; do
  case " $excused" in *" $file "*) echo "to be split: $file" ;; *) echo "keeps the limits: $file; take it off the list" ;; esac
done

# The numbered list under each heading, against the table at the head of CONTRIBUTING.md.
if [[ -e CONTRIBUTING.md ]]; then
  echo
  echo "places to touch"
  for thing in instruction checker 'export form' 'trace event'; do
    listed=$(awk -v heading="^## Add an? $thing" '/^## / { in_it = $0 ~ heading } in_it && /^[0-9]+\. / { n++ } END { print n + 0 }' CONTRIBUTING.md)
    stated=$(awk -F'|' -v row="^ an? $thing $" '$2 ~ row { gsub(/[^0-9]/, "", $3); print $3 }' CONTRIBUTING.md)
    printf '  %-14s %d\n' "$thing" "$listed"
    [[ $listed == "$stated" ]] || break_limit CONTRIBUTING.md "$thing: $listed places in the list, ${stated:-none} in the table"
  done
fi
exit "$broken"
