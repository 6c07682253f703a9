package toolfile

import (
	"bytes"
	"errors"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/agent"
	"github.com/callwright/callwright/internal/jsonx"
)

// Parse returns the tools of a file in order. It reports all problems, up to 100: the error joins *callwright.Error
// values, each with a JSON pointer in Path and the index and name of the tool in the message. Every returned tool has
// passed [agent.CheckTool], and names are unique.
func Parse(b []byte, o Options) ([]agent.Tool, error) {
	r := &reader{options: o.withDefaults()}
	b = jsonx.Trim(bytes.TrimPrefix(b, []byte("\ufeff")))
	if err := jsonx.Valid(b); err != nil {
		r.fail("", "%v", err)
		return nil, errors.Join(r.problems...)
	}
	b = bytes.Clone(b)
	at := ""
	if list, ok := jsonx.Find(b, "tools"); ok && jsonx.IsObject(b) {
		at, b = "/tools", list
		if !jsonx.IsArray(b) {
			r.fail(at, "expected a list of tools, got %s", jsonx.KindOf(b))
			return nil, errors.Join(r.problems...)
		}
	}
	tools := r.list(b, at)
	if len(r.problems) > 0 {
		return nil, errors.Join(r.problems...)
	}
	return tools, nil
}

// list parses an array of tools, or a single tool.
func (r *reader) list(b []byte, at string) []agent.Tool {
	if !jsonx.IsArray(b) {
		return []agent.Tool{r.read(b, at, 0)}
	}
	var out []agent.Tool
	first := map[string]int{}
	i := 0
	for v := range jsonx.Elements(b) {
		t := r.read(v, element(at, i), i)
		if before, twice := first[t.Name]; twice && t.Name != "" {
			r.fail(element(at, i), "tool %d has the same name", before)
		} else {
			first[t.Name] = i
		}
		out = append(out, t)
		i++
	}
	return out
}

// A member is an optional member of a tool, such as "timeout", with its parse method.
type member struct {
	name string
	read func(r *reader, v []byte, at string, t *agent.Tool)
}

// table lists the optional members in the order in which they are parsed.
var table = []member{
	{"timeout", (*reader).timeout},
	{"effects", (*reader).effects},
	{"approve", (*reader).approve},
	{"approve_if", (*reader).approveIf},
	{"polling", func(r *reader, v []byte, at string, t *agent.Tool) { t.Polling = r.truth(v, at) }},
	{"run_argument", func(r *reader, v []byte, at string, t *agent.Tool) { t.RunArgument = r.text(v, at) }},
}

// declared are the members of a tool's declaration. foreign are members that other programs put there; they are
// ignored.
var (
	declared = []string{"name", "description", "parameters"}
	foreign  = []string{"type", "strict", "title", "annotations", "cache_control", "defer_loading", "allowed_callers", "input_examples"}
)

// read parses the tool with the given index in its list.
func (r *reader) read(v []byte, at string, index int) agent.Tool {
	defer func() { r.tool = "" }()
	var t agent.Tool
	fn, nested := jsonx.Find(v, "function")
	r.tool = titleOf(index, v, fn)
	before := len(r.problems)
	all, ok := r.object(v, at, toolForm(nested))
	if !ok {
		return t
	}
	from, place := all, at
	if nested {
		place = below(at, "function")
		if from, ok = r.object(fn, place, form{what: "the declaration of a tool", names: declared, passed: foreign}); !ok {
			return t
		}
	}
	r.kind(all["type"], below(at, "type"))
	r.declaration(from, place, &t)
	for _, m := range table {
		if value := all[m.name]; value != nil {
			m.read(r, value, below(at, m.name), &t)
		}
	}
	r.run(all["run"], below(at, "run"), &t)
	if len(r.problems) == before {
		r.check(t, at, place)
	}
	return t
}

// titleOf returns the description of a tool for messages, such as `tool 0 (search)`.
func titleOf(index int, v, fn []byte) string {
	name, _ := jsonx.Find(v, "name")
	if fn != nil {
		name, _ = jsonx.Find(fn, "name")
	}
	title := "tool " + strconv.Itoa(index)
	if s := jsonx.TextOf(name); s != "" {
		title += " (" + clipName(s) + ")"
	}
	return title
}

// toolForm returns the permitted members of a tool. nested is true if the declaration is in a "function" object.
func toolForm(nested bool) form {
	f := form{what: "a tool", names: slices.Clone(declared), passed: foreign}
	if nested {
		f.names = []string{"function"}
	}
	f.names = append(f.names, "run")
	for _, m := range table {
		f.names = append(f.names, m.name)
	}
	return f
}

// kind checks that the "type" of a tool is "function" or missing.
func (r *reader) kind(v []byte, at string) {
	if v != nil && jsonx.TextOf(v) != "function" {
		r.fail(at, `expected "function", got %s`, clipName(string(v)))
	}
}

// declaration parses the name, description and parameters of a tool.
func (r *reader) declaration(m members, at string, t *agent.Tool) {
	if m["name"] == nil {
		r.fail(at, "expected the name of the tool")
	}
	t.Name = r.text(m["name"], below(at, "name"))
	t.Description = r.text(m["description"], below(at, "description"))
	if p := m["parameters"]; !jsonx.IsNull(p) {
		t.Schema = p
	}
}

// check runs agent.CheckTool and reports the error with its JSON pointer in the file. declaration is the pointer of the
// object with the name and the parameters.
func (r *reader) check(t agent.Tool, at, declaration string) {
	e, bad := errors.AsType[*callwright.Error](agent.CheckTool(t))
	if !bad {
		return
	}
	place := at + e.Path
	switch {
	case strings.HasPrefix(e.Path, "/schema"):
		place = below(declaration, "parameters") + strings.TrimPrefix(e.Path, "/schema")
	case e.Path == "/name" || e.Path == "/description":
		place = declaration + e.Path
	}
	r.failAs(e.Kind, place, strings.TrimPrefix(e.Message, "tool "+strconv.Quote(t.Name)+": "))
}

func (r *reader) timeout(v []byte, at string, t *agent.Tool) {
	s := r.text(v, at)
	if !jsonx.IsText(v) {
		return
	}
	d, err := time.ParseDuration(s)
	if err != nil || d <= 0 {
		r.fail(at, "expected a time such as 30s, got %q", clipName(s))
		return
	}
	t.Timeout = d
}

// effects maps the values of a tool's member "effects" to constants.
var effects = map[string]agent.Effects{
	"none": agent.EffectsNone, "idempotent": agent.EffectsIdempotent, "destructive": agent.EffectsDestructive,
}

func (r *reader) effects(v []byte, at string, t *agent.Tool) {
	t.Effects = effects[r.word(v, at, "effects", []string{"none", "idempotent", "destructive"})]
}

func (r *reader) approve(v []byte, at string, t *agent.Tool) {
	t.Approval = agent.Approval(r.word(v, at, "approval",
		[]string{string(agent.ApproveNever), string(agent.ApproveOnce), string(agent.ApproveAlways)}))
}
