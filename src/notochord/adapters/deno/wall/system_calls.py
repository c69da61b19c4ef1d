"""The numbers of the system calls that a guest is refused, for each processor that the wall knows."""

from typing import NamedTuple


class Processor(NamedTuple):
    """What a filter has to know of a processor; `x32` marks the one with a second table behind bit 30."""

    audit: int
    column: int
    clone: int
    kill: int
    kill_thread: int
    limits: int
    x32: bool


PROCESSORS = {
    "x86_64": Processor(0xC000003E, 0, clone=56, kill=62, kill_thread=234, limits=302, x32=True),
    "aarch64": Processor(0xC00000B7, 1, clone=220, kill=129, kill_thread=131, limits=261, x32=False),
}
CLONE3 = 435
CLONE_THREAD = 0x00010000
X32_BIT = 0x40000000

REFUSED: dict[str, tuple[int | None, int | None]] = {
    # -- network
    "socket": (41, 198), "connect": (42, 203), "accept": (43, 202), "sendto": (44, 206), "bind": (49, 200),
    "listen": (50, 201), "accept4": (288, 242), "sendmmsg": (307, 269),
    # -- other processes
    "ptrace": (101, 117), "process_vm_readv": (310, 270), "process_vm_writev": (311, 271), "fork": (57, None),
    "vfork": (58, None), "kcmp": (312, 272), "pidfd_open": (434, 434), "pidfd_getfd": (438, 438),
    "pidfd_send_signal": (424, 424), "process_madvise": (440, 440), "tkill": (200, 130),
    "rt_sigqueueinfo": (129, 138), "rt_tgsigqueueinfo": (297, 240), "execveat": (322, 281),
    # -- names and rights of files
    "symlink": (88, None), "symlinkat": (266, 36), "link": (86, None), "linkat": (265, 37), "mknod": (133, None),
    "mknodat": (259, 33), "chmod": (90, None), "fchmod": (91, 52), "fchmodat": (268, 53), "fchmodat2": (452, 452),
    "chown": (92, None), "fchown": (93, 55), "lchown": (94, None), "fchownat": (260, 54), "setxattr": (188, 5),
    "lsetxattr": (189, 6), "fsetxattr": (190, 7), "open_by_handle_at": (304, 265), "name_to_handle_at": (303, 264),
    # -- the system
    "mount": (165, 40), "umount2": (166, 39), "pivot_root": (155, 41), "chroot": (161, 51), "unshare": (272, 97),
    "setns": (308, 268), "open_tree": (428, 428), "move_mount": (429, 429), "fsopen": (430, 430),
    "fsconfig": (431, 431), "fsmount": (432, 432), "fspick": (433, 433), "mount_setattr": (442, 442),
    "bpf": (321, 280), "perf_event_open": (298, 241), "userfaultfd": (323, 282), "keyctl": (250, 219),
    "add_key": (248, 217), "request_key": (249, 218), "io_uring_setup": (425, 425), "io_uring_enter": (426, 426),
    "io_uring_register": (427, 427), "kexec_load": (246, 104), "kexec_file_load": (320, 294),
    "init_module": (175, 105), "finit_module": (313, 273), "delete_module": (176, 106), "reboot": (169, 142),
    "swapon": (167, 224), "swapoff": (168, 225), "sethostname": (170, 161), "setdomainname": (171, 162),
    "iopl": (172, None), "ioperm": (173, None), "settimeofday": (164, 170), "clock_settime": (227, 112),
    "adjtimex": (159, 171), "clock_adjtime": (305, 266), "acct": (163, 89), "quotactl": (179, 60), "syslog": (103, 116),
}  # fmt: skip
