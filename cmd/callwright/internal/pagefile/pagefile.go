// Package pagefile writes an HTML page into a file that is opened before the work begins.
package pagefile

import (
	"io"
	"os"
)

// A File is the file of a page. It is opened first, so that no model requests are spent on a page that cannot be
// written.
type File struct{ f *os.File }

// Open opens or creates the named file. Its content stays until Write. If name is empty, Write will do nothing.
func Open(name string) (File, error) {
	if name == "" {
		return File{}, nil
	}
	f, err := os.OpenFile(name, os.O_CREATE|os.O_RDWR, 0o644) // opening a pipe only for writing would block
	return File{f}, err
}

// Write replaces the content of the file by the output of print. It must be called only once.
func (p File) Write(print func(io.Writer) error) error {
	if p.f == nil {
		return nil
	}
	if info, err := p.f.Stat(); err == nil && info.Mode().IsRegular() { // others cannot be truncated
		if err := p.f.Truncate(0); err != nil {
			return err
		}
	}
	return print(p.f)
}

// Close closes the file. It removes the file if it is empty.
func (p File) Close() {
	if p.f == nil {
		return
	}
	info, err := p.f.Stat()
	_ = p.f.Close()
	if err == nil && info.Mode().IsRegular() && info.Size() == 0 {
		_ = os.Remove(p.f.Name())
	}
}
