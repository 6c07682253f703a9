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

// maxFile bounds the file in bytes. Its document has a bound of its own, in which white space does not count.
const maxFile = 16 << 20

// A file is the person's own.
type file struct {
	shown string   // as the person has named it
	path  string   // absolute, without symbolic links
	dir   *os.Root // its folder, which is held open
	name  string
	temp  string // the name of what is being written
}

// openFile finds a file, which need not exist yet. The caller closes its folder. The temporary name contains writer,
// which identifies the program that writes the file, such as by its state.
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
		return nil, &UseError{fmt.Errorf("%s is no file", shown)}
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

// id is the id of the workspace for the file, by its place.
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

// read reads the file and its document; no text where it is not there.
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

// parse returns the document of a text, without white space between tokens.
func parse(name string, text []byte) ([]byte, error) {
	if err := jsonx.Valid(text); err != nil {
		if e, ok := errors.AsType[*jsonx.SyntaxError](err); ok {
			line, column := document.Place(text, e.Offset)
			err = fmt.Errorf("line %d, column %d: expected %s, got %s", line, column, e.Want, e.Got)
		}
		return nil, &UseError{fmt.Errorf("%s is no JSON: %w", name, err)}
	}
	st, err := limits.New(workspace.Origin{By: workspace.Author{Actor: workspace.Person}, Draft: text})
	if err != nil {
		return nil, &UseError{fmt.Errorf("%s: %w", name, err)}
	}
	return st.Draft, nil
}

// write writes a document into the file in the layout of text, its present content: all of it, or nothing. It returns
// the document as it is in the file.
func (f *file) write(text, doc []byte) ([]byte, error) {
	old, err := f.dir.OpenFile(f.name, os.O_WRONLY, 0) // which fails where it must not be written
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

// ParseFacts reads the facts of a file, which are a merge patch. Errors are a *UseError.
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
