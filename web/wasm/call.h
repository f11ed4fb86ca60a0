// What a page asks warpsim to do: the verbs of the command as a function from text to text.
//
// Shapes: a request is a JSON object:
//             {"verb": "check", "names": ["mine.warp"], "files": {"mine.warp": "…"}, "options": {"lanes": "8"}}
//         `names`, `files` and `options` may be missing. A name is what the command line takes: a program of the
//         catalogue, or one of `files`. An option has its name on the command line without the hyphens: a string; for
//         one that may be repeated a list of strings; for a flag true or false.
//         The answer is a JSON object:
//             {"code": 0, "out": "…", "err": "…", "files": {…}, "data": {…}}
//         the exit code, what the command would have written to standard output and to standard error, the files that
//         it would have written, and, of the verb `page`, which the command does not have, the data of the page by
//         name (tools/viewer/README.md).
// Errors: those of the command, by its exit codes; a request that is none gets code 2. An option that the verb does not
//         have is left alone, where the command line refuses it.
#pragma once

#include <string>
#include <string_view>

namespace warpsim::web {

std::string call(std::string_view request);

}  // namespace warpsim::web
