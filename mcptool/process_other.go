//go:build !unix

package mcptool

import "os/exec"

// There are no groups and no polite signals here: a program ends when its standard input does, or is killed alone.

func ownGroup(*exec.Cmd) {}

func askToEnd(*exec.Cmd) {}

func killGroup(*exec.Cmd) {}
