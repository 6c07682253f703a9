//go:build (race || poison) && linux

package pool

import "syscall"

// lend returns an empty slice with capacity room in newly mapped memory pages.
func lend(room int) []byte {
	b, err := syscall.Mmap(-1, 0, room, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
	if err != nil {
		panic(err)
	}
	return b[:0]
}

// takeBack makes the memory pages inaccessible. Their addresses are not reused.
func takeBack(b []byte) {
	pages := b[:cap(b)]
	if err := syscall.Madvise(pages, syscall.MADV_DONTNEED); err != nil {
		panic(err)
	}
	if err := syscall.Mprotect(pages, syscall.PROT_NONE); err != nil {
		panic(err)
	}
}
