package trace

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"iter"
	"strconv"

	"github.com/callwright/callwright"
)

// opRead is the Op of errors when reading a trace.
const opRead = "trace.read"

// ErrTorn is returned for an incomplete last line, as a crashed program leaves it. The lines before it are valid. The
// line must be removed or completed before more is appended.
var ErrTorn = errors.New("the last line is incomplete")

// Read yields the entries of a trace. An error names the line. Reading continues after an invalid line unless the loop
// stops. An incomplete last line is an error that wraps [ErrTorn].
func Read(r io.Reader) iter.Seq2[Entry, error] {
	return func(yield func(Entry, error) bool) {
		in := bufio.NewReader(r)
		for n := 1; ; n++ {
			text, whole, err := readLine(in)
			switch {
			case errors.Is(err, io.EOF):
				return
			case err != nil:
				yield(Entry{}, &callwright.Error{Op: opRead, Kind: callwright.KindInternal, Message: lineName(n), Err: err})
				return
			}
			e, broken := entryOf(text, whole)
			if broken != nil {
				broken.Message = lineName(n) + ": " + broken.Message
				if !yield(Entry{}, broken) {
					return
				}
				continue
			}
			if !yield(e, nil) {
				return
			}
		}
	}
}

// ReadAll returns all entries of a trace. If it returns an error, it also returns the entries before the error, so that
// a trace with [ErrTorn] is usable.
func ReadAll(r io.Reader) ([]Entry, error) {
	var list []Entry
	for e, err := range Read(r) {
		if err != nil {
			return list, err
		}
		list = append(list, e)
	}
	return list, nil
}

func lineName(n int) string { return "line " + strconv.Itoa(n) }

// entryOf decodes a line. whole is false if the line has no line end.
func entryOf(text []byte, whole bool) (Entry, *callwright.Error) {
	if len(text) > MaxLine {
		return Entry{}, callwright.Errorf(opRead, callwright.KindTooLarge, "", "it has more than %d bytes", MaxLine)
	}
	e, err := parse(text)
	if err != nil && !whole {
		return Entry{}, &callwright.Error{Op: opRead, Kind: callwright.KindTruncated, Message: err.Message, Err: ErrTorn}
	}
	return e, err
}

// readLine reads a line without its line end. whole is false for a last line without one. If a line is longer than
// MaxLine, readLine returns a prefix longer than MaxLine and skips the rest.
func readLine(in *bufio.Reader) (text []byte, whole bool, err error) {
	for {
		piece, err := in.ReadSlice('\n')
		if len(text) <= MaxLine {
			text = append(text, piece...)
		}
		switch {
		case err == nil:
			return bytes.TrimSuffix(text, []byte("\n")), true, nil
		case errors.Is(err, bufio.ErrBufferFull):
		case errors.Is(err, io.EOF) && len(text) > 0:
			return text, false, nil
		default:
			return nil, false, err
		}
	}
}

// ParseLine decodes one line of a trace, with or without its line end.
func ParseLine(text []byte) (Entry, error) {
	e, broken := parse(bytes.TrimSuffix(text, []byte("\n")))
	if broken != nil {
		return Entry{}, broken
	}
	return e, nil
}
