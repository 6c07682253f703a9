//go:build !(darwin || dragonfly || freebsd || illumos || linux || netbsd || openbsd || windows)

package filelock

import (
	"errors"
	"os"
)

// Supported is false: locks end when any opening of the file is closed, or there are none.
const Supported = false

func tryLock(*os.File) (bool, error) { return false, errors.ErrUnsupported }

func unlock(*os.File) error { return errors.ErrUnsupported }

// SyncDir is not supported.
func SyncDir(*os.Root) error { return errors.ErrUnsupported }
