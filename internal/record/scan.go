package record

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
)

// A Place is a position between two records of a file. The zero Place is the beginning of the file.
type Place struct {
	Count  uint64 // number of records before it
	Offset int64
	Start  int64  // offset at which the last of these records begins
	Head   []byte // beginning of this record, up to its body
}

// After returns the Place after the record line, which follows p. The result retains line.
func (p Place) After(name string, line []byte) Place {
	return Place{Count: p.Count + 1, Offset: p.Offset + int64(len(line)), Start: p.Offset, Head: headOf(name, line)}
}

// A Damage is an error for a corrupt record that a crash during a write cannot explain.
type Damage struct {
	At  Place
	Err error
}

// Error returns a message with the number and the offset of the record.
func (d *Damage) Error() string {
	return fmt.Sprintf("record %d at byte %d is damaged: %v", d.At.Count+1, d.At.Offset, d.Err)
}

// Unwrap returns the cause.
func (d *Damage) Unwrap() error { return d.Err }

// Scan reads the records after the Place from and calls read with the body of each. It returns the Place after the last
// valid record. If a record is corrupt or read returns an error, Scan returns a *Damage. It ignores such a record, or
// an incomplete one, at the end of the file, as a crash leaves it. A line longer than its "len" is always a *Damage.
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
		case err != nil: // end of the file, or an incomplete record
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
