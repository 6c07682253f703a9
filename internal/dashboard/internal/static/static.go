// Package static serves files whose names contain a hash of their content, so that browsers can cache them forever.
package static

import (
	"crypto/sha256"
	"encoding/hex"
	"io/fs"
	"net/http"
	"path"
	"strings"
)

// kinds are the content types of the served files by their extension. Other files, such as licenses, are not served.
var kinds = map[string]string{".js": "text/javascript; charset=utf-8", ".css": "text/css; charset=utf-8", ".svg": "image/svg+xml"}

// Files serves the files of a file system. Their base names must be unique. Create it with New. It is safe for
// concurrent use.
type Files struct {
	root  string
	names map[string]string // by original base name: the name with the hash
	files map[string]file
}

type file struct {
	kind string
	text []byte
}

// New reads all files of the file system from, including subdirectories, whose extension is in kinds. They are served
// below the path root.
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

// Path returns the URL path of a file with its original base name. If there is none, the error is fs.ErrNotExist.
func (s *Files) Path(own string) (string, error) {
	name, ok := s.names[own]
	if !ok {
		return "", &fs.PathError{Op: "find", Path: own, Err: fs.ErrNotExist}
	}
	return s.root + name, nil
}

// Serve writes the file with a hashed name. It returns false and writes nothing if there is none.
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
