// Package foreignkey maps the keys of other programs' configurations to our own keys.
package foreignkey

import "slices"

// A Row is a key of another program, spelled as it is there.
type Row struct {
	Key     string
	Program string // "" for a key that many programs have
	// Path is the path of our key, such as providers.NAME.base_url, in which NAME stands for any name. Keys of Settings
	// have the path of a model, and are valid below a provider, too. Path is empty if we have no such key.
	Path string
	// Note is a hint in one sentence without its end: the replacement for a key that we do not have, or further advice. It
	// may be empty.
	Note string
	// Below is the path of the object in which the key means this, such as models.NAME; empty means any object.
	Below string
}

// Find returns the row of a key in the object at a path of the form of Row.Path, "" for the top of the file. A row for
// that object stands above one for any.
func Find(key, below string) (Row, bool) {
	found := -1
	for i := range rows {
		switch r := &rows[i]; {
		case r.Key != key:
		case r.Below == below && below != "":
			return *r, true
		case r.Below == "" && found < 0:
			found = i
		}
	}
	if found < 0 {
		return Row{}, false
	}
	return rows[found], true
}

// Rows returns all rows.
func Rows() []Row { return slices.Clone(rows) }

// A program is another program by keys at the top of its file.
type program struct {
	name string
	any  []string // one of them makes it such a file
	all  []string // or all of these do
}

// programs are the other programs that are known by a whole file.
var programs = []program{
	{name: LiteLLM, any: []string{"model_list", "litellm_settings", "router_settings"}},
	{name: ClaudeCodeRouter, all: []string{"Providers", "Router"}},
}

// ours are keys that a file of these programs does not have at its top.
var ours = []string{"providers", "models", "modelOverrides", "agent", "listen", "keys"}

// Program returns the program whose configuration has these keys at the top, "" where it is none of those known.
func Program(keys []string) string {
	has := func(key string) bool { return slices.Contains(keys, key) }
	if slices.ContainsFunc(ours, has) {
		return ""
	}
	for _, p := range programs {
		if slices.ContainsFunc(p.any, has) || len(p.all) > 0 && !slices.ContainsFunc(p.all, func(key string) bool { return !has(key) }) {
			return p.name
		}
	}
	return ""
}
