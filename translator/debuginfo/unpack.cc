// SPDX-License-Identifier: GPL-2.0-or-later
// Unpacking what kernels and modules are compressed with: gzip, xz, zstd, lz4.
#include <fmt/core.h>
#include <lz4.h>
#include <lzma.h>
#include <zlib.h>
#include <zstd.h>

#include <cstring>

#include "debuginfo/elf_image.h"

namespace {

// No kernel is larger than this when it is unpacked. A file that claims to be is damaged or hostile.
constexpr size_t max_unpacked = size_t(1) << 30;
constexpr size_t chunk = size_t(4) << 20;

// Calls step(to, room, written), which says in `written` how much of the room it filled, until it has set `done`.
// False when a step fails, writes nothing before the end, or the whole gets too large.
template <class F> bool collect(std::string &out, bool &done, F step) {
  for (done = false; !done;) {
    size_t size = out.size();
    if (size > max_unpacked) return false;
    out.resize(size + chunk);
    size_t written = 0;
    bool good = step(out.data() + size, chunk, written);
    out.resize(size + written);
    if (!good || (!written && !done)) return false;
  }
  return true;
}

bool unpack_gzip(std::string_view packed, std::string &out) {
  z_stream z = {};
  if (inflateInit2(&z, 15 + 16) != Z_OK) return false;
  z.next_in = reinterpret_cast<Bytef *>(const_cast<char *>(packed.data()));
  z.avail_in = uInt(packed.size());
  bool done;
  bool good = collect(out, done, [&](char *to, size_t room, size_t &written) {
    z.next_out = reinterpret_cast<Bytef *>(to);
    z.avail_out = uInt(room);
    int rc = inflate(&z, Z_NO_FLUSH);
    written = room - z.avail_out;
    done = rc == Z_STREAM_END;
    return rc == Z_OK || done;
  });
  inflateEnd(&z);
  return good;
}

bool unpack_xz(std::string_view packed, std::string &out) {
  lzma_stream x = LZMA_STREAM_INIT;
  if (lzma_stream_decoder(&x, max_unpacked, 0) != LZMA_OK) return false;
  x.next_in = reinterpret_cast<const uint8_t *>(packed.data());
  x.avail_in = packed.size();
  bool done;
  bool good = collect(out, done, [&](char *to, size_t room, size_t &written) {
    x.next_out = reinterpret_cast<uint8_t *>(to);
    x.avail_out = room;
    lzma_ret rc = lzma_code(&x, LZMA_RUN);
    written = room - x.avail_out;
    done = rc == LZMA_STREAM_END;
    return rc == LZMA_OK || done;
  });
  lzma_end(&x);
  return good;
}

bool unpack_zstd(std::string_view packed, std::string &out) {
  ZSTD_DCtx *z = ZSTD_createDCtx();
  if (!z) return false;
  // The kernel's build compresses with the largest window, which a reader must allow.
  ZSTD_DCtx_setParameter(z, ZSTD_d_windowLogMax, sizeof(size_t) == 8 ? 31 : 30);
  ZSTD_inBuffer in = {packed.data(), packed.size(), 0};
  bool done;
  bool good = collect(out, done, [&](char *to, size_t room, size_t &written) {
    ZSTD_outBuffer o = {to, room, 0};
    size_t rc = ZSTD_decompressStream(z, &o, &in);
    written = o.pos;
    done = rc == 0;
    return !ZSTD_isError(rc);
  });
  ZSTD_freeDCtx(z);
  return good;
}

// Reads the frame format that lz4 calls "legacy": blocks of 8 MiB unpacked, each preceded by its packed size.
bool unpack_lz4(std::string_view packed, std::string &out) {
  constexpr size_t block = size_t(8) << 20;
  for (size_t at = 4; at + 4 <= packed.size() && out.size() < max_unpacked;) {
    uint32_t size;
    memcpy(&size, packed.data() + at, sizeof size);
    at += sizeof size;
    if (size == 0 || size > packed.size() - at) break;  // the kernel's build appends the size of the whole
    size_t before = out.size();
    out.resize(before + block);
    int n = LZ4_decompress_safe(packed.data() + at, out.data() + before, int(size), int(block));
    out.resize(before + (n > 0 ? size_t(n) : 0));
    if (n < 0) return false;
    at += size;
    if (size_t(n) < block) break;
  }
  return !out.empty();
}

}  // namespace

Result<std::string> unpack(std::string_view packed) {
  struct {
    std::string_view magic;
    const char *name;
    bool (*run)(std::string_view, std::string &);
  } const formats[] = {
      {std::string_view("\x1f\x8b\x08", 3), "gzip", unpack_gzip},
      {std::string_view("\xfd"
                        "7zXZ\0",
                        6),
       "xz", unpack_xz},
      {std::string_view("\x28\xb5\x2f\xfd", 4), "zstd", unpack_zstd},
      {std::string_view("\x02\x21\x4c\x18", 4), "lz4", unpack_lz4},
  };
  for (auto &format : formats) {
    if (!packed.starts_with(format.magic)) continue;
    std::string unpacked;
    if (format.run(packed, unpacked)) return unpacked;
    return Failure{fmt::format("its {} data is damaged", format.name)};
  }
  return Failure{"it is compressed in a way this program does not know"};
}
