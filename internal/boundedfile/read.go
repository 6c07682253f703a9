// Package boundedfile reads files that may be longer than there is memory for.
package boundedfile

import (
	"errors"
	"fmt"
	"io"
	"os"
)

// Read reads a whole file. Of one that has more than so many bytes it reads no more than shows that, and fails with an
// error that names the file and the bound. An endless file, such as a device, is read no further either.
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
