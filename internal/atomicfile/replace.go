// Package atomicfile replaces files atomically: after a crash, a file has either its old or its new content.
package atomicfile

import (
	"crypto/rand"
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/callwright/callwright/internal/filelock"
)

// ReplacePath replaces the content of the file at path. An existing file keeps its permissions. A new file gets perm,
// reduced by the umask.
func ReplacePath(path string, text []byte, perm fs.FileMode) error {
	dir, err := os.OpenRoot(filepath.Dir(path))
	if err != nil {
		return err
	}
	name := filepath.Base(path)
	return errors.Join(Replace(dir, name, "."+name+"."+rand.Text()[:8]+".tmp", text, perm), dir.Close())
}

// Replace is like ReplacePath for the file name in an open folder. temp is the name of the temporary file, which no
// other process may use. The content and the folder entry are on disk when Replace returns.
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
		failed = w.Chmod(perm) // independent of the umask
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

// syncDir flushes the folder entries to disk if the operating system supports it.
func syncDir(dir *os.Root) error {
	if err := filelock.SyncDir(dir); !errors.Is(err, errors.ErrUnsupported) {
		return err
	}
	return nil
}
