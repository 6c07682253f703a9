//go:build unix

package mcptool_test

import (
	"os/signal"
	"syscall"
)

func ignoreSignals() { signal.Ignore(syscall.SIGTERM) }

// alive reports whether there is a process, which may be a zombie.
func alive(pid int) bool { return syscall.Kill(pid, 0) == nil }
