package disktest

import (
	"os"
	"syscall"
	"testing"
)

// SmallDisk mounts a file system of limited size, such as "24m", until the end of the test. It skips the test if
// mounting is not permitted.
func SmallDisk(t *testing.T, size string) (dir string) {
	t.Helper()
	dir = t.TempDir()
	if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, "size="+size); err != nil {
		t.Skip("a file system cannot be mounted here:", err) // requires a privilege
	}
	t.Cleanup(func() {
		if err := syscall.Unmount(dir, syscall.MNT_DETACH); err != nil {
			t.Error(err)
		}
	})
	return dir
}

// ReadOnly makes a file system of SmallDisk read-only if is is true, and writable otherwise.
func ReadOnly(t *testing.T, dir string, is bool) {
	t.Helper()
	flags := uintptr(syscall.MS_REMOUNT)
	if is {
		flags |= syscall.MS_RDONLY
	}
	if err := syscall.Mount("", dir, "", flags, ""); err != nil {
		t.Fatal(err)
	}
}

// Fill writes to a file until the disk is full.
func Fill(t *testing.T, path string) {
	t.Helper()
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	piece := make([]byte, 4096)
	for err == nil {
		_, err = f.Write(piece)
	}
	_ = f.Close()
}
