// SPDX-License-Identifier: GPL-2.0-or-later
// Getting the kernel's BTF: out of the cache, from the running kernel, or out of an image, which is then cached.
//
// Unpacking an image takes a second or two, so what is wanted of it is stored in the cache:
// btf/RELEASE-HASH, the hash being of the image's path, size
// and times. The file carries a checksum; a damaged one is made anew.
#include "debuginfo/kernel_btf.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include <cstring>

#include "base/files.h"
#include "base/paths.h"
#include "debuginfo/elf_image.h"
#include "debuginfo/find.h"
#include "debuginfo/trace_events.h"

namespace {

// It goes up when the format changes, and when a later stap reads more or something else out of the same image.
constexpr uint32_t cache_version = 7;
constexpr size_t max_build_id = 20;

// The BTF, the functions and the trace events follow it.
struct CacheHeader {
  char magic[8];
  uint32_t version, checksum;  // of the header, with this field 0, and of all that follows it
  uint32_t btf_size, functions_size, events_size;
  uint32_t build_id_size;
  uint8_t build_id[max_build_id];
  uint64_t notes_offset;
};

uint32_t checksum(CacheHeader header, std::string_view body) {
  header.checksum = 0;
  uLong sum = crc32_z(0, reinterpret_cast<const Bytef *>(&header), sizeof header);
  return uint32_t(crc32_z(sum, reinterpret_cast<const Bytef *>(body.data()), body.size()));
}

// In a cache's directory; "" when there is no image.
std::string name_in_cache(const Session &s, const std::string &image) {
  const std::string stamp = stat_stamp(image);
  return stamp.empty() ? "" : "btf/" + s.kernel_release + "-" + hex64(hash_bytes(image + " " + stamp));
}

bool load_cached(const std::string &path, KernelBtf &kernel) {
  CacheHeader header;
  const std::string file = path.empty() ? "" : read_file(path).value_or("");
  if (file.size() < sizeof header) return false;
  memcpy(&header, file.data(), sizeof header);
  std::string_view body = std::string_view(file).substr(sizeof header);
  if (memcmp(header.magic, "stapbtf", 8) || header.version != cache_version ||
      body.size() != size_t(header.btf_size) + header.functions_size + header.events_size ||
      header.build_id_size > max_build_id || checksum(header, body) != header.checksum)
    return false;
  kernel.bytes = body.substr(0, header.btf_size);
  kernel.packed_functions = body.substr(header.btf_size, header.functions_size);
  kernel.trace_events = body.substr(size_t(header.btf_size) + header.functions_size);
  kernel.build_id.assign(header.build_id, header.build_id + header.build_id_size);
  kernel.notes_offset = header.notes_offset;
  utimensat(AT_FDCWD, path.c_str(), nullptr, 0);  // in use: the last to be cleaned away
  return true;
}

// When the cache can't be written, the next run unpacks the image again; nothing else is lost.
void store_cached(const std::string &path, const KernelBtf &kernel) {
  if (path.empty() || !make_directories(path.substr(0, path.rfind('/')))) return;
  std::string body = kernel.bytes + kernel.packed_functions + kernel.trace_events;
  CacheHeader header = {};
  memcpy(header.magic, "stapbtf", 8);
  header.version = cache_version;
  header.btf_size = uint32_t(kernel.bytes.size());
  header.functions_size = uint32_t(kernel.packed_functions.size());
  header.events_size = uint32_t(kernel.trace_events.size());
  header.build_id_size = uint32_t(std::min(kernel.build_id.size(), max_build_id));
  memcpy(header.build_id, kernel.build_id.data(), header.build_id_size);
  header.notes_offset = kernel.notes_offset;
  header.checksum = checksum(header, body);
  static_cast<void>(write_file(path, std::string(reinterpret_cast<char *>(&header), sizeof header) + body));
}

Result<void> extract(const std::string &path, KernelBtf &kernel) {
  const auto read = ElfImage::read(path);
  if (!read) return read.failure();
  const ElfImage *image = read->get();
  const ElfSection *btf = image->section(".BTF"), *notes = image->section(".notes"), *text = image->section(".text");
  if (!btf || btf->bytes.empty()) return Failure{path + ": it has no BTF (CONFIG_DEBUG_INFO_BTF)"};
  kernel.bytes = btf->bytes;
  if (const auto symbols = read_kallsyms(*image); !symbols.empty()) {
    kernel.packed_functions = FunctionTable::pack(symbols, image);
    const auto types = Btf::parse(kernel.bytes, nullptr);
    kernel.trace_events = read_trace_events(symbols, *image, types ? trace_field_size(**types) : 0);
  }
  // The kernel's .text begins at _stext (arch/x86/kernel/vmlinux.lds.S).
  if (!notes || !text) return {};
  if (auto note = find_build_id(notes->bytes)) {
    kernel.build_id = std::move(note->id);
    kernel.notes_offset = notes->address + note->offset - text->address;
  }
  return {};
}

// Takes what is wanted of an image out of the cache, or else out of the image itself, and caches it.
Result<void> read_image(const Session &s, const std::string &image, KernelBtf &kernel) {
  const std::string name = name_in_cache(s, image), directory = own_cache_directory();
  const std::string own = name.empty() || directory.empty() ? "" : directory + "/" + name;
  kernel.path = image;
  if (load_cached(own, kernel) || (!name.empty() && load_cached(in_system_cache(name), kernel))) return {};
  Result<void> extracted = extract(image, kernel);
  if (extracted) store_cached(own, kernel);
  return extracted;
}

// Reads what the running kernel shows of itself, for an image that only root may read.
Result<void> read_running(KernelBtf &kernel) {
  kernel.path = "/sys/kernel/btf/vmlinux";
  Result<std::string> bytes = read_file(kernel.path);
  if (!bytes) return bytes.failure();
  kernel.bytes = std::move(*bytes);
  if (const auto text = read_file("/proc/kallsyms"))
    kernel.packed_functions = FunctionTable::pack(parse_proc_kallsyms(*text), nullptr);
  kernel.trace_events = read_running_trace_events();
  return {};
}

}  // namespace

uint64_t trace_field_size(const Btf &btf) {
  const uint32_t id = btf.find("trace_event_fields", [](const BtfType &t) { return t.kind() == BtfKind::Struct; });
  return id ? btf.type(id).size_or_type : 0;
}

Result<std::unique_ptr<KernelBtf>> read_kernel_btf(const Session &s) {
  auto kernel = std::make_unique<KernelBtf>();
  const std::vector<std::string> images = find_kernel_images(s);
  Result<void> found = Failure{"no image of kernel " + s.kernel_release + " was found"};
  for (const std::string &image : images)
    if ((found = read_image(s, image, *kernel))) break;
  if (!found && s.is_for_running_kernel())
    if (Result<void> running = read_running(*kernel); running || !images.empty()) found = running;
  if (!found) return found.failure();
  kernel->functions.open(kernel->packed_functions);
  auto btf = Btf::parse(kernel->bytes, nullptr);
  if (!btf) return Failure{kernel->path + ": " + btf.reason()};
  kernel->btf = std::move(*btf);
  return kernel;
}
