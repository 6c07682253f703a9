package docsite

import (
	"bytes"
	"net/http"
	"os"
	"path"
	"path/filepath"
	"strings"
	"time"
)

// Write writes the files of the site into dir, which it creates if needed. It does not remove other files.
func (s *Site) Write(dir string) error {
	for name, text := range s.files {
		file := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil { //nolint:gosec // for a web server
			return err
		}
		if err := os.WriteFile(file, text, 0o644); err != nil { //nolint:gosec // for a web server
			return err
		}
	}
	return nil
}

// ServeHTTP serves the files of the documentation site.
func (s *Site) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	name := strings.TrimPrefix(path.Clean(r.URL.Path), "/")
	if strings.HasSuffix(r.URL.Path, "/") {
		name = path.Join(name, "index.html")
	}
	text, ok := s.files[name]
	if !ok {
		http.NotFound(w, r)
		return
	}
	w.Header().Set("Content-Security-Policy",
		"default-src 'none'; style-src 'self' 'unsafe-inline'; script-src 'self'; img-src 'self'; base-uri 'none'; frame-ancestors 'none'")
	w.Header().Set("X-Content-Type-Options", "nosniff")
	http.ServeContent(w, r, name, time.Time{}, bytes.NewReader(text))
}
