// Whether the sanitizers watch this build. They make everything several times as long, so tests over many programs take
// fewer there, and what only a great number shows is left to the release build.
#pragma once

namespace warpsim::testing {

#if defined(__SANITIZE_ADDRESS__)  // g++
constexpr bool kSanitized = true;
#elif defined(__has_feature)  // clang
constexpr bool kSanitized = __has_feature(address_sanitizer);
#else
constexpr bool kSanitized = false;
#endif

}  // namespace warpsim::testing
