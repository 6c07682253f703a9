// Package foreignkey maps keys in configurations of other programs to keys of the gateway's configuration.
package foreignkey

import "slices"

// A Row is a key of another program with its counterpart.
type Row struct {
	Key     string
	Program string // "" for a key that many programs have
	// Path is the path of the gateway's key, such as providers.NAME.base_url, in which NAME stands for any name. A path
	// below models.NAME is also valid below providers.NAME if it is a field of Settings. Path is empty if there is no
	// counterpart.
	Path string
	// Note is a hint in one sentence without a full stop: the replacement for a key without a counterpart, or further
	// advice. It may be empty.
	Note string
	// Below is the path of the only object in which the row applies, such as models.NAME, or "" for any object.
	Below string
}

// Find returns the row of a key in an object. below is the path of the object in the form of Row.Path, "" for the root.
// A row for that object has precedence over a row for any object. Find returns false if there is no such row.
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

// A program is another program, recognised by the top-level keys of its file.
type program struct {
	name string
	any  []string // one of these keys is sufficient
	all  []string // or all of these keys
}

// programs are the programs whose files are recognised.
var programs = []program{
	{name: LiteLLM, any: []string{"model_list", "litellm_settings", "router_settings"}},
	{name: ClaudeCodeRouter, all: []string{"Providers", "Router"}},
}

// ours are top-level keys that prove that a file is not a configuration of another program.
var ours = []string{"providers", "models", "modelOverrides", "agent", "listen", "keys"}

// Program returns the program whose configuration has these top-level keys, or "" if it is none of programs.
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
