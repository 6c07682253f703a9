// Package pagefile writes a page for a browser into a file that was opened before the work began.
package pagefile

import (
	"io"
	"os"
)

// A File is the file of a page. It is opened before anything is asked, so that no requests are spent on a page that
// cannot be written.
type File struct{ f *os.File }

// Open opens the file of a name, and makes it where there is none; its content stays until Write. Without a name there
// is no file, and nothing is written.
func Open(name string) (File, error) {
	if name == "" {
		return File{}, nil
	}
	f, err := os.OpenFile(name, os.O_CREATE|os.O_RDWR, 0o644) // a pipe that is opened for writing alone waits for a reader
	return File{f}, err
}

// Write replaces the content of the file by the page. It is called once.
func (p File) Write(print func(io.Writer) error) error {
	if p.f == nil {
		return nil
	}
	if info, err := p.f.Stat(); err == nil && info.Mode().IsRegular() { // of a pipe or a device there is nothing to cut
		if err := p.f.Truncate(0); err != nil {
			return err
		}
	}
	return print(p.f)
}

// Close closes the file, and removes one that has stayed empty.
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
