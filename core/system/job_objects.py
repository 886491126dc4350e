"""Job objects of Windows: groups of processes that end together and share a limit of memory.

What a process of a job starts is in the job too, a launcher's Python like a library's helper.
Other systems have no such groups: there a child ends when its standard input does.
"""

import ctypes
import sys
from functools import cache
from typing import Final

SUSPENDED: Final = 0x00000004
"""Flag of `CreateProcess` for a process that starts nothing before it is in its jobs."""

BREAKAWAY: Final = 0x01000000
"""Flag of `CreateProcess` for a process that is in none of this one's jobs."""

_JOB_MEMORY, _BREAKAWAY_OK, _KILL_ON_CLOSE = 0x0200, 0x0800, 0x2000
_EXTENDED_LIMITS = 9  # of SetInformationJobObject


class _BasicLimits(ctypes.Structure):
    _fields_ = (
        ("process_time", ctypes.c_int64),
        ("job_time", ctypes.c_int64),
        ("flags", ctypes.c_uint32),
        ("min_working_set", ctypes.c_size_t),
        ("max_working_set", ctypes.c_size_t),
        ("num_processes", ctypes.c_uint32),
        ("affinity", ctypes.c_size_t),
        ("priority", ctypes.c_uint32),
        ("scheduling", ctypes.c_uint32),
    )


class ExtendedLimits(ctypes.Structure):
    """Limits of a job, as `JOBOBJECT_EXTENDED_LIMIT_INFORMATION` lays them out."""

    _fields_ = (
        ("basic", _BasicLimits),
        ("transfers", ctypes.c_uint64 * 6),
        ("process_memory", ctypes.c_size_t),
        ("job_memory", ctypes.c_size_t),
        ("peak_process_memory", ctypes.c_size_t),
        ("peak_job_memory", ctypes.c_size_t),
    )


def job_limits(memory_bytes: int | None = None) -> ExtendedLimits:
    """Returns the limits of a job.

    Args:
        memory_bytes: Memory that its processes may take together. None for a job without such a
            limit, whose processes end with its last handle, except those that break away.

    Returns:
        The limits.
    """
    limits = ExtendedLimits()
    if memory_bytes is None:
        limits.basic.flags = _KILL_ON_CLOSE | _BREAKAWAY_OK
    else:
        limits.basic.flags, limits.job_memory = _JOB_MEMORY, memory_bytes
    return limits


if sys.platform == "win32":
    _KERNEL = ctypes.WinDLL("kernel32", use_last_error=True)
    _KERNEL.CreateJobObjectW.restype = ctypes.c_void_p

    def contain(process: int, memory_bytes: int | None = None) -> None:
        """Puts a suspended process into its jobs, and lets it run.

        It ends with this process at the latest, however this one ends. A job that the system
        refuses is left out: parents end their children and look at their memory, too.

        Args:
            process: Its handle.
            memory_bytes: Memory that it may take with all that it starts; None for any.

        Raises:
            OSError: If it cannot be let run.
        """
        _assign(_children(), process)
        if memory_bytes is not None:
            job = _create_job(memory_bytes)
            _assign(job, process)
            _KERNEL.CloseHandle(job)  # the limit lasts as long as the processes
        if ctypes.WinDLL("ntdll").NtResumeProcess(ctypes.c_void_p(process)):
            raise OSError("it does not begin")

    def _assign(job: ctypes.c_void_p, process: int) -> None:
        _KERNEL.AssignProcessToJobObject(job, ctypes.c_void_p(process))

    @cache
    def _children() -> ctypes.c_void_p:
        """The job of all that this process starts; its handle is closed with this process."""
        return _create_job()

    def _create_job(memory_bytes: int | None = None) -> ctypes.c_void_p:
        job = ctypes.c_void_p(_KERNEL.CreateJobObjectW(None, None))
        limits = job_limits(memory_bytes)
        _KERNEL.SetInformationJobObject(
            job, _EXTENDED_LIMITS, ctypes.byref(limits), ctypes.sizeof(limits)
        )
        return job
