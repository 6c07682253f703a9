// Package filelock locks files across processes and writes the names in a folder to disk.
//
// The locks are advisory (flock, on Windows LockFileEx), and end with the process. They need a file system on which
// such locks work: one of the machine itself, not one of a network.
package filelock

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"time"
)

// The waits for a lock that another one holds: the first, and the longest.
const (
	firstWait = 200 * time.Microsecond
	maxWait   = 10 * time.Millisecond
)

// Open opens a file that is there or, with os.O_CREATE in flag, made, and takes its lock. The file is the one that has
// the name while the lock is held, to others of the same process too. The caller ends with Release.
func Open(ctx context.Context, root *os.Root, name string, flag int) (*os.File, error) {
	for {
		f, err := root.OpenFile(name, os.O_RDWR|flag, 0o600)
		if err != nil {
			return nil, err
		}
		if err := wait(ctx, f); err != nil {
			return nil, errors.Join(err, f.Close())
		}
		current, err := isNamed(root, f, name)
		if current && err == nil {
			return f, nil
		}
		if err := errors.Join(err, Release(f)); err != nil {
			return nil, err
		}
	}
}

// wait takes the lock of a file.
func wait(ctx context.Context, f *os.File) error {
	for pause := firstWait; ; pause = min(2*pause, maxWait) {
		ok, err := tryLock(f)
		if ok || err != nil {
			return err
		}
		timer := time.NewTimer(pause)
		select {
		case <-ctx.Done():
			timer.Stop()
			return ctx.Err()
		case <-timer.C:
		}
	}
}

// isNamed reports whether the file still has the name: it may have been removed while its lock was waited for.
func isNamed(root *os.Root, f *os.File, name string) (bool, error) {
	is, err := f.Stat()
	if err != nil {
		return false, err
	}
	named, err := root.Stat(name)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	return err == nil && os.SameFile(is, named), err
}

// Release gives the lock back and closes the file.
func Release(f *os.File) error { return errors.Join(unlock(f), f.Close()) }
