/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the two ends of the guest's control port say to each other: the host's relay (host.c) and the guest's agent
 * (agent.c). */
#ifndef STAP_VM_PROTOCOL_H
#define STAP_VM_PROTOCOL_H

#include <stdint.h>

/* The guest has three virtio-serial ports. The first two carry the command's output untouched. */
#define VM_PORT_OUT "stap.stdout"
#define VM_PORT_ERR "stap.stderr"
#define VM_PORT_CONTROL "stap.control"

#define VM_MAGIC 0x4d565453u /* "STVM" */

/* Host to guest, once. Followed by `bytes` of NUL-terminated strings: the working directory, then the share directories
 * (share number i has the 9p mount tag "share<i>"), the command with its arguments, the environment. */
struct vm_start {
  uint32_t magic;
  uint32_t bytes;
  uint32_t shares;
  uint32_t args;
  uint32_t envs;
};

/* Host to guest after vm_start: one byte each. Values up to 64 are signal numbers for the command. */
enum {
  VM_SIGNAL_MAX = 64,
  VM_READER_GONE_OUT = 0x81, /* nobody reads standard output any more: the command shall get SIGPIPE */
  VM_READER_GONE_ERR = 0x82,
  VM_POWER_OFF = 0xff, /* everything has arrived */
};

/* Guest to host. */
enum vm_report_kind {
  VM_RUNNING = 1, /* the command has been started: signals reach it from now on */
  VM_ENDED,       /* status and byte counts are valid */
  VM_FAILED,      /* the command could not be started; text says why */
};

struct vm_report {
  uint32_t magic;
  uint32_t kind;
  int32_t status; /* exit status as a shell gives it: 128 + signal when signalled */
  uint32_t reserved;
  uint64_t bytes[2]; /* what was written to stdout and stderr: the ports are not ordered among each other */
  char text[472];
};

#endif
