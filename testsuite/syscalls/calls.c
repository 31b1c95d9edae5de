// SPDX-License-Identifier: GPL-2.0-or-later
// Makes system calls with arguments that are known, a family of them by name: calls FAMILY. What they return does not
// matter; between two calls of umask(0123) both observers, strace and the script, must have seen the same.
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/inotify.h>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/msg.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/sem.h>
#include <sys/shm.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <time.h>
#include <unistd.h>
#include <utime.h>

// Each call goes straight to the kernel, so that no library changes it.
#define CALL(name, ...) ((void)syscall(SYS_##name, ##__VA_ARGS__))

static void files(void) {
  char buffer[64];
  struct iovec vector[2] = {{"one\n", 4}, {"two", 3}};
  struct timespec times[2] = {{1, 500}, {0, UTIME_OMIT}};
  struct timeval seconds[2] = {{5, 6}, {7, 8}};
  struct utimbuf both = {11, 12};
  long fd = syscall(SYS_openat, AT_FDCWD, "file-a", O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0640);

  CALL(open, "file-a", O_RDONLY | O_NOFOLLOW, 0);
  CALL(open, "no\nsuch\t\"file\"", O_WRONLY | O_APPEND | O_SYNC, 0);
  CALL(openat, AT_FDCWD, ".", O_RDONLY | O_DIRECTORY | O_NONBLOCK, 0);
  CALL(creat, "file-b", 0600);
  CALL(write, fd, "hello\n\001world", 12);
  CALL(pwrite64, fd, "xyz", 3, 4096);
  CALL(writev, fd, vector, 2);
  CALL(pwritev, fd, vector, 2, 100, 0);
  CALL(lseek, fd, -3, SEEK_END);
  CALL(lseek, fd, 0, SEEK_SET);
  CALL(read, fd, buffer, sizeof(buffer));
  CALL(pread64, fd, buffer, 5, 7);
  CALL(access, "file-a", R_OK | W_OK);
  CALL(access, "file-c", F_OK);
  CALL(faccessat, AT_FDCWD, "file-a", X_OK);
  CALL(faccessat2, AT_FDCWD, "file-a", R_OK, AT_EACCESS);
  CALL(dup, fd);
  CALL(dup2, fd, 40);
  CALL(dup3, fd, 41, O_CLOEXEC);
  CALL(fcntl, fd, F_GETFL);
  CALL(fcntl, fd, F_SETFL, O_APPEND | O_NONBLOCK);
  CALL(fcntl, fd, F_SETFD, FD_CLOEXEC);
  CALL(fcntl, fd, F_DUPFD_CLOEXEC, 50);
  CALL(flock, fd, LOCK_EX | LOCK_NB);
  CALL(fsync, fd);
  CALL(fdatasync, fd);
  CALL(ftruncate, fd, 100);
  CALL(truncate, "file-a", 50);
  CALL(fallocate, fd, FALLOC_FL_KEEP_SIZE, 0, 4096);
  CALL(fadvise64, fd, 0, 4096, POSIX_FADV_WILLNEED);
  CALL(sync_file_range, fd, 0, 4096, SYNC_FILE_RANGE_WRITE);
  CALL(mkdir, "dir", 0755);
  CALL(mkdirat, AT_FDCWD, "dir2", 0700);
  CALL(rename, "file-b", "file-c");
  CALL(renameat, AT_FDCWD, "file-c", AT_FDCWD, "file-d");
  CALL(renameat2, AT_FDCWD, "file-d", AT_FDCWD, "file-e", RENAME_NOREPLACE);
  CALL(link, "file-a", "file-l");
  CALL(linkat, AT_FDCWD, "file-a", AT_FDCWD, "file-l2", AT_SYMLINK_FOLLOW);
  CALL(symlink, "target", "file-s");
  CALL(symlinkat, "target", AT_FDCWD, "file-s2");
  CALL(chmod, "file-a", 0604);
  CALL(fchmod, fd, 0600);
  CALL(fchmodat, AT_FDCWD, "file-a", 0644);
  CALL(chown, "file-a", -1, 0);
  CALL(fchown, fd, 0, 0);
  CALL(lchown, "file-s", 0, -1);
  CALL(fchownat, AT_FDCWD, "file-s", 0, 0, AT_SYMLINK_NOFOLLOW);
  CALL(utimensat, AT_FDCWD, "file-a", times, AT_SYMLINK_NOFOLLOW);
  CALL(utimensat, AT_FDCWD, "file-a", NULL, 0);
  CALL(utimes, "file-a", seconds);
  CALL(futimesat, AT_FDCWD, "file-a", seconds);
  CALL(utime, "file-a", &both);
  CALL(mknod, "fifo", S_IFIFO | 0600, 0);
  CALL(unlink, "file-l");
  CALL(unlinkat, AT_FDCWD, "dir2", AT_REMOVEDIR);
  CALL(rmdir, "dir");
  CALL(setxattr, "file-a", "user.name", "value", 5, XATTR_CREATE);
  CALL(fsetxattr, fd, "user.other", "v", 1, 0);
  CALL(removexattr, "file-a", "user.name");
  CALL(fremovexattr, fd, "user.other");
  CALL(lremovexattr, "file-a", "user.none");
  CALL(inotify_init1, IN_CLOEXEC | IN_NONBLOCK);
  CALL(inotify_add_watch, 3, "file-a", IN_MODIFY | IN_CREATE | IN_ONLYDIR);
  CALL(inotify_rm_watch, 3, 1);
  CALL(pipe2, NULL, O_CLOEXEC | O_NONBLOCK);
  CALL(splice, 100, NULL, 101, NULL, 4096, 1 | 4);
  CALL(tee, 100, 101, 10, 2);
  CALL(vmsplice, 100, vector, 1, 8);
  CALL(sendfile, 100, 101, NULL, 10);
  CALL(copy_file_range, 100, NULL, 101, NULL, 10, 0);
  CALL(readahead, fd, 0, 4096);
  CALL(chdir, "/no/such");
  CALL(fchdir, 100);
  CALL(chroot, "/no/such");
  CALL(mount, "none", "/no/such", "tmpfs", MS_NOSUID | MS_RDONLY, "size=1m");
  CALL(umount2, "/no/such", MNT_DETACH);
  CALL(pivot_root, "/no", "/such");
  CALL(swapoff, "/no/such");
  CALL(acct, "/no/such");
  CALL(close, 999);
  CALL(close_range, 1000, 2000, 4);
}

