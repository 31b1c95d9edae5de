# SPDX-License-Identifier: GPL-2.0-or-later
# For gdb: the stack of each waiting thread that the file "waiting" lists, "THREAD PROCESS NAME WAY". Of each frame its address, what
# kind it is, its name, and behind " | " the symbol that the code there belongs to.
import gdb

# What is inlined, and what has gone on with a jump to another function, has no address of its own on the stack.
KINDS = {gdb.INLINE_FRAME: "inlined", gdb.TAILCALL_FRAME: "jumped", gdb.SIGTRAMP_FRAME: "signal"}


def symbol(address):
    text = gdb.execute("info symbol %d" % address, to_string=True)
    return "" if text.startswith("No symbol") else text.split(" in section ")[0].split(" + ")[0]


for setting in ("confirm off", "pagination off", "backtrace past-main on"):
    gdb.execute("set " + setting)
for line in open("waiting"):
    tid, pid = line.split()[:2]
    gdb.execute("attach " + pid, to_string=True)
    for thread in gdb.selected_inferior().threads():
        if thread.ptid[1] == int(tid):
            thread.switch()
    print("stack", line.strip())
    frame = gdb.newest_frame()
    exact = True  # the frame's address is where the code is, not what a call returns to
    while frame:
        kind = KINDS.get(frame.type(), "normal")
        exact = exact or kind == "signal"
        print("%#x %s %s | %s" % (frame.pc(), kind, frame.name() or "", symbol(frame.pc() - (not exact))))
        if kind in ("normal", "signal"):
            exact = kind == "signal"
        frame = frame.older()
    print("end", flush=True)
    gdb.execute("detach", to_string=True)
