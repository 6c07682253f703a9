package launch

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/callwright/callwright/internal/filelock"
)

// A Session is a temporary folder for the files of one start of an agent, accessible only to its owner. The process
// holds a lock until the session ends, so that other processes can recognize the session of a killed process.
type Session struct {
	Folder string
	lock   *os.File
	root   *os.Root
}

// lockEnding is the suffix of lock files, which are next to the folders of their sessions.
const lockEnding = ".lock"

// NewFolder returns the path for a new session in the folder dir. It does not create it.
func NewFolder(dir string) string {
	return filepath.Join(dir, sessionBegin+strings.ToLower(rand.Text()[:12]))
}

// sessionBegin is the prefix of session folders.
const sessionBegin = "session-"

// Begin creates the folder of a session and its parents. The caller must call End.
func Begin(ctx context.Context, folder string) (*Session, error) {
	dir := filepath.Dir(folder)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, err
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	s := &Session{Folder: folder, root: root}
	name := filepath.Base(folder)
	if s.lock, err = filelock.Open(ctx, root, name+lockEnding, os.O_CREATE); err != nil {
		return nil, errors.Join(err, root.Close())
	}
	if err := root.Mkdir(name, 0o700); err != nil {
		return nil, errors.Join(err, s.End())
	}
	return s, nil
}

// Write writes the files of a setup, whose paths must be in the session's folder.
func (s *Session) Write(files []File) error {
	for _, f := range files {
		name, err := filepath.Rel(s.Folder, f.Path)
		if err != nil || !filepath.IsLocal(name) {
			return fmt.Errorf("expected a file below %s, got %s", s.Folder, f.Path)
		}
		if err := s.root.WriteFile(filepath.Join(filepath.Base(s.Folder), name), []byte(f.Text), 0o600); err != nil {
			return err
		}
	}
	return nil
}

// End removes the session's folder and releases its lock.
func (s *Session) End() error { return errors.Join(s.remove(), s.root.Close()) }

// remove removes the session's folder and lock file, and releases the lock.
func (s *Session) remove() error {
	name := filepath.Base(s.Folder)
	err := s.root.RemoveAll(name)
	if err == nil {
		err = s.root.Remove(name + lockEnding)
	}
	return errors.Join(err, filelock.Release(s.lock))
}

// tryLock is the maximum wait for a lock. It is short, because a running session never releases its lock.
const tryLock = time.Millisecond

// Sweep removes the session folders in dir whose processes have ended, and returns their paths.
func Sweep(ctx context.Context, dir string) ([]string, error) {
	root, err := os.OpenRoot(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	entries, err := fs.ReadDir(root.FS(), ".")
	var swept []string
	for _, e := range entries {
		name, isLock := strings.CutSuffix(e.Name(), lockEnding)
		if !isLock || !strings.HasPrefix(name, sessionBegin) {
			continue
		}
		lock, failed := lockNow(ctx, root, e.Name(), 0)
		if failed != nil {
			continue // the session is running
		}
		left := &Session{Folder: filepath.Join(dir, name), root: root, lock: lock}
		if _, gone := root.Stat(name); gone == nil {
			swept = append(swept, left.Folder)
		}
		err = errors.Join(err, left.remove())
	}
	return swept, errors.Join(err, root.Close())
}
