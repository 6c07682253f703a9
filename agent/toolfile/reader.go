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

// maxProblems is the maximum number of problems reported for a file.
const maxProblems = 100

// A reader parses a file with tools and collects its problems.
type reader struct {
	options  Options
	tool     string // index and name of the current tool, for messages
	problems []error
}

// fail adds a problem of KindInvalid. at is the JSON pointer of the faulty value.
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

// members are the raw values of a JSON object by member name.
type members map[string][]byte

// A form describes the permitted members of a JSON object in a file with tools.
type form struct {
	what   string            // description of the object, for messages
	names  []string          // permitted names; empty permits all
	passed []string          // names that are ignored
	others map[string]string // error messages for names that are known from other programs
}

// object parses a JSON object and reports unknown and duplicate members. ok is false if v is no object.
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
			r.fail(place, "there are two members %q", clipName(name))
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

// unknown reports name, which is none of the permitted names. The message suggests the most similar one or lists all.
func (r *reader) unknown(at, what, name string, names []string) {
	if near := spelling.Nearest(name, names); near != "" {
		r.fail(at, "unknown %s %q: did you mean %s?", what, clipName(name), near)
		return
	}
	r.fail(at, "unknown %s %q: expected %s", what, clipName(name), oneOf(names))
}

// text parses a JSON string and reports any other value. A missing value (nil) is "".
func (r *reader) text(v []byte, at string) string {
	s, ok := jsonx.String(v)
	if !ok && v != nil {
		r.fail(at, "expected text, got %s", jsonx.KindOf(v))
	}
	return s
}

// word parses a string that must be one of words. A missing value (nil) is "".
func (r *reader) word(v []byte, at, what string, words []string) string {
	s := r.text(v, at)
	if jsonx.IsText(v) && !slices.Contains(words, s) {
		r.unknown(at, what, s, words)
		return ""
	}
	return s
}

// truth parses a JSON Boolean and reports any other value. A missing value (nil) is false.
func (r *reader) truth(v []byte, at string) bool {
	if v != nil && jsonx.KindOf(v) != jsonx.Bool {
		r.fail(at, "expected true or false, got %s", jsonx.KindOf(v))
	}
	return jsonx.IsTrue(v)
}

// texts parses an object of strings into name-value pairs in their order. A value "env:NAME" is replaced by the
// environment variable NAME.
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

// variable returns s, or the value of the environment variable NAME if s is "env:NAME".
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

// below returns the JSON pointer of a member with the given name, cut to 80 bytes. at is the pointer of its object.
func below(at, name string) string {
	return at + "/" + jsonx.EscapeToken(jsonx.Clip(name, 80))
}

func element(at string, i int) string { return at + "/" + strconv.Itoa(i) }

// clipName shortens a name to 80 bytes for messages.
func clipName(name string) string { return jsonx.Clip(name, 80) }

func oneOf(names []string) string {
	if len(names) == 1 {
		return names[0]
	}
	last := len(names) - 1
	return strings.Join(names[:last], ", ") + " or " + names[last]
}
