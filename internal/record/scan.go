package record

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
)

// A Place is where a file was read up to. The zero Place is its beginning.
type Place struct {
	Count  uint64 // records before it
	Offset int64
	Start  int64  // where the last one of them begins
	Head   []byte // what stands there, up to its body
}

// After is the place behind one more record. It keeps line.
func (p Place) After(name string, line []byte) Place {
	return Place{Count: p.Count + 1, Offset: p.Offset + int64(len(line)), Start: p.Offset, Head: headOf(name, line)}
}

// Damage is a record that is not as it was written, and not one that a crash cut.
type Damage struct {
	At  Place
	Err error
}

// Error names the record.
func (d *Damage) Error() string {
	return fmt.Sprintf("record %d at byte %d is damaged: %v", d.At.Count+1, d.At.Offset, d.Err)
}

// Unwrap is the fault of the record.
func (d *Damage) Unwrap() error { return d.Err }

// Scan reads the records from a place on, gives the body of each to read, and returns the place behind the last one. A
// record that read gives an error for is damaged. An incomplete record at the end is skipped.
func Scan(ctx context.Context, r io.Reader, name string, from Place, read func(body []byte) error) (Place, error) {
	in := bufio.NewReaderSize(r, 64<<10)
	for at := from; ; {
		if err := ctx.Err(); err != nil {
			return at, err
		}
		line, err := in.ReadBytes('\n')
		switch {
		case err != nil && !errors.Is(err, io.EOF):
			return at, err
		case overlong(name, line):
			return at, &Damage{At: at, Err: errLong}
		case err != nil: // without a line end: none, or one that was cut
			return at, nil
		}
		body, bad := Body(at.Count+1, name, bytes.TrimSuffix(line, []byte("\n")))
		if bad == nil {
			bad = read(body)
		}
		if bad != nil {
			if _, err := in.Peek(1); errors.Is(err, io.EOF) {
				return at, nil
			}
			return at, &Damage{At: at, Err: bad}
		}
		at = at.After(name, line)
	}
}
