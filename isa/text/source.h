// A place in a source text.
//
// Shapes: line and column count from 1; 0 means "no place" (a program that was built in memory).
// Units:  columns count bytes of UTF-8.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

namespace warpsim {

// A text that its copies share: a module's of megabytes stands in its diagnostics and in each kernel's program.
class SharedText {
 public:
  SharedText() = default;
  SharedText(std::string text) : text_(std::make_shared<const std::string>(std::move(text))) {}
  SharedText(const char* text) : SharedText(std::string(text)) {}
  const std::string& string() const {
    static const std::string nothing;
    return text_ == nullptr ? nothing : *text_;
  }
  operator const std::string&() const { return string(); }
  operator std::string_view() const { return string(); }
  bool empty() const { return string().empty(); }

 private:
  std::shared_ptr<const std::string> text_;
};

struct SourceFile {
  std::string name;  // as diagnostics print it
  SharedText text;   // as read; "" if it is not at hand
};

struct SourceRange {
  std::uint32_t line = 0;
  std::uint32_t column = 0;
  std::uint32_t length = 1;
  std::uint32_t file = 0;  // an index into the list of files that belongs to it; 0 in a text of one file
  bool operator==(const SourceRange&) const = default;
};

// "sum.cu" of "kernels/sum.cu", whichever way the slashes go.
inline std::string without_folder(const std::string& file) { return file.substr(file.find_last_of("/\\") + 1); }

}  // namespace warpsim
