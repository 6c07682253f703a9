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

	"github.com/callwright/callwright/internal/boundedfile"
	"github.com/callwright/callwright/internal/config/internal/excerpt"
	"github.com/callwright/callwright/internal/config/internal/yamltext"
	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"
)

// maxSize is the maximum size of a configuration file in bytes.
const maxSize = 1 << 20

// Parse parses a configuration and checks all of it. env looks up environment variables, for ${NAME} and for values
// such as env:NAME; nil means os.LookupEnv. The error, if any, is an [Errors].
func Parse(data []byte, env func(name string) (value string, ok bool)) (*Config, error) {
	return parse(data, "", env)
}

// parse is [Parse] with the folder at which relative paths in data start.
func parse(data []byte, dir string, env func(name string) (value string, ok bool)) (*Config, error) {
	if env == nil {
		env = os.LookupEnv
	}
	d, data, err := newDecoder(data, dir, env)
	if err != nil {
		return nil, err
	}
	c := &Config{parsed: parsed{places: d.places}}
	if body, ok := d.tree(data); ok && body != nil {
		if e := ofOtherProgram(body); e != nil {
			return nil, Errors{e}
		}
		d.value(location{node: body}, reflect.ValueOf(c).Elem())
	}
	if len(d.errs) == 0 || !d.isUnreadable() {
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

// newDecoder returns a decoder for data, and data without a byte order mark. It returns an error if data is larger than
// maxSize or is not text.
func newDecoder(data []byte, dir string, env func(string) (string, bool)) (*decoder, []byte, error) {
	if len(data) > maxSize {
		return nil, nil, Errors{{Message: fmt.Sprintf("expected a configuration of at most %d bytes, got %d", maxSize, len(data))}}
	}
	data = bytes.TrimPrefix(data, []byte("\ufeff")) // the byte order mark that some editors write
	if message, line, column := yamltext.Check(data); message != "" {
		return nil, nil, Errors{{Line: line, Column: column, Message: message}}
	}
	return &decoder{env: env, dir: dir, places: map[string]position{}}, data, nil
}

// Load reads the configuration file at path, of at most 1 MiB, as [Parse] does. Errors contain the path of the file.
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

// isUnreadable reports whether no value was decoded, as after a syntax error.
func (d *decoder) isUnreadable() bool { return len(d.places) == 0 }

// tree parses data, which must contain at most one YAML document, and returns the root node, nil for an empty text. It
// reports syntax errors and returns ok false.
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
	e.Message = "not YAML: " + yamltext.Plain(e.Message)
	d.errs = append(d.errs, e)
}

// finish sorts the errors and adds excerpts of data to them. If data has a syntax error, it adds no excerpt of a line
// that may contain an API key.
func (d *decoder) finish(data []byte, list []*Error) {
	sortErrors(list)
	lines := strings.SplitAfter(string(data), "\n")
	for _, e := range list {
		if e.File != "" {
			continue // the error is in another file
		}
		if d.isUnreadable() && e.Line > 0 && e.Line <= len(lines) && mayHoldKey(lines, e.Line) {
			continue
		}
		e.Excerpt = excerpt.Of(lines, e.Line, e.Column, d.secrets)
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
