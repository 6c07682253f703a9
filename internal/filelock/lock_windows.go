package filelock

import (
	"errors"
	"os"
	"syscall"
	"unsafe"
)

// Supported reports whether files can be locked on this operating system.
const Supported = true

var (
	kernel32     = syscall.NewLazyDLL("kernel32.dll")
	lockFileEx   = kernel32.NewProc("LockFileEx")
	unlockFileEx = kernel32.NewProc("UnlockFileEx")
)

// Flags and errors of LockFileEx, https://learn.microsoft.com/windows/win32/api/fileapi/nf-fileapi-lockfileex.
const (
	failImmediately = 1
	exclusive       = 2
	lockViolation   = syscall.Errno(33)
)

// beyond is the byte that is locked: none that a file has, since a lock keeps others from reading what it covers.
func beyond() *syscall.Overlapped { return &syscall.Overlapped{OffsetHigh: 0x7fffffff} }

// tryLock takes the lock of a file unless another one holds it. It belongs to this opening of the file, so it also holds off others of
// the same process.
func tryLock(f *os.File) (bool, error) {
	ok, _, err := lockFileEx.Call(f.Fd(), failImmediately|exclusive, 0, 1, 0, uintptr(unsafe.Pointer(beyond())))
	switch {
	case ok != 0:
		return true, nil
	case errors.Is(err, lockViolation), errors.Is(err, syscall.ERROR_IO_PENDING):
		return false, nil
	}
	return false, os.NewSyscallError("LockFileEx", err)
}

func unlock(f *os.File) error {
	if ok, _, err := unlockFileEx.Call(f.Fd(), 0, 1, 0, uintptr(unsafe.Pointer(beyond()))); ok == 0 {
		return os.NewSyscallError("UnlockFileEx", err)
	}
	return nil
}

// SyncDir does nothing: NTFS keeps the names in its own journal, and folders cannot be flushed.
func SyncDir(*os.Root) error { return nil }
