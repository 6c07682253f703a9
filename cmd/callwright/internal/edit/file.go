package edit

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/callwright/callwright/cmd/callwright/internal/document"
	"github.com/callwright/callwright/internal/atomicfile"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/workspace"
)

// maxFile is the maximum size of the file in bytes. The limit of the document itself excludes white space.
const maxFile = 16 << 20

// A file is the JSON file that the person edits.
type file struct {
	shown string   // path as given by the person
	path  string   // absolute path without symbolic links
	dir   *os.Root // its open folder
	name  string
	temp  string // name of the temporary file
}

// openFile resolves the path of a file, which may not exist yet. The caller must close dir. The name of the temporary
// file is derived from writer, which identifies the writing program, such as by its state folder.
func openFile(shown, writer string) (*file, error) {
	path, err := filepath.Abs(shown)
	if err != nil {
		return nil, err
	}
	real, err := filepath.EvalSymlinks(path)
	if errors.Is(err, fs.ErrNotExist) {
		dir, failed := filepath.EvalSymlinks(filepath.Dir(path))
		real, err = filepath.Join(dir, filepath.Base(path)), failed
	}
	if err != nil {
		return nil, &UseError{err}
	}
	info, err := os.Stat(real)
	switch {
	case err == nil && !info.Mode().IsRegular():
		return nil, &UseError{fmt.Errorf("%s is not a file", shown)}
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return nil, &UseError{err}
	}
	dir, err := os.OpenRoot(filepath.Dir(real))
	if err != nil {
		return nil, &UseError{err}
	}
	name := filepath.Base(real)
	return &file{shown: shown, path: real, dir: dir, name: name, temp: "." + name + "." + sumOf([]byte(writer))[:8] + ".tmp"}, nil
}

// id returns the id of the workspace for the file, derived from its path.
func (f *file) id() workspace.ID {
	const longest = 24
	slug := strings.Trim(strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' || r == '_' {
			return r
		}
		return '-'
	}, strings.ToLower(strings.TrimSuffix(f.name, filepath.Ext(f.name)))), "-")
	if len(slug) > longest {
		slug = slug[:longest]
	}
	return workspace.ID("ws_" + slug + "-" + sumOf([]byte(f.path))[:16])
}

// read reads the file. text is its content and doc its compact JSON; both are nil if the file does not exist.
func (f *file) read() (text []byte, doc []byte, err error) {
	r, err := f.dir.Open(f.name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil, nil
	}
	if err != nil {
		return nil, nil, &UseError{err}
	}
	text, err = io.ReadAll(io.LimitReader(r, maxFile+1))
	if err := errors.Join(err, r.Close()); err != nil {
		return nil, nil, err
	}
	if len(text) > maxFile {
		return nil, nil, &UseError{fmt.Errorf("%s has more than %d bytes", f.shown, maxFile)}
	}
	doc, err = parse(f.shown, text)
	return text, doc, err
}

// parse validates a JSON text and returns it without white space. name is the file name for errors.
func parse(name string, text []byte) ([]byte, error) {
	if err := jsonx.Valid(text); err != nil {
		if e, ok := errors.AsType[*jsonx.SyntaxError](err); ok {
			line, column := document.Place(text, e.Offset)
			err = fmt.Errorf("line %d, column %d: expected %s, got %s", line, column, e.Want, e.Got)
		}
		return nil, &UseError{fmt.Errorf("%s is not JSON: %w", name, err)}
	}
	st, err := limits.New(workspace.Origin{By: workspace.Author{Actor: workspace.Person}, Draft: text})
	if err != nil {
		return nil, &UseError{fmt.Errorf("%s: %w", name, err)}
	}
	return st.Draft, nil
}

// write atomically replaces the content of the file by a document with the formatting of text, the current content. It
// returns the document as written.
func (f *file) write(text, doc []byte) ([]byte, error) {
	old, err := f.dir.OpenFile(f.name, os.O_WRONLY, 0) // fails if the file is read-only
	if err == nil {
		err = old.Close()
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	text = document.Layout(text, doc)
	return jsonx.Compact(nil, text), atomicfile.Replace(f.dir, f.name, f.temp, text, 0o666)
}

func sumOf(text []byte) string {
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}

// ParseFacts parses a JSON Merge Patch for the facts. An error is a *UseError. name is the file name for errors.
func ParseFacts(name string, text []byte) (json.RawMessage, error) {
	facts, err := parse(name, text)
	if err == nil && !jsonx.IsObject(facts) {
		err = &UseError{fmt.Errorf("%s: expected an object, got %s", name, jsonx.KindOf(facts).InWords())}
	}
	if err != nil {
		return nil, err
	}
	return facts, nil
}
