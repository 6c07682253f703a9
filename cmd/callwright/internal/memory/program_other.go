//go:build !linux

package memory

// ReleaseProgram does nothing: this operating system cannot release pages of the program file.
func ReleaseProgram() {}
