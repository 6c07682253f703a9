//go:build !unix

package mcptool_test

import "os"

func ignoreSignals() {}

// alive reports whether there is a process.
func alive(pid int) bool {
	p, err := os.FindProcess(pid)
	if err == nil {
		_ = p.Release()
	}
	return err == nil
}
