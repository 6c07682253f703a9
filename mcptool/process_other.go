//go:build !unix

package mcptool

import "os/exec"

// Without process groups and SIGTERM, a program exits when its standard input ends, or only the program itself is
// killed.

func ownGroup(*exec.Cmd) {}

func askToEnd(*exec.Cmd) {}

func killGroup(*exec.Cmd) {}
