// Package boundedfile reads files of limited size.
package boundedfile

import (
	"errors"
	"fmt"
	"io"
	"os"
)

// Read returns the content of a file. most is the maximum size in bytes. For a larger file, and also for an endless one
// such as a device, Read stops after most+1 bytes and returns an error with the path and the limit.
func Read(path string, most int64) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	text, err := io.ReadAll(io.LimitReader(f, most+1))
	if err = errors.Join(err, f.Close()); err != nil {
		return nil, err
	}
	if int64(len(text)) > most {
		return nil, fmt.Errorf("%s: expected a file of at most %d bytes, got a longer one", path, most)
	}
	return text, nil
}
