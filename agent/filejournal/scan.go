package filejournal

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/callwright/callwright/agent"
)

// A place is where a file was read up to.
type place struct {
	count  uint64 // records before it
	offset int64
	start  int64  // where the last one of them begins
	head   []byte // what stands there, up to its step
}

// after is the place behind one more record. It keeps line.
func (p place) after(line []byte) place {
	return place{count: p.count + 1, offset: p.offset + int64(len(line)), start: p.offset, head: headOf(line)}
}

// damage is a record that is not as it was written, and not one that a crash cut.
type damage struct {
	at  place
	err error
}

// Error names the record.
func (d *damage) Error() string {
	return fmt.Sprintf("record %d at byte %d is damaged: %v", d.at.count+1, d.at.offset, d.err)
}

// Unwrap is what is wrong with it.
func (d *damage) Unwrap() error { return d.err }

// scan reads the records from a place on, gives each to take, and returns the place behind the last one. What a crash left behind it is passed
// over.
func scan(ctx context.Context, r io.Reader, from place, take func(agent.Step)) (place, error) {
	in := bufio.NewReaderSize(r, 64<<10)
	for at := from; ; {
		if err := ctx.Err(); err != nil {
			return at, err
		}
		line, err := in.ReadBytes('\n')
		switch {
		case err != nil && !errors.Is(err, io.EOF):
			return at, err
		case overlong(line):
			return at, &damage{at: at, err: errLong}
		case err != nil: // without a line end: none, or one that was cut
			return at, nil
		}
		s, bad := decode(at.count+1, bytes.TrimSuffix(line, []byte("\n")))
		if bad != nil {
			if _, err := in.Peek(1); errors.Is(err, io.EOF) {
				return at, nil
			}
			return at, &damage{at: at, err: bad}
		}
		take(s)
		at = at.after(line)
	}
}
