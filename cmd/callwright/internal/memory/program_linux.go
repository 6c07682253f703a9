package memory

import (
	"bytes"
	"os"
	"strconv"
	"syscall"
)

// ReleaseProgram releases the memory pages of the program file that were read at startup. The kernel reads a page again
// when it is needed, usually from its page cache. Otherwise the pages of startup code would count as memory of the
// process for as long as it runs.
func ReleaseProgram() {
	smaps, err := os.ReadFile("/proc/self/smaps")
	if err != nil {
		return
	}
	var from, to uint64 // of the part of a file that is being read about, from the file as it is
	for line := range bytes.Lines(smaps) {
		f := bytes.Fields(line)
		if len(f) < 2 {
			continue
		}
		begin, end, ok := bytes.Cut(f[0], []byte("-"))
		switch {
		case ok:
			from, to = 0, 0
			if mode := string(f[1]); len(f) == 6 && f[5][0] == '/' && (mode == "r-xp" || mode == "r--p") {
				from, _ = strconv.ParseUint(string(begin), 16, 64)
				to, _ = strconv.ParseUint(string(end), 16, 64)
			}
		case from < to && string(f[0]) == "Anonymous:" && string(f[1]) == "0": // else a linker or a debugger has written to it
			_, _, _ = syscall.Syscall(syscall.SYS_MADVISE, uintptr(from), uintptr(to-from), syscall.MADV_DONTNEED)
		}
	}
}
