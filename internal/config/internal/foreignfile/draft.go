package foreignfile

import (
	"slices"
	"strings"

	"github.com/callwright/callwright/internal/config/internal/foreign"
	"github.com/goccy/go-yaml"
)

// A draft is the resulting configuration while it is built.
type draft struct {
	program   string // the program of the source file
	listen    line
	keys      []line
	endpoints []*endpoint
	entries   []*entry
	missing   []note
	byName    map[string]*entry // indexes the first indexed elements of entries
	indexed   int
	// accessKeys are the parts of the AWS access key, separated by newlines, that the user must set in the variables of
	// AWS. It is "" if there is none.
	accessKeys string
	variables  map[string]string // variables of the result; the secret that each stands for, "" for one that the file names
}

// A line is a value of the result with the comments to write above it.
type line struct {
	value string
	from  []string
}

// An entry is an entry of models in the result.
type entry struct {
	name      string
	model     target
	members   []target // further members of a group
	prefer    string   // the preference of a group; "" for the default
	fallbacks []target
	settings  []member
	from      []string
	isMember  bool // whether it is a member of a group, which has the fallbacks
	isModel   bool // whether its name is that of its model, set when the endpoint is named
}

// A target is a model of an endpoint, or the name of an entry.
type target struct {
	endpoint *endpoint // nil if name is an entry, or is provider/model as in the file
	name     string
}

// id returns the name of the model in the result: endpoint/model, or the name of the entry.
func (t target) id() string {
	if t.endpoint == nil {
		return t.name
	}
	return t.endpoint.name + "/" + t.name
}

// buildMembers returns the settings of the entry as they are written.
func (e *entry) buildMembers() []member {
	ids := func(list []target) (out []string) {
		for _, t := range list {
			out = append(out, t.id())
		}
		return out
	}
	group, fallbacks := ids(append([]target{e.model}, e.members...)), ids(e.fallbacks)
	out := []member{{"any", listOf(group)}}
	if len(e.members) == 0 || slices.Contains(group, e.name) { // a group cannot contain itself
		out = []member{{"model", textOf(group[0])}}
		fallbacks = slices.Concat(group[1:], fallbacks)
	} else if e.prefer != "" {
		out = append(out, member{"prefer", e.prefer})
	}
	if len(fallbacks) > 0 {
		out = append(out, member{"fallbacks", listOf(fallbacks)})
	}
	return append(out, e.settings...)
}

// targets returns pointers to the model and the group members of the entry, without its fallbacks.
func (e *entry) targets() []*target { return append([]*target{&e.model}, pointers(e.members)...) }

// A note is a key without a counterpart, the reason, and its positions in the file.
type note struct {
	key, why string
	places   []string
}

func newDraft(root *object) *draft {
	d := &draft{variables: map[string]string{}, byName: map[string]*entry{}}
	d.reserve(root.items)
	return d
}

// reserve records all variables that the file names, so that no secret in the file gets one of them.
func (d *draft) reserve(v any) {
	switch v := v.(type) {
	case string:
		if name, ok := variableOf(v); ok {
			d.variables[name] = ""
		}
	case []any:
		for _, e := range v {
			d.reserve(e)
		}
	case yaml.MapSlice:
		for _, m := range v {
			d.reserve(m.Value)
		}
	}
}

// variableOf returns the environment variable to which text refers in the syntax of another program, or as ${NAME}. It
// returns false if there is none.
func variableOf(text string) (string, bool) {
	if inner, ok := strings.CutPrefix(text, "${"); ok {
		if name, whole := strings.CutSuffix(inner, "}"); whole {
			text = "env." + name
		}
	}
	return foreign.Variable(text)
}

// variable returns the variable for a secret in the result: the one to which the secret refers, or a new one with a
// name like wanted. literal reports whether the file contains the secret itself.
func (d *draft) variable(secret, wanted string) (name string, literal bool) {
	if name, ok := variableOf(secret); ok {
		return name, false
	}
	for n := 1; ; n++ {
		name := addNumber(wanted, n, "_")
		if kept, taken := d.variables[name]; !taken || kept == secret {
			d.variables[name] = secret
			return name, true
		}
	}
}

// addNote adds a note. Notes with the same key and reason are merged.
func (d *draft) addNote(key, why, place string) {
	for i := range d.missing {
		if n := &d.missing[i]; n.key == key && n.why == why {
			if !slices.Contains(n.places, place) {
				n.places = append(n.places, place)
			}
			return
		}
	}
	d.missing = append(d.missing, note{key, why, []string{place}})
}

// maxPlaces is the maximum number of positions that a note lists.
const maxPlaces = 4

// result names the endpoints, removes cycles of fallbacks, and writes the configuration.
func (d *draft) result(program string) *Result {
	r := &Result{Program: program}
	if len(d.endpoints) > 0 {
		d.nameEndpoints()
		d.guardPatterns()
		d.cutCircles()
		r.Text = d.write(program)
	}
	for _, n := range d.missing {
		places := n.places
		if len(places) > maxPlaces {
			places = append(slices.Clone(places[:maxPlaces]), "...")
		}
		text := n.key
		if in := strings.Join(places, ", "); in != "" {
			text += " (" + in + ")"
		}
		r.Missing = append(r.Missing, text+": "+n.why)
	}
	return r
}

// entry returns the first entry with that name, or nil if there is none.
func (d *draft) entry(name string) *entry {
	for ; d.indexed < len(d.entries); d.indexed++ {
		if e := d.entries[d.indexed]; d.byName[e.name] == nil {
			d.byName[e.name] = e
		}
	}
	return d.byName[name]
}
