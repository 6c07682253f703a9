package secretfile

import (
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"
)

// A Set has one File for each path, so that users of the same file share its checks. It is safe for concurrent use.
type Set struct {
	now   func() time.Time
	mu    sync.Mutex
	files map[string]*File
}

// NewSet returns an empty Set. now returns the current time; nil means time.Now.
func NewSet(now func() time.Time) *Set { return &Set{now: now, files: map[string]*File{}} }

// Of returns the File of a path.
func (s *Set) Of(path string) *File {
	s.mu.Lock()
	defer s.mu.Unlock()
	f := s.files[path]
	if f == nil {
		f = New(path, s.now)
		s.files[path] = f
	}
	return f
}

// A Problem describes a file that cannot be read.
type Problem struct {
	Path string
	Err  error
	// Kept is set if the last secret that could be read is still used.
	Kept bool
}

// String describes the problem for people.
func (p Problem) String() string {
	text := fmt.Sprintf("the file %s cannot be read: %v", p.Path, p.Err)
	if p.Kept {
		text += "; the previous secret is used"
	}
	return text
}

// Problems returns the files that cannot be read, sorted by path.
func (s *Set) Problems() []Problem {
	s.mu.Lock()
	files := slices.Collect(maps.Values(s.files))
	s.mu.Unlock()
	var out []Problem
	for _, f := range files {
		if r := f.look(); r.err != nil {
			out = append(out, Problem{Path: f.path, Err: r.err, Kept: r.text != ""})
		}
	}
	slices.SortFunc(out, func(a, b Problem) int {
		if a.Path < b.Path {
			return -1
		}
		return 1
	})
	return out
}

// Texts returns a function that returns the secrets of files by name. paths maps names to file paths. Texts returns nil
// if paths is empty.
func Texts(paths map[string]string) func() map[string]string {
	if len(paths) == 0 {
		return nil
	}
	files := make(map[string]*File, len(paths))
	for name, path := range paths {
		files[name] = New(path, nil)
	}
	return func() map[string]string {
		out := make(map[string]string, len(files))
		for name, f := range files {
			out[name] = f.Text()
		}
		return out
	}
}
