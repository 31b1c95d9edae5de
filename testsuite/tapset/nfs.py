# SPDX-License-Identifier: GPL-2.0-or-later
# Work with files of NFS in a known way and print what was done, as the probes should have it: nfs.py DIRECTORY VERSION
# Each line begins with the name of the test that it is for. Counters of the kernel are told by how much they grew.
import fcntl, mmap, os, sys

directory, version = sys.argv[1], int(sys.argv[2])
with open('/proc/mounts') as mounts:
    waits = any(words[1] == directory and 'write=wait' in words[3].split(',') for words in map(str.split, mounts))
with open('/proc/kallsyms') as symbols:
    splices = any(words[2] == 'nfs_file_splice_read' for words in map(str.split, symbols))

def tell(test, *words): print(test, *words)
def path(name): return os.path.join(directory, name)

def counter(file, line, place):
    with open('/proc/net/rpc/' + file) as lines:
        return next(int(words[place]) for words in map(str.split, lines) if words[0] == line)

# Where the counts of the client's procedures are, and of the server's.
names = ('lookup', 'create', 'remove', 'rename', 'read', 'write', 'commit')
places = dict(zip(names, (5, 10, 14, 16, 8, 9, 23) if version == 3 else (21, 27, 23, 24, 3, 4, 5)))
served = dict(zip(names, (5, 10, 14, 16, 8, 9, 23) if version == 3 else (17, 8, 30, 31, 27, 40, 7)))
def procedures():
    counts = {name: counter('nfs', 'proc%d' % version, places[name]) for name in names}
    counts.update({'served ' + name: counter('nfsd', 'proc3' if version == 3 else 'proc4ops', served[name]) for name in names})
    counts.update({'requests': counter('nfsd', 'rpc', 1),
                   'bytes read': counter('nfsd', 'io', 1), 'bytes written': counter('nfsd', 'io', 2)})
    return counts

def drop_caches():
    with open('/proc/sys/vm/drop_caches', 'w') as file:
        file.write('3')

os.stat(directory)
before = procedures()
opened = closed = 0
def open_file(name, flags):
    global opened
    opened += 1
    return os.open(path(name), flags, 0o640)
def close_file(fd):
    global closed
    closed += 1
    os.close(fd)

os.mkdir(path('sub'))
for i in range(3):
    assert not os.path.exists(path('missing%d' % i))

inodes = 0
for i in range(5):
    fd = open_file('file%d' % i, os.O_RDWR | os.O_CREAT | os.O_EXCL)
    os.write(fd, b'x' * 6000)
    os.write(fd, b'y' * 4000)
    os.fsync(fd)
    os.lseek(fd, 100 * (i + 1), os.SEEK_SET)
    os.lseek(fd, 0, os.SEEK_END)
    inodes += os.fstat(fd).st_ino
    close_file(fd)

# With the option write=wait the server has what is written here when the call ends, but not on its disk: the pages must stay.
fd = open_file('file0', os.O_WRONLY)
os.write(fd, b'w' * 10000)
if waits:
    drop_caches()
os.fsync(fd)
close_file(fd)
drop_caches()

for i in range(5):
    fd = open_file('file%d' % i, os.O_RDONLY)
    assert len(os.read(fd, 10000)) == 10000
    close_file(fd)
drop_caches()

# A part of a page is written that is not in the cache, then another part of it read.
writer = open_file('file1', os.O_WRONLY)
reader = open_file('file1', os.O_RDONLY)
os.pwrite(writer, b'z' * 10, 5000)
assert os.pread(reader, 100, 4990) == b'x' * 10 + b'z' * 10 + b'x' * 80
close_file(writer)
close_file(reader)

fd = open_file('file2', os.O_RDWR)
memory = mmap.mmap(fd, 8192, mmap.MAP_SHARED, mmap.PROT_READ)
assert memory[0] == ord('x')
memory.close()
closed += 1 # mmap has a descriptor of its own
fcntl.lockf(fd, fcntl.LOCK_EX, 100, 50)
fcntl.lockf(fd, fcntl.LOCK_UN, 100, 50)
fcntl.fcntl(fd, fcntl.F_SETFL, os.O_APPEND)
try:
    fcntl.fcntl(fd, fcntl.F_SETFL, os.O_APPEND | os.O_DIRECT)
except OSError as error:
    refused = error.errno
fcntl.fcntl(fd, fcntl.F_SETFL, 0)
ends = os.pipe()
assert os.sendfile(ends[1], fd, 0, 3000) == 3000
close_file(fd)

os.rename(path('file4'), path('a new name'))
os.rename(path('a new name'), path('sub/file4'))
handle = os.stat(directory)
for i in range(4):
    os.remove(path('file%d' % i))
os.remove(path('sub/file4'))
os.rmdir(path('sub'))

after = procedures()
grew = {name: after[name] - before[name] for name in after}

tell('nfs', 'device %d:%d' % (os.major(handle.st_dev), os.minor(handle.st_dev)))
tell('nfs', 'llseek', 5, 1500, 'SEEK_SET,', 5, 0, 'SEEK_END, to', 1500 + 5 * 10000)
tell('nfs', 'read 5 times 10000 from 0, 1 time 100 from 4990, in all', 50100 + 3000)
tell('nfs', 'write 5 times 6000, 5 times 4000, 1 time 10000, 1 time 10 at 5000, in all', 60010)
tell('nfs', 'fsync 6 inodes', inodes, 'left 0')
tell('nfs', 'open', opened if version == 3 else 'some', 'flush', closed, 'release', opened)
tell('nfs', 'mmap 8192 file2')
tell('nfs', 'lock 7 1 50 149, 7 2 50 149')
tell('nfs', 'check_flags 2 refused', -refused)
tell('nfs', 'sendfile', 3000 if splices else 0)
tell('nfs', 'written to pages', 60010, 'and', 60010)
tell('nfs', 'released', 3 if waits else 0)
tell('nfs', 'pages from the server', grew['read'])

asked = dict(grew)
if version == 4: # makes files by opening them, and directories by the same procedure as devices; removes directories as files
    asked['create'] -= 1
    asked['remove'] -= 1
for name in names:
    tell('nfs_proc', name, asked[name])
tell('nfs_proc', 'missing 3 ENOENT 3')
tell('nfs_proc', 'renamed file4 to a new name, a new name to file4')
tell('nfs_proc', 'removed file0 file1 file2 file3 file4')
tell('nfs_proc', 'bytes read', grew['bytes read'], 'written', grew['bytes written'])
tell('nfs_proc', 'bytes asked for', 60010, 'to be written')
tell('nfs_proc', 'open', opened, 'release', opened)
tell('nfs_proc', 'exceptions', 0 if version == 3 else 3)

for name in names:
    tell('nfsd', name, grew['served ' + name])
tell('nfsd', 'requests', grew['requests'])
tell('nfsd', 'bytes read', grew['bytes read'], 'written', grew['bytes written'])
tell('nfsd', 'files file0 file1 file2 file3 file4, directory sub')
tell('nfsd', 'removed file0 file1 file2 file3 file4 and sub')
tell('nfsd', 'renamed file4 to a new name, a new name to file4')
tell('nfsd', 'missing 3')
