// The transforms of programs/permute against their definitions: Walsh-Hadamard exactly, FFT and convolution within a
// bound against sums in long double.
//
// The bound: Higham, "Accuracy and Stability of Numerical Algorithms" (2nd ed.), theorem 24.2. With unit roundoff
// u = 2^-24 and factors that are off by at most mu, a radix-2 FFT of n points is off by at most
// log2(n) * eta / (1 - log2(n) * eta) of the spectrum, in the 2-norm, where eta = mu + gamma_4 * (sqrt(2) + mu) and
// gamma_4 = 4u / (1 - 4u). The factors here are rounded correctly, so mu <= u / sqrt(2) < u; an fma rounds once less
// than the theorem allows for.
#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <cmath>
#include <complex>
#include <random>
#include <string>
#include <vector>

#include "sim/launch/launch.h"
#include "tests/support/oracle_check.h"
#include "tests/support/program_host.h"

namespace warpsim::testing {
namespace {

using Complex = std::complex<long double>;

const long double kUnit = std::ldexp(1.0L, -24);

long double fft_bound(unsigned n) {
  const long double gamma = 4 * kUnit / (1 - 4 * kUnit);
  const long double eta = kUnit + gamma * (std::sqrt(2.0L) + kUnit);
  const long double steps = std::log2(static_cast<long double>(n));
  return steps * eta / (1 - steps * eta);
}

long double norm(const std::vector<Complex>& values) {
  long double sum = 0;
  for (const Complex& value : values) sum += std::norm(value);
  return std::sqrt(sum);
}

Complex root_of_unity(std::size_t k, std::size_t n) {
  const long double angle = -2 * std::acos(-1.0L) * static_cast<long double>(k % n) / static_cast<long double>(n);
  return {std::cos(angle), std::sin(angle)};
}

std::vector<Complex> plain_dft(const std::vector<Complex>& x) {
  std::vector<Complex> spectrum(x.size());
  for (std::size_t k = 0; k < x.size(); ++k) {
    for (std::size_t j = 0; j < x.size(); ++j) spectrum[k] += x[j] * root_of_unity(j * k, x.size());
  }
  return spectrum;
}

// The same algorithm by recursion, in floats: the sums are the even frequencies' input, the turned differences the odd
// ones'.
std::vector<std::complex<float>> recursive_fft(const std::vector<std::complex<float>>& x) {
  const std::size_t n = x.size();
  if (n == 1) return x;
  std::vector<std::complex<float>> even, odd, spectrum;
  for (std::size_t k = 0; k < n / 2; ++k) {
    const Complex root = root_of_unity(k, n);
    const float c = static_cast<float>(root.real()), s = static_cast<float>(-root.imag());
    const std::complex<float> difference = x[k] - x[k + n / 2];
    even.push_back(x[k] + x[k + n / 2]);
    odd.emplace_back(std::fma(difference.imag(), s, difference.real() * c),
                     std::fma(difference.imag(), c, -(difference.real() * s)));
  }
  even = recursive_fft(even);
  odd = recursive_fft(odd);
  for (std::size_t k = 0; k < n / 2; ++k) spectrum.insert(spectrum.end(), {even[k], odd[k]});
  return spectrum;
}

void add_factors(Host& host) {
  std::vector<float> cosine, sine;
  for (std::size_t k = 0; k < (host.lanes + 1) / 2; ++k) {
    cosine.push_back(static_cast<float>(root_of_unity(k, host.lanes).real()));
    sine.push_back(static_cast<float>(-root_of_unity(k, host.lanes).imag()));
  }
  host.inputs["cosine"] = f32_array(cosine);
  host.inputs["sine"] = f32_array(sine);
}

// Inputs of several kinds: spread over all scales, one frequency alone, a single element, and noise.
std::vector<float> samples(std::size_t kind, std::size_t size, std::mt19937& random) {
  std::uniform_real_distribution<float> noise(-1.0F, 1.0F);
  std::vector<float> values(size, 0.0F);
  for (std::size_t i = 0; i < size; ++i) {
    if (kind == 0) values[i] = std::ldexp(noise(random), static_cast<int>(random() % 40) - 20);
    if (kind == 1) values[i] = std::cos(0.1F * static_cast<float>((i + 1) * (random() % 2 == 0 ? 1 : 3)));
    if (kind == 2) values[i] = i % 7 == 3 ? noise(random) : 0.0F;
    if (kind > 2) values[i] = noise(random);
  }
  return values;
}

// Two blocks of two whole warps and a partial one, which has no transform.
Host host_of(unsigned lanes) {
  Host host;
  host.lanes = lanes;
  host.grid = 2;
  host.block = 2 * lanes + lanes / 2;
  host.params["size"] = std::to_string(host.grid * host.block);
  return host;
}

TEST(Fft, IsTheRecursiveOneAndWithinTheBoundOfThePlainDft) {
  const Assembled assembled = assemble_program("permute/fft_radix2");
  ASSERT_TRUE(assembled.lesson()) << assembled.diagnostics.render();
  std::mt19937 random(1965);
  for (const unsigned lanes : kLaneCounts) {
    for (std::size_t kind = 0; kind < 8; ++kind) {
      SCOPED_TRACE("inputs " + std::to_string(kind) + " at " + std::to_string(lanes) + " lanes");
      Host host = host_of(lanes);
      const std::size_t size = host.grid * host.block;
      const std::vector<float> re = samples(kind, size, random), im = samples(kind, size, random);
      host.inputs["re"] = f32_array(re);
      host.inputs["im"] = f32_array(im);
      add_factors(host);
      const Trace trace = host.record(*assembled.lesson());
      const Host::Outputs outputs(trace.outcome.outputs.begin(), trace.outcome.outputs.end());
      const std::vector<float> out_re = f32_values(outputs.at("spectrum_re"));
      const std::vector<float> out_im = f32_values(outputs.at("spectrum_im"));
      for (const Warp& warp : problem_of(trace.head).warps) {
        const bool whole = warp.at.size() == lanes;
        std::vector<Complex> input, error;
        std::vector<std::complex<float>> floats;
        for (const std::size_t i : warp.at) {
          input.emplace_back(re[i], im[i]);
          floats.emplace_back(re[i], im[i]);
        }
        if (whole) floats = recursive_fft(floats);
        const std::vector<Complex> spectrum = plain_dft(input);
        for (std::size_t k = 0; k < warp.at.size(); ++k) {
          const Complex found(out_re[warp.at[k]], out_im[warp.at[k]]);
          if (whole) {
            error.push_back(found - spectrum[k]);
            EXPECT_EQ(floats[k], std::complex<float>(out_re[warp.at[k]], out_im[warp.at[k]]));  // the same floats
          } else {
            EXPECT_EQ(found, Complex(0, 0));
          }
        }
        EXPECT_LE(norm(error), fft_bound(lanes) * norm(spectrum));
      }
    }
  }
}

// The case `different` has no rule for what it expects, so the bound is its oracle.
TEST(Fft, ItsCaseDifferentIsWithinTheBoundOfThePlainDft) {
  const Assembled assembled = assemble_program("permute/fft_radix2");
  ASSERT_TRUE(assembled.lesson()) << assembled.diagnostics.render();
  for (const unsigned lanes : kLaneCounts) {
    SCOPED_TRACE(std::to_string(lanes) + " lanes");
    CaseOverrides overrides;
    overrides.lanes = lanes;
    const RecordedRun run = record_run(*assembled.lesson(), *assembled.lesson()->find_case("different"), overrides);
    ASSERT_EQ(run.error, "");
    const Problem problem = problem_of(run.trace.head);
    const Host::Outputs outputs(run.trace.outcome.outputs.begin(), run.trace.outcome.outputs.end());
    const std::vector<float> out_re = f32_values(outputs.at("spectrum_re")),
                             out_im = f32_values(outputs.at("spectrum_im"));
    ASSERT_EQ(problem.warps.size(), 2U);
    for (const Warp& warp : problem.warps) {
      const Words re = problem.input(warp, "re"), im = problem.input(warp, "im");
      std::vector<Complex> input, error;
      for (std::size_t k = 0; k < re.size(); ++k) input.emplace_back(from_bits<float>(re[k]), from_bits<float>(im[k]));
      const std::vector<Complex> spectrum = plain_dft(input);
      for (std::size_t k = 0; k < warp.at.size(); ++k)
        error.push_back(Complex(out_re[warp.at[k]], out_im[warp.at[k]]) - spectrum[k]);
      EXPECT_EQ(error.size(), lanes);
      EXPECT_LE(norm(error), fft_bound(lanes) * norm(spectrum));
    }
  }
}

// The bound of the program's header: the transform there is off by e = log2(n) * eta of Z, the square by 2e + 3u of Z^2
// (one rounding of the difference, of the sum and of their product), and the inverse adds e; n * norm(z)^2 = norm(Z)^2
// and the division by 2n give sqrt(n) / 2 * (3e + 4u) * norm(z)^2, where one u more covers products of the errors.
TEST(Convolution, IsWithinTheBoundOfTheSumsAndOfThePlainDft) {
  const Assembled assembled = assemble_program("permute/convolution");
  ASSERT_TRUE(assembled.lesson()) << assembled.diagnostics.render();
  std::mt19937 random(1805);
  for (const unsigned lanes : kLaneCounts) {
    for (std::size_t kind = 0; kind < 8; ++kind) {
      SCOPED_TRACE("inputs " + std::to_string(kind) + " at " + std::to_string(lanes) + " lanes");
      Host host = host_of(lanes);
      const std::size_t size = host.grid * host.block;
      const std::vector<float> f = samples(kind, size, random), g = samples(3, size, random);
      host.inputs["f"] = f32_array(f);
      host.inputs["g"] = f32_array(g);
      add_factors(host);
      const Trace trace = host.record(*assembled.lesson());
      const Host::Outputs outputs(trace.outcome.outputs.begin(), trace.outcome.outputs.end());
      const std::vector<float> output = f32_values(outputs.at("output"));
      const std::vector<std::int32_t> nearest = s32_values(outputs.at("nearest"));
      for (const Warp& warp : problem_of(trace.head).warps) {
        const bool whole = warp.at.size() == lanes;
        const std::size_t n = warp.at.size();
        std::vector<Complex> error, spectral_error, both, there_f, there_g, product;
        for (const std::size_t i : warp.at) {
          EXPECT_EQ(nearest[i], static_cast<std::int32_t>(std::nearbyint(output[i])));
          both.emplace_back(f[i], g[i]);
          there_f.emplace_back(f[i]);
          there_g.emplace_back(g[i]);
          if (!whole) {
            EXPECT_EQ(output[i], 0.0F);
          }
        }
        if (!whole) continue;
        const std::vector<Complex> spectrum_f = plain_dft(there_f), spectrum_g = plain_dft(there_g);
        for (std::size_t k = 0; k < n; ++k) product.push_back(std::conj(spectrum_f[k] * spectrum_g[k]));
        const std::vector<Complex> back = plain_dft(product);  // of the conjugate: the inverse, conjugate
        for (std::size_t i = 0; i < n; ++i) {
          Complex sum = 0;
          for (std::size_t j = 0; j < n; ++j) sum += there_f[j] * there_g[(i + n - j) % n];
          error.push_back(Complex(output[warp.at[i]]) - sum);
          spectral_error.push_back(Complex(output[warp.at[i]]) - std::conj(back[i]) / static_cast<long double>(n));
        }
        const long double bound =
            std::sqrt(static_cast<long double>(n)) / 2 * (3 * fft_bound(lanes) + 4 * kUnit) * norm(both) * norm(both);
        EXPECT_LE(norm(error), bound);
        EXPECT_LE(norm(spectral_error), bound);
      }
    }
  }
}

TEST(WalshHadamard, IsItsOwnInverseButForALength) {
  const Assembled assembled = assemble_program("permute/walsh_hadamard");
  ASSERT_TRUE(assembled.lesson()) << assembled.diagnostics.render();
  std::mt19937 random(1867);
  for (const unsigned lanes : kLaneCounts) {
    SCOPED_TRACE(std::to_string(lanes) + " lanes");
    Host host;
    host.lanes = host.block = lanes;
    std::vector<std::int32_t> input, again;
    for (std::size_t i = 0; i < lanes; ++i) {
      input.push_back(static_cast<std::int32_t>(random() % 20001) - 10000);
      again.push_back(static_cast<std::int32_t>(lanes) * input[i]);
    }
    host.inputs["input"] = s32_array(input);
    host.inputs["input"] = host.checked_run(*assembled.lesson()).at("output");
    EXPECT_EQ(s32_values(host.checked_run(*assembled.lesson()).at("output")), again);
  }
}

}  // namespace
}  // namespace warpsim::testing
