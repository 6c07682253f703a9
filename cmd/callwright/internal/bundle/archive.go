package bundle

import (
	"archive/zip"
	"bytes"
	"strings"
	"time"
)

// A File is a file in the zip archive of a bundle.
type File struct {
	Name string
	Data []byte
}

// epoch is the modification time of all files, so that equal bundles have equal bytes. It is the earliest time that zip
// archives can express.
var epoch = time.Date(1980, 1, 1, 0, 0, 0, 0, time.UTC)

// folder returns the name of the archive's top folder: "callwright-" and the request id, with '_' in place of
// characters other than ASCII letters, digits, '-' and '_'.
func (b *Bundle) folder() string {
	return "callwright-" + strings.Map(func(r rune) rune {
		if r == '-' || r == '_' || '0' <= r && r <= '9' || 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' {
			return r
		}
		return '_'
	}, b.ID[:min(len(b.ID), 100)])
}

// FileName returns the file name of the archive, such as "callwright-req_1.zip".
func (b *Bundle) FileName() string { return b.folder() + ".zip" }

// Zip returns the bundle as a zip archive with one top folder, see folder. Files keep their order.
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

// File returns the content of the named file, nil if there is none.
func (b *Bundle) File(name string) []byte {
	for _, f := range b.Files {
		if f.Name == name {
			return f.Data
		}
	}
	return nil
}
