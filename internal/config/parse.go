package config

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"unicode/utf8"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"

	"github.com/callwright/callwright/internal/boundedfile"
)

// maxSize bounds a configuration, and the file that it stands in.
const maxSize = 1 << 20

// Parse reads a configuration and checks all of it. env looks environment variables up, for ${NAME} and for what is said to be
// there; nil means os.LookupEnv. The error, if any, is an Errors.
func Parse(data []byte, env func(name string) (value string, ok bool)) (*Config, error) {
	return parse(data, "", env)
}

// parse is Parse for a text in which files are named from a folder.
func parse(data []byte, dir string, env func(name string) (value string, ok bool)) (*Config, error) {
	if env == nil {
		env = os.LookupEnv
	}
	d, data, err := newDecoder(data, dir, env)
	if err != nil {
		return nil, err
	}
	c := &Config{places: d.places}
	if body, ok := d.tree(data); ok && body != nil {
		d.value(location{node: body}, reflect.ValueOf(c).Elem())
	}
	if len(d.errs) == 0 || !d.broken() {
		newChecker(c, d).check()
	}
	c.warnings, c.files = d.warnings, d.files
	if len(d.errs) == 0 {
		d.finish(data, c.warnings)
		return c, nil
	}
	d.finish(data, d.errs)
	return nil, Errors(d.errs)
}

// newDecoder returns a decoder for a text, and the text as it is read. Errors are of a text that is none, or too large.
func newDecoder(data []byte, dir string, env func(string) (string, bool)) (*decoder, []byte, error) {
	if len(data) > maxSize {
		return nil, nil, Errors{{Message: fmt.Sprintf("expected a configuration of at most %d bytes, got %d", maxSize, len(data))}}
	}
	data = bytes.TrimPrefix(data, []byte("\ufeff")) // some editors begin a file with it
	if line := notUTF8(data); line > 0 {
		return nil, nil, Errors{{Line: line, Column: 1, Message: "expected text in UTF-8: save the file in that encoding"}}
	}
	if e := checkNesting(data); e != nil {
		return nil, nil, Errors{e}
	}
	return &decoder{env: env, dir: dir, places: map[string]position{}}, data, nil
}

// Load reads the configuration in a file of at most 1 MiB, as Parse does. Errors name the file.
func Load(path string, env func(name string) (value string, ok bool)) (*Config, error) {
	data, err := boundedfile.Read(path, maxSize)
	if err != nil {
		return nil, err
	}
	c, err := parse(data, filepath.Dir(path), env)
	list, failed := errors.AsType[Errors](err)
	if !failed {
		list = c.warnings
	}
	for _, e := range list {
		e.File = cmp.Or(e.File, path)
	}
	return c, err
}

// broken reports whether the text could not be read at all.
func (d *decoder) broken() bool { return len(d.places) == 0 }

// tree returns the one document of the text, nil for an empty one.
func (d *decoder) tree(data []byte) (body ast.Node, ok bool) {
	file, err := parser.ParseBytes(data, 0, parser.AllowDuplicateMapKey())
	if err != nil {
		d.syntax(err)
		return nil, false
	}
	for _, doc := range file.Docs {
		switch {
		case doc.Body == nil:
		case body != nil:
			d.failKey(doc.Body, "", "expected one document, got a second one")
			return nil, false
		default:
			body = doc.Body
		}
	}
	return body, true
}

func (d *decoder) syntax(err error) {
	e := &Error{Message: err.Error()}
	if at, ok := errors.AsType[yaml.Error](err); ok {
		e.Message = at.GetMessage()
		if t := at.GetToken(); t != nil && t.Position != nil {
			e.Line, e.Column = t.Position.Line, t.Position.Column
		}
	}
	e.Message = "not YAML: " + inPlainWords(e.Message)
	d.errs = append(d.errs, e)
}

// phrases are what the reader of YAML says, by a part of it, and what a person has to look at.
var phrases = []struct{ said, plain string }{
	{"found character '\t'", "a line is indented by a tab: use blanks"},
	{"flow mapping end token", "the { that stands here is not closed"},
	{"sequence end token", "the [ that stands here is not closed"},
	{"end character of double-quoted", "the quote that stands here is not closed"},
	{"end character of single-quoted", "the quote that stands here is not closed"},
	{"mapping value is not allowed", "a second colon in one line: begin a new line for what is behind it, or put the value into quotes"},
	{"value is not allowed", "this does not fit what stands above: look at the indentation, and put names with * or other signs into quotes"},
	{"non-map value is specified", "expected a key and a colon here: look at the indentation, and for a colon that is missing"},
}

// inPlainWords says what the reader of YAML said so that it helps a person, where that is known.
func inPlainWords(message string) string {
	for _, p := range phrases {
		if strings.Contains(message, p.said) {
			return p.plain
		}
	}
	return message
}

// notUTF8 returns the first line that is no text in UTF-8, 0 where all are.
func notUTF8(data []byte) int {
	n := 0
	for line := range bytes.Lines(data) {
		if n++; !utf8.Valid(line) {
			return n
		}
	}
	return 0
}

// finish sorts errors and shows their places. A text that could not be read is not shown where it may hold a key.
func (d *decoder) finish(data []byte, list []*Error) {
	sortErrors(list)
	lines := strings.SplitAfter(string(data), "\n")
	for _, e := range list {
		if e.File != "" {
			continue // it stands in another text
		}
		if d.broken() && e.Line > 0 && e.Line <= len(lines) && mayHoldKey(lines, e.Line) {
			continue
		}
		e.Excerpt = excerpt(lines, position{e.Line, e.Column}, d.secrets)
	}
}

func mayHoldKey(lines []string, line int) bool {
	for i := max(0, line-2); i < min(line, len(lines)); i++ {
		text := strings.ToLower(lines[i])
		if strings.Contains(text, "key") || strings.Contains(text, "auth") || strings.Contains(text, "token") {
			return true
		}
	}
	return false
}
