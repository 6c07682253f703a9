package filelock

import (
	"errors"
	"os"

	"golang.org/x/sys/windows"
)

// Supported reports whether files can be locked on this operating system.
const Supported = true

// beyond returns the locked range: one byte far after the end of the file, because a lock prevents others from reading
// the locked bytes.
func beyond() *windows.Overlapped { return &windows.Overlapped{OffsetHigh: 0x7fffffff} }

// tryLock locks a file. It returns false if the file is already locked, also by another opening in this process.
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

// SyncDir does nothing. NTFS writes folder entries to its own journal, and Windows cannot flush a folder.
func SyncDir(*os.Root) error { return nil }
