package paint_test

import (
	"os"
	"syscall"
	"unsafe"
)

// setWidth makes a terminal so many columns wide.
func setWidth(f *os.File, columns uint16) error {
	size := struct{ rows, columns, x, y uint16 }{24, columns, 0, 0}
	_, _, errno := syscall.Syscall(syscall.SYS_IOCTL, f.Fd(), syscall.TIOCSWINSZ, uintptr(unsafe.Pointer(&size)))
	if errno != 0 {
		return errno
	}
	return nil
}
