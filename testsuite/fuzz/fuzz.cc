// SPDX-License-Identifier: GPL-2.0-or-later
// Fuzzes the translator: mutates a corpus of scripts, keeps what reaches new code, and reports crashes and hangs.
//
//   fuzz [-s SEED] [-n RUNS] [-t SECONDS] [-k DIR] CORPUS...    files, or directories of *.stp
//
// The runs are made in a child, which is replaced when it dies; what it died of is shared with the parent, so that even
// a stack overflow leaves its input: crash-N.stp in the working directory. -k keeps inputs that reached new code in
// DIR. Exit status 1 when there were crashes.
#include "fuzz.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace fs = std::filesystem;

namespace {

constexpr size_t most_bytes = 4000;
constexpr unsigned hang_seconds = 20;

struct Settings {
  uint64_t seed = 1, runs = UINT64_MAX;
  int64_t seconds = INT64_MAX;
  std::string keep;
};

// What outlives a child.
struct Shared {
  uint64_t runs, kept;
  size_t size;
  char text[most_bytes];
  uint8_t seen[coverage_size];
};

std::vector<std::string> read_corpus(char **paths) {
  std::vector<fs::path> files;
  for (; *paths; paths++) {
    if (!fs::is_directory(*paths)) files.push_back(*paths);
    else
      for (const auto &entry : fs::directory_iterator(*paths))
        if (entry.path().extension() == ".stp") files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  std::vector<std::string> corpus;
  for (const fs::path &file : files) {
    std::ifstream in(file, std::ios::binary);
    std::string text{std::istreambuf_iterator<char>(in), {}};
    if (text.size() <= most_bytes) corpus.push_back(std::move(text));
  }
  return corpus;
}

// How often an edge was taken counts in steps: 1, 2, 3, 4 to 7, 8 to 31, more.
uint8_t step(uint8_t count) {
  return count < 4 ? static_cast<uint8_t>(1 << count >> 1) : count < 8 ? 8 : count < 32 ? 16 : 32;
}

// Has the last run reached what none before has?
bool adds_coverage(Shared &shared) {
  bool is_new = false;
  for (size_t i = 0; i < coverage_size; i++) {
    const uint8_t reached = coverage[i] ? step(coverage[i]) : 0;
    if (!(reached & ~shared.seen[i])) continue;
    shared.seen[i] |= reached;
    is_new = true;
  }
  return is_new;
}

bool try_text(Shared &shared, const std::string &text) {
  shared.size = text.size();
  std::memcpy(shared.text, text.data(), text.size());
  shared.runs++;
  std::memset(coverage, 0, sizeof coverage);
  alarm(hang_seconds);
  run_target(text);
  alarm(0);
  return adds_coverage(shared);
}

void keep(const Settings &settings, Shared &shared, const std::string &text) {
  shared.kept++;
  if (settings.keep.empty()) return;
  char name[64];
  std::snprintf(name, sizeof name, "/%016zx.stp", std::hash<std::string>()(text));
  std::ofstream(settings.keep + name, std::ios::binary) << text;
}

// The child: goes on from run number shared.runs, which says how far the corpus itself was tried.
void work(const Settings &settings, Shared &shared, std::vector<std::string> corpus, time_t end) {
  const size_t given = corpus.size();
  std::mt19937_64 chance(settings.seed * 1000003 + shared.runs);
  while (shared.runs < settings.runs && std::time(nullptr) < end) {
    if (shared.runs < given) {
      const std::string text = corpus[shared.runs];
      try_text(shared, text);
      continue;
    }
    const std::string text = mutate(chance, corpus, most_bytes);
    if (!try_text(shared, text)) continue;
    keep(settings, shared, text);
    corpus.push_back(text);
  }
}

void save_crash(const Shared &shared, int status, int number) {
  const std::string name = "crash-" + std::to_string(number) + ".stp";
  std::ofstream(name, std::ios::binary).write(shared.text, static_cast<std::streamsize>(shared.size));
  const bool hung = WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM;
  std::printf("%s %s (status %d)\n", name.c_str(), hung ? "hangs" : "crashes",
              WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status));
}

}  // namespace

// What a text makes the translator say is not looked at; a script may not make it take all memory either.
extern "C" const char *__asan_default_options() {
  return "detect_leaks=0:max_allocation_size_mb=512:hard_rss_limit_mb=1500";
}

int main(int argc, char **argv) {
  Settings settings;
  for (int option; (option = getopt(argc, argv, "s:n:t:k:")) > 0;) switch (option) {
      case 's': settings.seed = std::strtoull(optarg, nullptr, 10); break;
      case 'n': settings.runs = std::strtoull(optarg, nullptr, 10); break;
      case 't': settings.seconds = std::atoll(optarg); break;
      case 'k': settings.keep = optarg; break;
      default: return 2;
    }
  const std::vector<std::string> corpus = read_corpus(argv + optind);
  if (corpus.empty()) {
    std::fprintf(stderr, "usage: fuzz [-s SEED] [-n RUNS] [-t SECONDS] [-k DIR] CORPUS...\n");
    return 2;
  }
  auto *shared =
      static_cast<Shared *>(mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0));
  if (shared == MAP_FAILED) return 2;
  const time_t end = settings.seconds == INT64_MAX ? INT64_MAX : std::time(nullptr) + settings.seconds;
  for (int crashes = 0;;) {
    std::fflush(stdout);
    const pid_t child = fork();
    if (child < 0) return 2;
    if (child == 0) {
      work(settings, *shared, corpus, end);
      _exit(0);
    }
    int status = 0;
    waitpid(child, &status, 0);
    if (status != 0) save_crash(*shared, status, ++crashes);
    if (status != 0 && crashes < 50) continue;
    const auto edges =
        std::count_if(std::begin(shared->seen), std::end(shared->seen), [](uint8_t seen) { return seen != 0; });
    std::fprintf(stderr, "%llu runs, %zu scripts given, %llu reached new code, %lld edges, %d crashes\n",
                 static_cast<unsigned long long>(shared->runs), corpus.size(),
                 static_cast<unsigned long long>(shared->kept), static_cast<long long>(edges), crashes);
    return crashes ? 1 : 0;
  }
}
