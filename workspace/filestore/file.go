package filestore

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"

	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/internal/record"
	"github.com/callwright/callwright/workspace"
)

// The member names of the two lines of a version's file.
const (
	entryName = "entry"
	stateName = "state"
)

// A saved is the JSON of the second line of a version's file. The first line has the entry, so its Entry is nil.
type saved struct {
	workspace.State
	Entry *workspace.Entry `json:"entry,omitempty"`
}

// encode returns the contents of a version's file.
func encode(s *workspace.State) ([]byte, error) {
	entry, err := jsonx.Marshal(&s.Entry)
	if err != nil {
		return nil, err
	}
	state, err := jsonx.Marshal(saved{State: *s})
	if err != nil {
		return nil, err
	}
	return append(record.Line(s.Version, entryName, entry), record.Line(s.Version, stateName, state)...), nil
}

// read reads and decodes a version's file. A file with wrong contents is a *record.Damage.
func (f *folder) read(version uint64) (*workspace.State, error) {
	text, err := f.ReadFile(fileName(version))
	if err != nil {
		return nil, err
	}
	entry, err := decodeEntry(version, text)
	if err != nil {
		return nil, err
	}
	_, second, _ := bytes.Cut(text, []byte("\n"))
	line, ok := bytes.CutSuffix(second, []byte("\n"))
	if !ok {
		return nil, damageError("it ends early")
	}
	body, err := record.Body(version, stateName, line)
	if err != nil {
		return nil, &record.Damage{At: record.Place{Count: 1, Offset: int64(len(text) - len(second))}, Err: err}
	}
	var in saved
	if err := json.Unmarshal(body, &in); err != nil {
		return nil, damageError("its state cannot be read: %w", err)
	}
	s := in.State
	if s.Entry = entry; s.ID != f.id || s.Validate() != nil {
		return nil, damageError("it is not of this workspace and version")
	}
	return &s, nil
}

func damageError(format string, args ...any) error {
	return &record.Damage{Err: fmt.Errorf(format, args...)}
}

// decodeEntry decodes the first line of text, the contents of a version's file. A wrong line is a *record.Damage.
func decodeEntry(version uint64, text []byte) (e workspace.Entry, err error) {
	line, _, ok := bytes.Cut(text, []byte("\n"))
	if !ok {
		return e, damageError("it ends early")
	}
	body, err := record.Body(version, entryName, line)
	if err != nil {
		return e, &record.Damage{Err: err}
	}
	switch err := json.Unmarshal(body, &e); {
	case err != nil:
		return e, damageError("its entry cannot be read: %w", err)
	case e.Version != version:
		return e, damageError("its entry is of version %d", e.Version)
	}
	return e, nil
}

// readEntry reads and decodes the first line of a version's file, without reading the rest. line has its bytes.
func (f *folder) readEntry(version uint64) (e workspace.Entry, line []byte, err error) {
	in, err := f.Open(fileName(version))
	if err != nil {
		return e, nil, err
	}
	defer closeFile(in)
	var text []byte
	for piece := make([]byte, 4096); bytes.IndexByte(text, '\n') < 0; {
		n, err := in.Read(piece)
		text = append(text, piece[:n]...)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return e, nil, err
		}
	}
	e, err = decodeEntry(version, text)
	if err != nil {
		return e, nil, err
	}
	return e, text[:bytes.IndexByte(text, '\n')+1], nil
}

// closeFile closes a file that was open for reading and ignores the error.
func closeFile(c io.Closer) { _ = c.Close() }

// remove removes a file. A missing file is not an error.
func (f *folder) remove(name string) error {
	if err := f.Remove(name); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}
