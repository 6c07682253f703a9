package toolfile

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/internal/spelling"
)

// maxProblems bounds how much is said of one file.
const maxProblems = 100

// A reader collects the faults of a file.
type reader struct {
	options  Options
	tool     string // the one at hand, for messages: its index and its name
	problems []error
}

// fail notes a problem at a place, which is a JSON pointer.
func (r *reader) fail(at, format string, args ...any) {
	r.failAs(callwright.KindInvalid, at, fmt.Sprintf(format, args...))
}

func (r *reader) failAs(kind callwright.Kind, at, message string) {
	if len(r.problems) == maxProblems {
		return
	}
	if r.tool != "" {
		message = r.tool + ": " + message
	}
	r.problems = append(r.problems, &callwright.Error{Op: "toolfile.parse", Kind: kind, Path: at, Message: message})
}

// members are the members of an object by name.
type members map[string][]byte

// A form is the set of members that an object may have.
type form struct {
	what   string            // it is, for messages
	names  []string          // of members; none: any
	passed []string          // names that are passed over
	others map[string]string // what is said about names that mean something elsewhere
}

// object takes an object apart.
func (r *reader) object(v []byte, at string, f form) (members, bool) {
	if jsonx.KindOf(v) != jsonx.Object {
		r.fail(at, "expected %s, got %s", f.what, jsonx.KindOf(v))
		return nil, false
	}
	out := members{}
	for key, value := range jsonx.Members(v) {
		name := key.String()
		place := below(at, name)
		_, twice := out[name]
		switch {
		case twice:
			r.fail(place, "the member %q stands there twice", clipName(name))
		case len(f.names) == 0 || slices.Contains(f.names, name) || slices.Contains(f.passed, name):
			out[name] = value
		case f.others[name] != "":
			r.fail(place, "%s", f.others[name])
		default:
			r.unknown(place, "member", name, f.names)
		}
	}
	return out, true
}

// unknown says that a name means nothing, and which one is like it or which ones there are.
func (r *reader) unknown(at, what, name string, names []string) {
	if near := spelling.Nearest(name, names); near != "" {
		r.fail(at, "unknown %s %q: did you mean %s?", what, clipName(name), near)
		return
	}
	r.fail(at, "unknown %s %q: expected %s", what, clipName(name), oneOf(names))
}

// text reads a string; one that is missing is empty.
func (r *reader) text(v []byte, at string) string {
	s, ok := jsonx.String(v)
	if !ok && v != nil {
		r.fail(at, "expected text, got %s", jsonx.KindOf(v))
	}
	return s
}

// word reads one of some words; one that is missing is empty.
func (r *reader) word(v []byte, at, what string, words []string) string {
	s := r.text(v, at)
	if jsonx.IsText(v) && !slices.Contains(words, s) {
		r.unknown(at, what, s, words)
		return ""
	}
	return s
}

// truth reads true or false.
func (r *reader) truth(v []byte, at string) bool {
	if v != nil && jsonx.KindOf(v) != jsonx.Bool {
		r.fail(at, "expected true or false, got %s", jsonx.KindOf(v))
	}
	return jsonx.IsTrue(v)
}

// texts reads an object of strings, in order. A value env:NAME is that of a variable.
func (r *reader) texts(v []byte, at, what string) [][2]string {
	if v == nil {
		return nil
	}
	if _, ok := r.object(v, at, form{what: what}); !ok {
		return nil
	}
	var out [][2]string
	for key, value := range jsonx.Members(v) {
		name := key.String()
		out = append(out, [2]string{name, r.variable(r.text(value, below(at, name)), below(at, name))})
	}
	return out
}

// variable returns a text, or the value of the variable that it names.
func (r *reader) variable(s, at string) string {
	name, named := strings.CutPrefix(s, "env:")
	switch {
	case !named:
		return s
	case name == "":
		r.fail(at, "expected the name of an environment variable after env:")
		return ""
	}
	value, set := r.options.Env(name)
	if !set {
		r.fail(at, "the environment variable %s is not set", clipName(name))
	}
	return value
}

// below is the place of a member.
func below(at, name string) string {
	return at + "/" + jsonx.EscapeToken(jsonx.Clip(name, 80))
}

func element(at string, i int) string { return at + "/" + strconv.Itoa(i) }

// clipName is a name for a message.
func clipName(name string) string { return jsonx.Clip(name, 80) }

func oneOf(names []string) string {
	if len(names) == 1 {
		return names[0]
	}
	last := len(names) - 1
	return strings.Join(names[:last], ", ") + " or " + names[last]
}
