//go:build !(darwin || dragonfly || freebsd || illumos || linux || netbsd || openbsd || windows)

package filelock

import (
	"errors"
	"os"
)

// Supported reports whether files can be locked on this operating system. Here, locks do not exist or are released when
// any descriptor of the file is closed.
const Supported = false

func tryLock(*os.File) (bool, error) { return false, errors.ErrUnsupported }

func unlock(*os.File) error { return errors.ErrUnsupported }

// SyncDir returns errors.ErrUnsupported.
func SyncDir(*os.Root) error { return errors.ErrUnsupported }
