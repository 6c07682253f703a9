package filelock

import (
	"errors"
	"os"

	"golang.org/x/sys/windows"
)

// Supported reports whether files can be locked on this operating system.
const Supported = true

// beyond is the locked byte: one behind the end of any file, since a lock keeps others from reading its bytes.
func beyond() *windows.Overlapped { return &windows.Overlapped{OffsetHigh: 0x7fffffff} }

// tryLock takes the lock of a file unless another one holds it. It belongs to this opening of the file, so it also
// holds off others of the same process.
func tryLock(f *os.File) (bool, error) {
	err := windows.LockFileEx(windows.Handle(f.Fd()), windows.LOCKFILE_FAIL_IMMEDIATELY|windows.LOCKFILE_EXCLUSIVE_LOCK, 0, 1, 0, beyond())
	switch {
	case err == nil:
		return true, nil
	case errors.Is(err, windows.ERROR_LOCK_VIOLATION), errors.Is(err, windows.ERROR_IO_PENDING):
		return false, nil
	}
	return false, os.NewSyscallError("LockFileEx", err)
}

func unlock(f *os.File) error {
	return os.NewSyscallError("UnlockFileEx", windows.UnlockFileEx(windows.Handle(f.Fd()), 0, 1, 0, beyond()))
}

// SyncDir does nothing: NTFS keeps the names in its own journal, and folders cannot be flushed.
func SyncDir(*os.Root) error { return nil }
