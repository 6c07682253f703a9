// Package atomicfile replaces files whole: whatever is killed when, a file has its old text or its new one.
package atomicfile

import (
	"crypto/rand"
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/callwright/callwright/internal/filelock"
)

// ReplacePath replaces the text of the file at path. An existing file keeps its permissions, and a new one has perm,
// less the process's mask.
func ReplacePath(path string, text []byte, perm fs.FileMode) error {
	dir, err := os.OpenRoot(filepath.Dir(path))
	if err != nil {
		return err
	}
	name := filepath.Base(path)
	return errors.Join(Replace(dir, name, "."+name+"."+rand.Text()[:8]+".tmp", text, perm), dir.Close())
}

// Replace is ReplacePath for a file in a folder that is held open. temp is the name that the text has until it is
// whole, which no other writer may use. The text and the name are on disk when it returns.
func Replace(dir *os.Root, name, temp string, text []byte, perm fs.FileMode) error {
	old, err := dir.Stat(name)
	if err == nil {
		perm = old.Mode().Perm()
	}
	w, failed := dir.OpenFile(temp, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, perm)
	if failed != nil {
		return failed
	}
	_, failed = w.Write(text)
	if failed == nil && err == nil {
		failed = w.Chmod(perm) // whatever the process masks
	}
	if failed == nil {
		failed = w.Sync()
	}
	if failed = errors.Join(failed, w.Close()); failed == nil {
		failed = dir.Rename(temp, name)
	}
	if failed != nil {
		return errors.Join(failed, dir.Remove(temp))
	}
	return syncDir(dir)
}

// syncDir puts the name on disk, where the operating system can.
func syncDir(dir *os.Root) error {
	if err := filelock.SyncDir(dir); !errors.Is(err, errors.ErrUnsupported) {
		return err
	}
	return nil
}
