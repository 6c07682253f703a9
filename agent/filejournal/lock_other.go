//go:build !(darwin || dragonfly || freebsd || illumos || linux || netbsd || openbsd || windows)

package filejournal

import (
	"errors"
	"os"
)

// canLock is false where locks end when any opening of the file is closed, or there are none.
const canLock = false

func tryLock(*os.File) (bool, error) { return false, errors.ErrUnsupported }

func unlock(*os.File) error { return errors.ErrUnsupported }

func syncDir(*os.Root) error { return errors.ErrUnsupported }
