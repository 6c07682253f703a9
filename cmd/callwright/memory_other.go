//go:build !linux

package main

// releaseProgram does nothing where the system cannot be told.
func releaseProgram() {}
