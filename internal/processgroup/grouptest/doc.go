// Package grouptest contains helpers for tests that kill process groups.
package grouptest
