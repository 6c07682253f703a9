package foreignfile

import (
	"slices"
	"strings"

	"github.com/callwright/callwright/internal/config/internal/foreign"
	"github.com/goccy/go-yaml"
)

// A draft is the configuration while it is made.
type draft struct {
	program   string // whose file it is
	listen    line
	keys      []line
	endpoints []*endpoint
	entries   []*entry
	missing   []note
	byName    map[string]*entry // the first of entries, of which so many are in it
	indexed   int
	// accessKeys are the parts of the access key of AWS that stands in the variables of AWS, "" for one that they have
	// already.
	accessKeys string
	variables  map[string]string // environment variables of the result, and the secret that each stands for; "" for one that the file names
}

// A line is a value with the comments above it.
type line struct {
	value string
	from  []string
}

// An entry is one of models.
type entry struct {
	name      string
	model     target
	members   []target // of a group, beside model
	prefer    string   // how it orders them, "" for what holds without a word
	fallbacks []target
	settings  []member
	from      []string
	isMember  bool // of a group, which has the fallbacks
	isModel   bool // its name is that of its model, which is not known before the endpoint has a name
}

// A target is a model of an endpoint, or the name of an entry.
type target struct {
	endpoint *endpoint // nil for an entry, or for provider/model of which the provider is written by that name
	name     string
}

// id returns the name by which the model is asked for.
func (t target) id() string {
	if t.endpoint == nil {
		return t.name
	}
	return t.endpoint.name + "/" + t.name
}

// members returns the written members of the entry.
func (e *entry) buildMembers() []member {
	ids := func(list []target) (out []string) {
		for _, t := range list {
			out = append(out, t.id())
		}
		return out
	}
	group, fallbacks := ids(append([]target{e.model}, e.members...)), ids(e.fallbacks)
	out := []member{{"any", listOf(group)}}
	if len(e.members) == 0 || slices.Contains(group, e.name) { // a group has not its own name in it
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

// targets returns the models of the entry, its fallbacks aside.
func (e *entry) targets() []*target { return append([]*target{&e.model}, pointers(e.members)...) }

// A note is a key that has no counterpart, why, and where it stands.
type note struct {
	key, why string
	places   []string
}

func newDraft(root *object) *draft {
	d := &draft{variables: map[string]string{}, byName: map[string]*entry{}}
	d.reserve(root.items)
	return d
}

// reserve keeps the variables that a file names from being given to secrets that stand in it.
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

// variableOf returns the environment variable that a text names in one of the forms of other programs, or as ${NAME}.
func variableOf(text string) (string, bool) {
	if inner, ok := strings.CutPrefix(text, "${"); ok {
		if name, whole := strings.CutSuffix(inner, "}"); whole {
			text = "env." + name
		}
	}
	return foreign.Variable(text)
}

// variable returns the variable that a secret has in the result: the one that it names, or one with a name like that
// wanted, which is given to no other secret. literal reports that the secret itself stood in the file.
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

// miss adds a note. Places with the same key and reason share one.
func (d *draft) miss(key, why, place string) {
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

// maxPlaces bounds the places of a note.
const maxPlaces = 4

// result names the endpoints, makes the chains of fallbacks end, and writes it all.
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

// entry returns the first entry of a name, nil where there is none.
func (d *draft) entry(name string) *entry {
	for ; d.indexed < len(d.entries); d.indexed++ {
		if e := d.entries[d.indexed]; d.byName[e.name] == nil {
			d.byName[e.name] = e
		}
	}
	return d.byName[name]
}
