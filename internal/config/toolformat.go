package config

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"

	"github.com/callwright/callwright/dialect"
	"github.com/callwright/callwright/dialect/describe"
	"github.com/callwright/callwright/internal/boundedfile"
	"github.com/callwright/callwright/internal/config/internal/rulename"
	"github.com/callwright/callwright/internal/config/internal/yamltext"
	"github.com/callwright/callwright/reliable"
	"github.com/goccy/go-yaml/ast"
)

// A ToolFormat is a description of a text format for tool calls, compiled when it is read.
type ToolFormat struct {
	describe.Description
	made *describe.Format
}

// maxDescription is the maximum size of a file with such a description, in bytes.
const maxDescription = 64 << 10

// read decodes a description, or the path of a file with one.
func (f *ToolFormat) read(d *decoder, at location) {
	failed := len(d.errs)
	switch at.node.(type) {
	case *ast.MappingNode, *ast.MappingValueNode:
		d.object(at, reflect.ValueOf(&f.Description).Elem())
	default:
		name, ok := d.text(at)
		if !ok {
			return
		}
		if !filepath.IsAbs(name) {
			name = filepath.Join(d.dir, name)
		}
		d.files = append(d.files, name)
		got, err := readToolFormat(name, d.env)
		if err != nil {
			d.fail(at, "%v", err)
			return
		}
		*f = *got
		return
	}
	if len(d.errs) > failed {
		return
	}
	if err := f.compile(); err != nil {
		d.failDescription(at, err)
	}
}

// failDescription reports an error in a description, at the position of the key that the error names.
func (d *decoder) failDescription(at location, err error) {
	if e, ok := errors.AsType[*describe.Error](err); ok {
		path := joinPath(at.path, e.Key)
		if p, there := d.places[path]; there {
			d.errs = append(d.errs, &Error{Line: p.line, Column: p.column, Path: path, Message: e.Message})
			return
		}
	}
	d.fail(at, "%v", err)
}

// compile compiles the description into f.made.
func (f *ToolFormat) compile() (err error) {
	f.made, err = f.Compile()
	return err
}

// LoadToolFormat reads and compiles the description of a tool-call format from a file, YAML or JSON. env looks up
// environment variables; nil means os.LookupEnv.
func LoadToolFormat(path string, env func(name string) (value string, ok bool)) (*describe.Format, error) {
	if env == nil {
		env = os.LookupEnv
	}
	f, err := readToolFormat(path, env)
	if err != nil {
		return nil, err
	}
	return f.made, nil
}

// readToolFormat reads and compiles the description in the file called name.
func readToolFormat(name string, env func(string) (string, bool)) (*ToolFormat, error) {
	if info, err := os.Stat(name); err == nil && !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s: expected a file of at most %d bytes", name, maxDescription)
	}
	data, err := boundedfile.Read(name, maxDescription)
	if err != nil {
		return nil, err
	}
	d, f := &decoder{env: env, places: map[string]position{}, dir: filepath.Dir(name)}, &ToolFormat{}
	if message, line, column := yamltext.Check(data); message != "" {
		return nil, fmt.Errorf("%s:%d:%d: %s", name, line, column, message)
	}
	body, ok := d.tree(data)
	if ok {
		d.object(location{node: body}, reflect.ValueOf(&f.Description).Elem())
	}
	if len(d.errs) > 0 {
		for _, e := range d.errs {
			e.File = name
		}
		return nil, Errors(d.errs)
	}
	if err := f.compile(); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return f, nil
}

// describedRules returns the rule ids "dialect.NAME" of the formats that the configuration describes.
func (c *Config) describedRules() []string {
	var out []string
	add := func(s *Settings) {
		if f := s.ToolFormat; f != nil && f.made != nil {
			out = append(out, "dialect."+f.made.Name)
		}
	}
	for i := range c.Providers {
		add(&c.Providers[i].Settings)
	}
	for i := range c.Models {
		add(&c.Models[i].Settings)
	}
	return out
}

// toolFormats returns the described formats of the models of a fallback chain, in the order of the chain.
func toolFormats(candidates []*resolvedModel) []*describe.Format {
	var out []*describe.Format
	for _, f := range candidates {
		if t := f.settings.ToolFormat; t != nil && t.made != nil && !slices.Contains(out, t.made) {
			out = append(out, t.made)
		}
	}
	return out
}

// reading returns the options with which a client reads the described formats in responses. It returns none for no
// formats.
func reading(formats []*describe.Format) ([]reliable.Option, error) {
	switch len(formats) {
	case 0:
		return nil, nil
	case 1:
		return []reliable.Option{reliable.WithMarks(formats[0].Marks)}, nil
	}
	var own []dialect.Format
	for _, f := range formats {
		own = append(own, f.Format)
	}
	marks, err := dialect.NewMarks(own...)
	return []reliable.Option{reliable.WithMarks(marks)}, err
}

// applicable returns rules without the rules of described formats that are not in formats.
func applicable(rules map[string]bool, formats []*describe.Format) map[string]bool {
	out := map[string]bool{}
	for id, on := range rules {
		name, _ := strings.CutPrefix(id, "dialect.")
		if rulename.Exists(id) || slices.ContainsFunc(formats, func(f *describe.Format) bool { return f.Name == name }) {
			out[id] = on
		}
	}
	return out
}