static void memory(void) {
  char *at =
      (char *)syscall(SYS_mmap, NULL, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

  CALL(mprotect, at, 4096, PROT_READ | PROT_EXEC);
  CALL(mprotect, at, 4096, PROT_NONE);
  CALL(madvise, at, 8192, MADV_DONTNEED);
  CALL(msync, at, 4096, MS_ASYNC);
  CALL(mlock, at + 4096, 4096);
  CALL(mlock2, at + 4096, 4096, 1);
  CALL(munlock, at + 4096, 4096);
  CALL(mlockall, MCL_FUTURE);
  CALL(munlockall);
  CALL(mremap, at, 8192, 16384, MREMAP_MAYMOVE, 0);
  CALL(munmap, at, 4096);
  CALL(brk, NULL);
  CALL(memfd_create, "memory", MFD_CLOEXEC | MFD_ALLOW_SEALING);
  CALL(pkey_free, 5);
  CALL(membarrier, 0, 0);
}

static void processes(void) {
  struct rlimit limit = {1000, RLIM_INFINITY};
  struct sched_param param = {0};

  CALL(getpid);
  CALL(getppid);
  CALL(gettid);
  CALL(getuid);
  CALL(geteuid);
  CALL(getgid);
  CALL(getegid);
  CALL(getpgrp);
  CALL(getpgid, 0);
  CALL(getsid, 0);
  CALL(setpgid, 0, 0);
  CALL(setuid, 0);
  CALL(setgid, 0);
  CALL(setreuid, -1, 0);
  CALL(setresgid, 0, -1, 0);
  CALL(getpriority, PRIO_PROCESS, 0);
  CALL(setpriority, PRIO_PROCESS, 0, 5);
  CALL(setrlimit, RLIMIT_NOFILE, &limit);
  CALL(prlimit64, 0, RLIMIT_CORE, &limit, NULL);
  CALL(sched_yield);
  CALL(sched_setscheduler, 0, SCHED_BATCH, &param);
  CALL(sched_getscheduler, 0);
  CALL(sched_get_priority_max, SCHED_FIFO);
  CALL(sched_setparam, 0, &param);
  CALL(unshare, CLONE_NEWUTS | CLONE_FILES);
  CALL(setns, 100, CLONE_NEWNET);
  CALL(wait4, -1, NULL, WNOHANG | WUNTRACED, NULL);
  CALL(waitid, P_PID, 1, NULL, WEXITED | WNOHANG, NULL);
  CALL(personality, 0xffffffff);
  CALL(ptrace, PTRACE_CONT, 999999, 0, SIGUSR1);
  CALL(capset, NULL, NULL);
  CALL(kcmp, 1, 1, 1, 0, 0);
  CALL(seccomp, 1, 1, NULL);
  CALL(umask, 022);
  CALL(sethostname, "host", 4);
  CALL(execve, "/no/such/program", (char *[]){"program", "an argument", "two", NULL}, (char *[]){"A=1", NULL});
}

static void signals(void) {
  struct {
    void *handler;
    unsigned long flags;
    void *restorer;
    unsigned long mask;
  } action = {SIG_IGN, SA_RESTART | SA_NODEFER, NULL, 1ul << (SIGINT - 1) | 1ul << (SIGTERM - 1)};
  unsigned long mask = 1ul << (SIGUSR1 - 1) | 1ul << (SIGUSR2 - 1), most = ~(1ul << (SIGKILL - 1));
  struct timespec second = {0, 1000};
  stack_t stack = {.ss_sp = (void *)0x10000, .ss_size = 8192, .ss_flags = SS_DISABLE};

  CALL(rt_sigaction, SIGUSR1, &action, NULL, 8);
  CALL(rt_sigaction, SIGCHLD, NULL, NULL, 8);
  CALL(rt_sigprocmask, SIG_BLOCK, &mask, NULL, 8);
  CALL(rt_sigprocmask, SIG_SETMASK, &most, NULL, 8);
  CALL(rt_sigprocmask, SIG_UNBLOCK, &most, NULL, 8);
  CALL(rt_sigpending, NULL, 8);
  CALL(rt_sigtimedwait, &mask, NULL, &second, 8);
  CALL(kill, 0, 0);
  CALL(kill, getpid(), SIGUSR1);
  CALL(tkill, getpid(), SIGUSR1);
  CALL(tgkill, getpid(), getpid(), SIGUSR1);
  CALL(sigaltstack, &stack, NULL);
  CALL(signalfd4, -1, &mask, 8, SFD_CLOEXEC | SFD_NONBLOCK);
}

static void sockets(void) {
  struct sockaddr_in v4 = {.sin_family = AF_INET, .sin_port = htons(4242), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  struct sockaddr_in6 v6 = {.sin6_family = AF_INET6, .sin6_port = htons(80), .sin6_addr = IN6ADDR_LOOPBACK_INIT};
  struct sockaddr_un local = {.sun_family = AF_UNIX, .sun_path = "socket"};
  struct iovec vector[2] = {{"one\n", 4}, {"two", 3}};
  struct msghdr message = {.msg_iov = vector, .msg_iovlen = 2};
  int one = 1, s = (int)syscall(SYS_socket, AF_INET, SOCK_STREAM | SOCK_CLOEXEC, IPPROTO_TCP), pair[2];

  CALL(socket, AF_INET6, SOCK_DGRAM, IPPROTO_UDP);
  CALL(socket, AF_UNIX, SOCK_SEQPACKET | SOCK_NONBLOCK, 0);
  CALL(socket, AF_NETLINK, SOCK_RAW, 4);
  CALL(setsockopt, s, SOL_SOCKET, SO_REUSEADDR, &one, sizeof(one));
  CALL(setsockopt, s, IPPROTO_TCP, TCP_NODELAY, &one, sizeof(one));
  CALL(getsockopt, s, SOL_SOCKET, SO_ERROR, NULL, NULL);
  CALL(bind, s, &v4, sizeof(v4));
  CALL(listen, s, 5);
  CALL(connect, 100, &v4, sizeof(v4));
  CALL(connect, 100, &v6, sizeof(v6));
  CALL(connect, 100, &local, sizeof(local));
  CALL(accept4, 100, NULL, NULL, SOCK_NONBLOCK);
  CALL(accept, 100, NULL, NULL);
  CALL(getsockname, 100, NULL, NULL);
  CALL(getpeername, 100, NULL, NULL);
  CALL(socketpair, AF_UNIX, SOCK_STREAM, 0, pair);
  CALL(sendto, pair[0], "data", 4, MSG_NOSIGNAL | MSG_DONTWAIT, NULL, 0);
  CALL(sendto, 100, "data", 4, 0, &v4, sizeof(v4));
  CALL(sendmsg, pair[0], &message, MSG_NOSIGNAL);
  CALL(recvfrom, 100, NULL, 0, MSG_PEEK | MSG_TRUNC, NULL, NULL);
  CALL(shutdown, pair[0], SHUT_WR);
}

static void ipc(void) {
  struct pollfd wanted[2] = {{.fd = 0, .events = POLLIN}, {.fd = 5, .events = POLLOUT | POLLPRI}};
  struct epoll_event event = {.events = EPOLLIN | EPOLLET, .data.u64 = 7};
  struct timespec moment = {0, 1000};
  struct timeval brief = {0, 1000};
  struct itimerval timer = {{0, 0}, {100, 5}};
  struct itimerspec spec = {{1, 2}, {3, 4}};
  struct sembuf operation = {0, -1, IPC_NOWAIT};
  unsigned word = 0;

  CALL(poll, wanted, 2, 0);
  CALL(ppoll, wanted, 1, &moment, NULL, 8);
  CALL(select, 0, NULL, NULL, NULL, &brief);
  CALL(epoll_create1, EPOLL_CLOEXEC);
  CALL(epoll_ctl, 100, EPOLL_CTL_ADD, 5, &event);
  CALL(epoll_wait, 100, NULL, 5, 10);
  CALL(eventfd2, 5, EFD_CLOEXEC | EFD_NONBLOCK);
  CALL(timerfd_create, CLOCK_MONOTONIC, TFD_NONBLOCK);
  CALL(timerfd_settime, 100, 1, &spec, NULL);
  CALL(setitimer, ITIMER_REAL, &timer, NULL);
  CALL(alarm, 0);
  CALL(nanosleep, &moment, NULL);
  CALL(clock_nanosleep, CLOCK_MONOTONIC, TIMER_ABSTIME, &moment, NULL);
  CALL(clock_gettime, 9, NULL);
  CALL(clock_settime, CLOCK_MONOTONIC, &moment);
  CALL(timer_delete, 77);
  CALL(futex, &word, 129, 1, NULL, NULL, 0);
  CALL(semget, IPC_PRIVATE, 1, IPC_CREAT | 0600);
  CALL(semop, 9999, &operation, 1);
  CALL(semctl, 9999, 0, IPC_RMID, 0);
  CALL(shmget, 0x1234, 4096, IPC_CREAT | IPC_EXCL | 0644);
  CALL(shmat, 9999, NULL, SHM_RDONLY);
  CALL(shmctl, 9999, IPC_STAT, NULL);
  CALL(shmdt, NULL);
  CALL(msgget, 0x4321, 0);
  CALL(msgsnd, 9999, NULL, 5, IPC_NOWAIT);
  CALL(msgrcv, 9999, NULL, 5, -1, IPC_NOWAIT | MSG_NOERROR);
  CALL(msgctl, 9999, IPC_RMID, NULL);
  CALL(getrandom, NULL, 0, 1);
  CALL(perf_event_open, NULL, 0, -1, -1, 8);
  CALL(fanotify_init, 0xc, 0);
  CALL(sync);
  CALL(syncfs, 100);
}

int main(int argc, char **argv) {
  static const struct {
    const char *name;
    void (*run)(void);
  } families[] = {{"files", files},     {"memory", memory}, {"signals", signals},
                  {"sockets", sockets}, {"ipc", ipc},       {"processes", processes}};

  for (unsigned i = 0; i < sizeof(families) / sizeof(families[0]); i++)
    if (argc > 1 && !strcmp(argv[1], families[i].name)) {
      CALL(umask, 0123);
      families[i].run();
      CALL(umask, 0123);
      return 0;
    }
  return 2;
}
