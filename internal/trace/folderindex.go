package trace

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"math"
	"os"

	"github.com/callwright/callwright/internal/jsonx"
)

// A folderIndex is the loaded index of a file, including lines that the stored index lacks.
type folderIndex struct {
	file string
	// lines is the index file, for the lines that have keys; nil if there are none.
	lines *os.File
	size  int64
	keys  []byte
	rest  []byte // stored index lines without keys
	more  []byte // lines missing in the stored index
}

// indexRoom holds reusable buffers for one index.
type indexRoom struct{ keys, rest bytes.Buffer }

// openIndex reads the stored index of a file, if there is one, into the buffers of room. upto is the offset in the file
// up to which the index is complete. The caller must call close.
func openIndex(file string, room *indexRoom) (x *folderIndex, upto int64, err error) {
	x = &folderIndex{file: file}
	known, err := x.readKeys(&room.keys)
	if err == nil {
		err = readFrom(&room.rest, indexOf(file), known.end)
	}
	if err != nil {
		x.close()
		return nil, 0, err
	}
	x.rest = room.rest.Bytes()
	if known.end == 0 {
		var ok bool
		if x.rest, ok = bytes.CutPrefix(x.rest, []byte(indexForm)); !ok {
			x.close()
			return &folderIndex{file: file}, 0, nil // an unknown index format
		}
	}
	upto = known.upto
	backward(x.rest, func(l indexLine) bool { upto = l.upto; return false })
	return x, upto, nil
}

// keyed is the range that the keys of an index cover. end is the offset after the last index line that has a key. upto
// is the offset in the trace file up to which the lines with keys are complete.
type keyed struct{ end, upto int64 }

// readKeys reads the keys if they match the stored index.
func (x *folderIndex) readKeys(room *bytes.Buffer) (keyed, error) {
	if err := readFrom(room, keysOf(x.file), 0); err != nil {
		return keyed{}, err
	}
	keys, ok := bytes.CutPrefix(room.Bytes(), []byte(keysForm))
	if !ok {
		return keyed{}, nil
	}
	index, err := os.Open(indexOf(x.file))
	if errors.Is(err, fs.ErrNotExist) {
		return keyed{}, nil
	}
	if err != nil {
		return keyed{}, err
	}
	x.lines = index
	info, err := index.Stat()
	if err != nil {
		return keyed{}, err
	}
	x.size = info.Size()
	for end := len(keys) / keyBytes * keyBytes; end > 0; end -= keyBytes {
		last := keyAt(keys[end-keyBytes : end])
		if l, ok := x.line(&last); ok { // otherwise the machine crashed before the line was written
			x.keys = keys[:end]
			return keyed{last.at + int64(last.length), l.upto}, nil
		}
	}
	return keyed{}, nil
}

// readFrom reads a file from an offset into room. A missing file is treated as empty.
func readFrom(room *bytes.Buffer, name string, offset int64) error {
	room.Reset()
	f, err := os.Open(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer func() { _ = f.Close() }()
	if info, err := f.Stat(); err == nil {
		room.Grow(int(max(info.Size()-offset, 0)) + bytes.MinRead)
	}
	_, err = room.ReadFrom(io.NewSectionReader(f, offset, math.MaxInt64-offset))
	return err
}

func (x *folderIndex) close() {
	if x.lines != nil {
		_ = x.lines.Close()
	}
}

// text reads the index line of a key, without the line end. It returns nil if the key is invalid.
func (x *folderIndex) text(k *key) []byte {
	if x.lines == nil || k.at < 0 || k.length <= 0 || k.at > x.size-int64(k.length) {
		return nil
	}
	text := make([]byte, k.length)
	if _, err := x.lines.ReadAt(text, k.at); err != nil {
		return nil
	}
	line, _ := bytes.CutSuffix(text, []byte{'\n'})
	return line
}

func (x *folderIndex) line(k *key) (indexLine, bool) {
	l, ok := parseIndexLine(x.text(k))
	return l, ok && l.mark == k.mark && hashOf(l.id) == k.id
}

// find returns the latest index line of a request id. ok is false if there is none or its mark is markMoved.
func (x *folderIndex) find(id string) (found indexLine, ok bool) {
	quoted := jsonx.AppendQuote(nil, id)
	between := append(append([]byte{'\t'}, quoted...), '\t')
	for _, text := range [][]byte{x.more, x.rest} {
		if ok || !bytes.Contains(text, between) {
			continue
		}
		backward(text, func(l indexLine) bool {
			ok = bytes.Equal(l.id, quoted)
			found = l
			return !ok
		})
	}
	hash := hashOf(quoted)
	for end := len(x.keys); end > 0 && !ok; end -= keyBytes {
		if k := keyAt(x.keys[end-keyBytes : end]); k.id == hash {
			found, ok = x.line(&k)
			ok = ok && bytes.Equal(found.id, quoted)
		}
	}
	return found, ok && found.mark != markMoved
}

// readOpenRequests returns, by id, the requests that have no end in the index.
func (x *folderIndex) readOpenRequests() (map[string]*openRequest, error) {
	var room bytes.Buffer
	if err := readFrom(&room, indexOf(x.file), int64(len(indexForm))); err != nil {
		return nil, err
	}
	return parseOpenRequests(room.Bytes()), nil
}
