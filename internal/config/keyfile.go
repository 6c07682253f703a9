package config

import (
	"errors"
	"fmt"
	"os"
	"reflect"
	"slices"

	"github.com/callwright/callwright/internal/access"
	"github.com/callwright/callwright/internal/boundedfile"
	"github.com/goccy/go-yaml/ast"
)

// A KeyFile is a file of access keys: a mapping with the key keys, or the list alone. Each key must have a name.
type KeyFile struct {
	Keys []AccessKey `json:"keys,omitempty" default:"none" jsonschema:"keys as in the configuration, each with a name"`
}

func (f *KeyFile) read(d *decoder, at location) {
	if _, list := at.node.(*ast.SequenceNode); list {
		at.path = "keys"
		d.value(at, reflect.ValueOf(&f.Keys).Elem())
		return
	}
	d.object(at, reflect.ValueOf(f).Elem())
}

// ParseKeys parses a file of access keys, YAML or JSON, and checks that the models and providers in their scopes exist
// in c. env looks up environment variables; nil means os.LookupEnv. Errors in the text are [Errors].
func (c *Config) ParseKeys(text []byte, env func(name string) (value string, ok bool)) ([]access.Key, error) {
	if env == nil {
		env = os.LookupEnv
	}
	keys, err := c.readKeys(text, env)
	if err != nil {
		return nil, err
	}
	return accessKeys(keys, env)
}

// AllKeys returns the access keys of the configuration and of keys_file. It does not resolve env:NAME.
func (c *Config) AllKeys() ([]AccessKey, error) {
	if c.KeysFile == "" {
		return c.Keys, nil
	}
	text, err := boundedfile.Read(string(c.KeysFile), maxSize)
	if err != nil {
		return nil, err
	}
	more, err := c.readKeys(text, os.LookupEnv)
	return slices.Concat(c.Keys, more), err
}

func (c *Config) readKeys(text []byte, env func(string) (string, bool)) ([]AccessKey, error) {
	var f KeyFile
	d, err := decode(text, "", env, &f)
	if err != nil {
		return nil, err
	}
	held := *c
	held.Keys = f.Keys
	k := newChecker(&held, d)
	for i := range f.Keys {
		if path := fmt.Sprintf("keys[%d]", i); f.Keys[i].Name == "" && !k.bad(path) {
			k.fail(path, "expected name and key: in a keys file every key needs both")
		}
	}
	k.keys()
	if len(d.errs) > 0 {
		d.finish(text, d.errs)
		return nil, Errors(d.errs)
	}
	return f.Keys, nil
}

// ModelPrice contains the prices of a model in US dollars for a million tokens.
type ModelPrice struct {
	Input       float64  `json:"input" jsonschema:"input tokens"`
	CachedInput *float64 `json:"cached_input,omitempty" default:"the input price" jsonschema:"input tokens read from a prompt cache"`
	CacheWrite  *float64 `json:"cache_write,omitempty" default:"the input price" jsonschema:"input tokens written to a prompt cache"`
	Output      float64  `json:"output" jsonschema:"output tokens"`
}

// priceFile contains the rows of a price file in the order of the file.
type priceFile struct{ rows []access.PriceRow }

func (f *priceFile) read(d *decoder, at location) {
	for _, m := range d.members(at) {
		var p ModelPrice
		d.value(m, reflect.ValueOf(&p).Elem())
		for _, name := range []string{"input", "output"} {
			if _, said := d.places[joinPath(m.path, name)]; !said {
				d.failKey(m.name, m.path, "expected input and output, the prices in US dollars per million tokens")
				break
			}
		}
		row := access.PriceRow{Models: m.key, Price: access.Price{Input: p.Input, Cached: p.Input, Write: p.Input, Output: p.Output}}
		if p.CachedInput != nil {
			row.Cached = *p.CachedInput
		}
		if p.CacheWrite != nil {
			row.Write = *p.CacheWrite
		}
		f.rows = append(f.rows, row)
	}
}

// ParsePrices parses a price file, YAML or JSON: a mapping from provider/model, or from a pattern such as lab/*, to
// prices. env looks up environment variables; nil means os.LookupEnv. The error, if any, is an [Errors].
func ParsePrices(text []byte, env func(name string) (value string, ok bool)) ([]access.PriceRow, error) {
	var f priceFile
	_, err := decode(text, "", env, &f)
	return f.rows, err
}

// LoadPrices reads a price file as [ParsePrices] does. Errors in the text contain the path of the file.
func LoadPrices(path string, env func(name string) (value string, ok bool)) ([]access.PriceRow, error) {
	text, err := boundedfile.Read(path, maxSize)
	if err != nil {
		return nil, err
	}
	rows, err := ParsePrices(text, env)
	if list, ok := errors.AsType[Errors](err); ok {
		for _, e := range list {
			e.File = path
		}
	}
	return rows, err
}

// decode decodes text, YAML or JSON, into v, a pointer. It returns the decoder for further checks. dir is the folder at
// which relative paths start.
func decode(text []byte, dir string, env func(string) (string, bool), v any) (*decoder, error) {
	if env == nil {
		env = os.LookupEnv
	}
	d, text, err := newDecoder(text, dir, env)
	if err != nil {
		return nil, err
	}
	if body, ok := d.tree(text); ok && body != nil {
		d.value(location{node: body}, reflect.ValueOf(v).Elem())
	}
	if len(d.errs) > 0 {
		d.finish(text, d.errs)
		return nil, Errors(d.errs)
	}
	return d, nil
}
