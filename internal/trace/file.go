package trace

import (
	"bytes"
	"errors"
	"io"
	"os"
	"strings"

	"github.com/callwright/callwright"
)

const opFile = "trace.open_file"

// OpenFile opens a file for appending by a Writer. It creates the file with mode 0600 if necessary and removes an
// incomplete last line. A file that is not a trace is left unchanged and is an error of KindInvalid. A file that is not
// regular, such as a pipe, is accepted. Only one program at a time may write to a file.
func OpenFile(name string) (*os.File, error) {
	f, err := os.OpenFile(name, os.O_APPEND|os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, err
	}
	if err := makeReady(f); err != nil {
		_ = f.Close()
		return nil, err
	}
	return f, nil
}

// lineBegin is the prefix of each line of a trace.
const lineBegin = `{"trace":`

// makeReady checks that a regular file is a trace and removes an incomplete last line.
func makeReady(f *os.File) error {
	info, err := f.Stat()
	if err != nil || !info.Mode().IsRegular() {
		return err
	}
	head := make([]byte, len(lineBegin))
	n, err := f.ReadAt(head, 0)
	if err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	if !strings.HasPrefix(lineBegin, string(head[:n])) {
		return callwright.Errorf(opFile, callwright.KindInvalid, "",
			"%s is not a trace: use a new file or an existing trace", f.Name())
	}
	return cutTorn(f)
}

// cutTorn removes a last line without a line end.
func cutTorn(f *os.File) error {
	end, err := f.Seek(0, io.SeekEnd)
	if err != nil {
		return err
	}
	whole, err := wholeEnd(f, end)
	if err != nil || whole == end {
		return err
	}
	return f.Truncate(whole)
}

// wholeEnd returns the offset after the last complete line of a file of end bytes.
func wholeEnd(f io.ReaderAt, end int64) (int64, error) {
	const piece = 64 << 10
	buf := make([]byte, piece)
	for at := end; at > 0; {
		n := min(at, piece)
		at -= n
		if _, err := f.ReadAt(buf[:n], at); err != nil {
			return 0, err
		}
		if i := bytes.LastIndexByte(buf[:n], '\n'); i >= 0 {
			return at + int64(i) + 1, nil
		}
	}
	return 0, nil
}
