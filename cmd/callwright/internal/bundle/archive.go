package bundle

import (
	"archive/zip"
	"bytes"
	"strings"
	"time"
)

// A File is one of an archive.
type File struct {
	Name string
	Data []byte
}

// epoch is the time of all files, so that equal bundles have equal bytes: the first that zip archives can say.
var epoch = time.Date(1980, 1, 1, 0, 0, 0, 0, time.UTC)

// folder is the name of the folder in the archive. An id may hold any text: characters that names of files cannot have
// are replaced.
func (b *Bundle) folder() string {
	return "callwright-" + strings.Map(func(r rune) rune {
		if r == '-' || r == '_' || '0' <= r && r <= '9' || 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' {
			return r
		}
		return '_'
	}, b.ID[:min(len(b.ID), 100)])
}

// FileName is the name of the archive.
func (b *Bundle) FileName() string { return b.folder() + ".zip" }

// Zip returns the archive: the files in their order, below a folder that has the name of the request.
func (b *Bundle) Zip() ([]byte, error) {
	var out bytes.Buffer
	z := zip.NewWriter(&out)
	for _, f := range b.Files {
		head := &zip.FileHeader{Name: b.folder() + "/" + f.Name, Method: zip.Deflate, Modified: epoch}
		head.SetMode(0o600)
		w, err := z.CreateHeader(head)
		if err != nil {
			return nil, err
		}
		if _, err := w.Write(f.Data); err != nil {
			return nil, err
		}
	}
	if err := z.Close(); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}

// File returns the content of a file, nil where there is none of that name.
func (b *Bundle) File(name string) []byte {
	for _, f := range b.Files {
		if f.Name == name {
			return f.Data
		}
	}
	return nil
}
