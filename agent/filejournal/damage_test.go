package filejournal_test

import (
	"bytes"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/agent/filejournal"
	"github.com/callwright/callwright/internal/disktest"
)

// three makes a run of three entries and returns its file and what is in it, a line each.
func three(t *testing.T, j *filejournal.Journal, dir string) (path string, lines [][]byte) {
	t.Helper()
	for i := range uint64(3) {
		add(t, j, i, entry(fmt.Sprintf(`{"i":%d}`, i+1)))
	}
	path = filepath.Join(dir, string(run)+".jsonl")
	return path, bytes.SplitAfter(bytes.TrimSuffix(disktest.Read(t, path), []byte("\n")), []byte("\n"))
}

// A record that is cut anywhere is not there for Load, and the next Append cuts it off, whether the Journal wrote the run itself or not.
func TestTornTail(t *testing.T) {
	dir := t.TempDir()
	own := open(t, dir)
	path, lines := three(t, own, dir)
	whole := disktest.Read(t, path)
	kept := len(lines[0]) + len(lines[1])
	for cut := kept; cut < len(whole); cut++ {
		for _, j := range []*filejournal.Journal{own, open(t, dir)} {
			disktest.Write(t, path, whole[:cut])
			expect(t, j, `{"i":1}`, `{"i":2}`)
			add(t, j, 2, entry(`{"i":3}`))
			if !bytes.Equal(disktest.Read(t, path), whole) {
				t.Fatalf("cut at byte %d: the file has\n%s", cut, disktest.Read(t, path))
			}
		}
	}
}

// Pages of the last record that did not reach the disk, and a file system that made room for it alone, are a torn tail too.
func TestZeroedTail(t *testing.T) {
	dir := t.TempDir()
	path, lines := three(t, open(t, dir), dir)
	before, last := bytes.Join(lines[:2], nil), append(lines[2], '\n')
	for i := 0; i < len(last); i += 7 {
		front, back, none := slices.Clone(last), slices.Clone(last), make([]byte, i)
		clear(front[:i+1])
		clear(back[i:])
		for _, tail := range [][]byte{front, back, none} {
			disktest.Write(t, path, slices.Concat(before, tail))
			j := open(t, dir)
			expect(t, j, `{"i":1}`, `{"i":2}`)
			add(t, j, 2, entry(`4`))
			expect(t, j, `{"i":1}`, `{"i":2}`, `4`)
		}
	}
}

// A bit that flipped in any byte of a record that is not the last one is found, and the file stays as it is.
func TestFlippedBit(t *testing.T) {
	dir := t.TempDir()
	own := open(t, dir)
	path, lines := three(t, own, dir)
	whole := disktest.Read(t, path)
	second := len(lines[0])
	for at := range second + len(lines[1]) {
		bad := bytes.Clone(whole)
		bad[at] ^= 1 << (at % 8)
		disktest.Write(t, path, bad)
		place := fmt.Sprintf("%s: record 1 at byte 0 ", path)
		if at >= second {
			place = fmt.Sprintf("%s: record 2 at byte %d ", path, second)
		}
		j := open(t, dir)
		_, _, loaded := j.Load(t.Context(), run)
		_, appended := j.Append(t.Context(), run, 3, entry(`4`))
		for _, err := range []error{loaded, appended} {
			e, ok := errors.AsType[*callwright.Error](err)
			if !ok || e.Kind != callwright.KindInternal || !strings.Contains(err.Error(), place) {
				t.Fatalf("bit %d of byte %d: expected an error at %q, got %v", at%8, at, place, err)
			}
		}
		if !bytes.Equal(disktest.Read(t, path), bad) {
			t.Fatalf("byte %d: the file was changed", at)
		}
	}
}

// A line end that is no more is told from a torn tail: what follows it is in the same line then, whether it is whole or cut.
func TestFlippedLineEnd(t *testing.T) {
	dir := t.TempDir()
	path, lines := three(t, open(t, dir), dir)
	whole := disktest.Read(t, path)
	for bit := range 8 {
		bad := bytes.Clone(whole)
		third := len(lines[0]) + len(lines[1])
		bad[third-1] ^= 1 << bit
		for end := third + 2; end <= len(bad); end++ {
			disktest.Write(t, path, bad[:end])
			if _, _, err := open(t, dir).Load(t.Context(), run); err == nil {
				t.Fatalf("bit %d was not found, with %d bytes after it", bit, end-third)
			}
		}
	}
}

// Lines that are gone, twice there or in another order are found.
func TestLinesOutOfPlace(t *testing.T) {
	dir := t.TempDir()
	path, lines := three(t, open(t, dir), dir)
	a, b, c := lines[0], lines[1], append(lines[2], '\n')
	for _, order := range [][][]byte{{b, c}, {a, c, b}, {a, a, b, c}, {a, b, b, c}, {b, a, c}, {a, []byte("\n"), b, c}, {a, b, []byte("{}\n"), c}} {
		disktest.Write(t, path, bytes.Join(order, nil))
		_, _, err := open(t, dir).Load(t.Context(), run)
		if err == nil || !strings.Contains(err.Error(), "is damaged") {
			t.Errorf("%s\ngot %v", bytes.Join(order, nil), err)
		}
	}
}

// A record with the right checksum of which no entry can be read is damaged as well.
func TestNoEntry(t *testing.T) {
	dir := t.TempDir()
	disktest.Write(t, filepath.Join(dir, string(run)+".jsonl"), []byte(`{"n":1,"len":2,"crc":"764dbd76","entry":[]}`+"\n{}\n"))
	_, _, err := open(t, dir).Load(t.Context(), run)
	if err == nil || !strings.Contains(err.Error(), "its entry cannot be read") {
		t.Errorf("got %v", err)
	}
}
