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

// OpenFile opens a file for a Writer, which appends to it, and makes it with mode 0600 where there is none. An
// incomplete last line is cut off. A file that is no trace stays as it is, and is an error of KindInvalid; a file that
// is not regular, such as a pipe, is accepted. One program at a time may write to a file.
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

// lineBegin is how each line of a trace begins.
const lineBegin = `{"trace":`

// makeReady makes a file ready to be appended to.
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
			"%s is no trace: name a new file, or one that was written as a trace", f.Name())
	}
	return cutTorn(f)
}

// cutTorn cuts a last line that has no end.
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

// wholeEnd is where the last whole line of a file ends that has so many bytes.
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
