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

// opRead is the operation of errors in reading.
const opRead = "trace.read"

// ErrTorn says that the last line is not whole, as a program leaves it that ended while it wrote. The lines before it
// are sound. The line has to be cut off, or ended, before more is appended to the file.
var ErrTorn = errors.New("the last line is not whole")

// Read gives the entries of a trace. An error names the line; reading goes on behind a line that cannot be read, unless
// the loop is stopped. A last line that is not whole is [ErrTorn], by errors.Is.
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

// ReadAll returns the entries of a trace as a list: with an error those before it, so that the entries before [ErrTorn]
// can be used.
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

// entryOf reads a line, which is not whole where it had no end.
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

// readLine reads a line without its end; whole is false for a last one that has none. Of a line longer than MaxLine it
// returns the first bytes, more than MaxLine, and skips the rest.
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

// ParseLine reads one line of a trace, with or without its end.
func ParseLine(text []byte) (Entry, error) {
	e, broken := parse(bytes.TrimSuffix(text, []byte("\n")))
	if broken != nil {
		return Entry{}, broken
	}
	return e, nil
}
