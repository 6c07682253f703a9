// Package static serves files under names that have a hash of their content, so that browsers may keep them for ever.
package static

import (
	"crypto/sha256"
	"encoding/hex"
	"io/fs"
	"net/http"
	"path"
	"strings"
)

// kinds are the files that are served, by the ends of their names; others, such as licences, are not.
var kinds = map[string]string{".js": "text/javascript; charset=utf-8", ".css": "text/css; charset=utf-8", ".svg": "image/svg+xml"}

// Files are those of a file system, of which no two have the same name. Use New. It is safe for concurrent use.
type Files struct {
	root  string
	names map[string]string // with the hash, by the file's own
	files map[string]file
}

type file struct {
	kind string
	text []byte
}

// New reads the files, also those in folders, which are served below root.
func New(from fs.FS, root string) (*Files, error) {
	s := &Files{root, map[string]string{}, map[string]file{}}
	return s, fs.WalkDir(from, ".", func(name string, d fs.DirEntry, err error) error {
		kind := kinds[path.Ext(name)]
		if err != nil || d.IsDir() || kind == "" {
			return err
		}
		text, err := fs.ReadFile(from, name)
		if err != nil {
			return err
		}
		sum, own := sha256.Sum256(text), path.Base(name)
		end := path.Ext(own)
		s.names[own] = strings.TrimSuffix(own, end) + "." + hex.EncodeToString(sum[:6]) + end
		s.files[s.names[own]] = file{kind, text}
		return nil
	})
}

// Path returns the address of a file by its own name.
func (s *Files) Path(own string) (string, error) {
	name, ok := s.names[own]
	if !ok {
		return "", &fs.PathError{Op: "find", Path: own, Err: fs.ErrNotExist}
	}
	return s.root + name, nil
}

// Serve answers with the file of a name, and reports whether there is one. Of one that is not there nothing is written.
func (s *Files) Serve(w http.ResponseWriter, name string) bool {
	f, ok := s.files[name]
	if !ok {
		return false
	}
	w.Header().Set("Content-Type", f.kind)
	w.Header().Set("Cache-Control", "public, max-age=31536000, immutable")
	_, _ = w.Write(f.text)
	return true
}
