//go:build !unix

package processgroup

import "os/exec"

// EndTogether does nothing on this operating system: only the command itself is killed when its context ends.
func EndTogether(*exec.Cmd) {}
