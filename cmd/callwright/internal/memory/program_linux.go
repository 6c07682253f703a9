package memory

import (
	"bytes"
	"os"
	"strconv"
	"syscall"
)

// ReleaseProgram releases the memory pages of the program file that startup has loaded. Otherwise these pages would
// count as memory of the process as long as it runs. The kernel reloads a page when it is needed, usually from its page
// cache.
func ReleaseProgram() {
	smaps, err := os.ReadFile("/proc/self/smaps")
	if err != nil {
		return
	}
	var from, to uint64 // address range of the current file mapping
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
		case from < to && string(f[0]) == "Anonymous:" && string(f[1]) == "0": // otherwise it was modified
			_, _, _ = syscall.Syscall(syscall.SYS_MADVISE, uintptr(from), uintptr(to-from), syscall.MADV_DONTNEED)
		}
	}
}
