//go:build (race || poison) && linux

package pool

import "syscall"

// lend gives memory of its own pages.
func lend(room int) []byte {
	b, err := syscall.Mmap(-1, 0, room, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
	if err != nil {
		panic(err)
	}
	return b[:0]
}

// takeBack has nobody read the memory any more. Its addresses are not used again.
func takeBack(b []byte) {
	pages := b[:cap(b)]
	if err := syscall.Madvise(pages, syscall.MADV_DONTNEED); err != nil {
		panic(err)
	}
	if err := syscall.Mprotect(pages, syscall.PROT_NONE); err != nil {
		panic(err)
	}
}
