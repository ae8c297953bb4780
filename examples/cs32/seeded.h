// Lets the seed of a game decide all that is random in it. The Makefile includes this before every file, so that the
// course's classes need no change: their generators ignore what they are seeded with, be it std::random_device, the
// clock or a number, and draw from one sequence, which the adapter begins anew at each `seed` line. C++11 and later.
#ifndef CS32_SEEDED_H
#define CS32_SEEDED_H

#include <algorithm>
#include <cstdlib>
#include <iosfwd>
#include <random>
#include <string>

namespace cs32_seeded
{

inline unsigned long long& state()
{
    static unsigned long long state = 1;
    return state;
}

// The next 64 bits: SplitMix64 (Steele, Lea, Flood 2014).
inline unsigned long long next()
{
    unsigned long long z = state() += 0x9e3779b97f4a7c15ULL;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
    return z ^ (z >> 31);
}

inline void begin(unsigned int seed)
{
    state() = seed;
    // For what the library's own headers draw, such as random_shuffle.
    std::srand(seed);
#if defined(__unix__) || defined(__APPLE__)
    ::srandom(seed);
    ::srand48(static_cast<long>(seed));
#endif
}

}  // namespace cs32_seeded

inline int cs32_rand()
{
    return static_cast<int>(cs32_seeded::next() % (static_cast<unsigned long long>(RAND_MAX) + 1));
}

inline void cs32_srand(unsigned int) {}

// In std, since the students' code says std::mt19937, or mt19937 after `using namespace std`.
namespace std
{

using ::cs32_rand;
using ::cs32_srand;

// Has the range of Engine, and the numbers of the one sequence.
template <class Engine>
class cs32_engine
{
public:
    typedef typename Engine::result_type result_type;
    static constexpr result_type default_seed = 1;
    static constexpr result_type(min)() { return (Engine::min)(); }
    static constexpr result_type(max)() { return (Engine::max)(); }
    cs32_engine() {}
    template <class... Seed>
    explicit cs32_engine(Seed&&...) {}
    template <class... Seed>
    void seed(Seed&&...) {}
    void discard(unsigned long long) {}
    result_type operator()()
    {
        const unsigned long long range = static_cast<unsigned long long>((max)()) - (min)() + 1;  // 0 is 2^64
        const unsigned long long drawn = cs32_seeded::next();
        return static_cast<result_type>((min)() + (range == 0 ? drawn : drawn % range));
    }
    friend bool operator==(const cs32_engine&, const cs32_engine&) { return true; }
    friend bool operator!=(const cs32_engine&, const cs32_engine&) { return false; }
};

class cs32_random_device
{
public:
    typedef unsigned int result_type;
    static constexpr result_type(min)() { return 0; }
    static constexpr result_type(max)() { return 0xffffffffU; }
    cs32_random_device() {}
    explicit cs32_random_device(const string&) {}
    cs32_random_device(const cs32_random_device&) = delete;
    cs32_random_device& operator=(const cs32_random_device&) = delete;
    double entropy() const noexcept { return 0; }
    result_type operator()() { return static_cast<result_type>(cs32_seeded::next() >> 32); }
};

typedef cs32_engine<default_random_engine> cs32_default_random_engine;
typedef cs32_engine<mt19937> cs32_mt19937;
typedef cs32_engine<mt19937_64> cs32_mt19937_64;
typedef cs32_engine<minstd_rand> cs32_minstd_rand;
typedef cs32_engine<minstd_rand0> cs32_minstd_rand0;
typedef cs32_engine<knuth_b> cs32_knuth_b;
typedef cs32_engine<ranlux24> cs32_ranlux24;
typedef cs32_engine<ranlux48> cs32_ranlux48;

}  // namespace std

#define rand cs32_rand
#define srand cs32_srand
#define random_device cs32_random_device
#define default_random_engine cs32_default_random_engine
#define mt19937 cs32_mt19937
#define mt19937_64 cs32_mt19937_64
#define minstd_rand cs32_minstd_rand
#define minstd_rand0 cs32_minstd_rand0
#define knuth_b cs32_knuth_b
#define ranlux24 cs32_ranlux24
#define ranlux48 cs32_ranlux48

#endif
