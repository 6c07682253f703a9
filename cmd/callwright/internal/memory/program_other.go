//go:build !linux

package memory

// ReleaseProgram does nothing where the system cannot be told.
func ReleaseProgram() {}
