//go:build !linux

package memory

// ReleaseProgram does nothing on this operating system.
func ReleaseProgram() {}
