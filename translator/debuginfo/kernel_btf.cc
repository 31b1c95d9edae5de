// SPDX-License-Identifier: GPL-2.0-or-later
// Getting the kernel's BTF: out of the cache, from the running kernel, or out of an image, which is then cached.
//
// Unpacking an image takes a second or two, so what is wanted of it is stored:
// $XDG_CACHE_HOME/stap/btf/RELEASE-HASH, the hash being of the image's path, size
// and time. The file carries a checksum; a damaged one is made anew.
#include "debuginfo/kernel_btf.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <unistd.h>
#include <zlib.h>

#include <cstring>

#include "base/files.h"
#include "base/paths.h"
#include "debuginfo/elf_image.h"
#include "debuginfo/find.h"

namespace {

// Also goes up when the same image comes to be read differently: what an older stap made of it must not be used.
constexpr uint32_t cache_version = 4;
constexpr size_t max_build_id = 20;

// Then: the BTF, the functions.
struct CacheHeader {
  char magic[8];
  uint32_t version, checksum;  // of the header, with 0 here, and what follows it
  uint32_t btf_size, functions_size;
  uint32_t build_id_size;
  uint8_t build_id[max_build_id];
  uint64_t notes_offset;
};

uint32_t checksum(CacheHeader header, std::string_view body) {
  header.checksum = 0;
  uLong sum = crc32_z(0, reinterpret_cast<const Bytef *>(&header), sizeof header);
  return uint32_t(crc32_z(sum, reinterpret_cast<const Bytef *>(body.data()), body.size()));
}

std::string cache_path(const Session &s, const std::string &image) {
  struct stat st;
  std::string directory = cache_directory();
  if (directory.empty() || stat(image.c_str(), &st) != 0) return "";
  std::string key = image + " " + std::to_string(st.st_size) + " " + std::to_string(st.st_mtim.tv_sec) + "." +
                    std::to_string(st.st_mtim.tv_nsec);
  return directory + "/btf/" + s.kernel_release + "-" + hex64(hash_bytes(key));
}

bool load_cached(const std::string &path, KernelBtf &kernel) {
  CacheHeader header;
  const std::string file = path.empty() ? "" : read_file(path).value_or("");
  if (file.size() < sizeof header) return false;
  memcpy(&header, file.data(), sizeof header);
  std::string_view body = std::string_view(file).substr(sizeof header);
  if (memcmp(header.magic, "stapbtf", 8) || header.version != cache_version ||
      body.size() != size_t(header.btf_size) + header.functions_size || header.build_id_size > max_build_id ||
      checksum(header, body) != header.checksum)
    return false;
  kernel.bytes = body.substr(0, header.btf_size);
  kernel.packed_functions = body.substr(header.btf_size);
  kernel.build_id.assign(header.build_id, header.build_id + header.build_id_size);
  kernel.notes_offset = header.notes_offset;
  utimensat(AT_FDCWD, path.c_str(), nullptr, 0);  // in use: the last to be cleaned away
  return true;
}

// A cache that can't be written costs time only.
void store_cached(const std::string &path, const KernelBtf &kernel) {
  if (path.empty() || !make_directories(path.substr(0, path.rfind('/')))) return;
  std::string body = kernel.bytes + kernel.packed_functions;
  CacheHeader header = {};
  memcpy(header.magic, "stapbtf", 8);
  header.version = cache_version;
  header.btf_size = uint32_t(kernel.bytes.size());
  header.functions_size = uint32_t(kernel.packed_functions.size());
  header.build_id_size = uint32_t(std::min(kernel.build_id.size(), max_build_id));
  memcpy(header.build_id, kernel.build_id.data(), header.build_id_size);
  header.notes_offset = kernel.notes_offset;
  header.checksum = checksum(header, body);
  static_cast<void>(write_file(path, std::string(reinterpret_cast<char *>(&header), sizeof header) + body));
}

bool extract(const std::string &path, KernelBtf &kernel, std::string &error) {
  std::unique_ptr<ElfImage> image = ElfImage::read(path, error);
  if (!image) return false;
  const ElfSection *btf = image->section(".BTF"), *notes = image->section(".notes"), *text = image->section(".text");
  if (!btf || btf->bytes.empty()) {
    error = path + ": it has no BTF (CONFIG_DEBUG_INFO_BTF)";
    return false;
  }
  kernel.bytes = btf->bytes;
  std::vector<KernelSymbol> symbols;
  std::string no_symbols;
  if (read_kallsyms(*image, symbols, no_symbols)) kernel.packed_functions = FunctionTable::pack(symbols, image.get());
  // The kernel's .text begins at _stext (arch/x86/kernel/vmlinux.lds.S).
  uint64_t at;
  if (notes && text && !(kernel.build_id = ElfImage::build_id(*notes, at)).empty())
    kernel.notes_offset = notes->address + at - text->address;
  return true;
}

// What the running kernel shows of itself, for an image that only root may read.
bool read_running(KernelBtf &kernel, std::string &error) {
  kernel.path = "/sys/kernel/btf/vmlinux";
  Result<std::string> bytes = read_file(kernel.path);
  if (!bytes) {
    error = bytes.reason();
    return false;
  }
  kernel.bytes = std::move(*bytes);
  if (const auto text = read_file("/proc/kallsyms"))
    kernel.packed_functions = FunctionTable::pack(parse_proc_kallsyms(*text), nullptr);
  return true;
}

bool is_running(const Session &s) {
  struct utsname u;
  return uname(&u) == 0 && s.kernel_release == u.release;
}

}  // namespace

std::unique_ptr<KernelBtf> read_kernel_btf(const Session &s, std::string &error) {
  auto kernel = std::make_unique<KernelBtf>();
  std::vector<std::string> images = find_kernel_images(s);
  bool found = false;
  for (const std::string &image : images) {
    std::string cache = cache_path(s, image);
    kernel->path = image;
    if ((found = load_cached(cache, *kernel))) break;
    if ((found = extract(image, *kernel, error))) {
      store_cached(cache, *kernel);
      break;
    }
  }
  if (!found && is_running(s)) found = read_running(*kernel, error);
  if (!found) {
    if (images.empty()) error = "no image of kernel " + s.kernel_release + " was found";
    return nullptr;
  }
  kernel->functions.open(kernel->packed_functions);
  if (!(kernel->btf = Btf::parse(kernel->bytes, nullptr, error))) {
    error = kernel->path + ": " + error;
    return nullptr;
  }
  return kernel;
}
