// Package filelock locks files across processes, and flushes folders to disk.
//
// The locks are advisory (flock, on Windows LockFileEx) and are released when the process ends. They require a local
// file system; on a network file system they may not work.
package filelock

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"time"
)

// Pauses between attempts to lock a file: the first and the longest.
const (
	firstWait = 200 * time.Microsecond
	maxWait   = 10 * time.Millisecond
)

// Open opens a file in root and locks it. With os.O_CREATE in flag, it creates the file if necessary. It waits until
// the lock is free or ctx ends. The lock also excludes other openings in this process. If the file was removed or
// replaced during the wait, Open opens the new one. The caller must call Release.
func Open(ctx context.Context, root *os.Root, name string, flag int) (*os.File, error) {
	for {
		f, err := root.OpenFile(name, os.O_RDWR|flag, 0o600)
		if err != nil {
			return nil, err
		}
		if err := lockWait(ctx, f); err != nil {
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

// lockWait waits until it holds the exclusive lock of a file. It returns an error if ctx ends first.
func lockWait(ctx context.Context, f *os.File) error {
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

// isNamed reports whether name still refers to the file f. Another process may have removed the file during the wait
// for its lock.
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

// Release unlocks and closes a file.
func Release(f *os.File) error { return errors.Join(unlock(f), f.Close()) }
