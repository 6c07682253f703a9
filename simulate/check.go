package simulate

import (
	"cmp"
	"fmt"
	"net/http"
	"slices"
	"strings"
)

// CheckInfo is a row of the table of checks: something that a provider looks at in a request, and refuses.
type CheckInfo struct {
	Name    string // of what is looked at; unique within wire and profile
	Wire    string
	Profile string // that makes the check, with all that are based on it
	Doc     string
}

// Checks returns all checks, in the order in which they are made. The slice is the caller's.
func Checks() []CheckInfo {
	out := make([]CheckInfo, len(checks))
	for i, c := range checks {
		out[i] = c.CheckInfo
	}
	return out
}

// A check examines a request and returns the objection in the provider's own words, nil for none. Fields that an
// objection leaves out are taken from the row.
type check struct {
	CheckInfo
	look   func(doc *node) *failure
	status int    // 0: 400
	kind   string // empty: as the wire has it for the status
	code   string
}

// checks has those of each wire one after the other. Wordings are those that the providers' own errors are quoted with
// in public; where none is known, they are ours.
var checks = slices.Concat(familyChecks, serverChecks, openAIChecks, responsesChecks, anthropicChecks, geminiChecks, ollamaChecks)

// CheckHeader is the header of a refusal that names the check that made it: wire, profile and name.
const CheckHeader = "X-Sim-Check"

// complete fills in the fields that an objection left to the row, and names the row.
func (c check) complete(f *failure) *failure {
	f.status = cmp.Or(f.status, c.status, http.StatusBadRequest)
	f.kind, f.code = cmp.Or(f.kind, c.kind), cmp.Or(f.code, c.code)
	f.header = map[string]string{CheckHeader: c.Wire + "/" + c.Profile + "/" + c.Name}
	return f
}

// no returns an objection to the member of the request that param names.
func no(param, format string, args ...any) *failure {
	return &failure{param: param, message: fmt.Sprintf(format, args...)}
}

// as returns an objection a code of its own.
func (f *failure) as(code string) *failure { f.code = code; return f }

// An element is an element of a list in a request, and where it stands there.
type element struct {
	node *node
	at   string
}

// get follows names down from the element.
func (e element) get(names ...string) *node { return e.node.at(names...) }

// elements returns the elements of a list, their places written by a format that takes the number.
func elements(list *node, format string) []element {
	var out []element
	for i, n := range list.list() {
		out = append(out, element{n, fmt.Sprintf(format, i)})
	}
	return out
}

// under returns the elements of a list inside an element, their places written after its own.
func (e element) under(name, format string) []element {
	return elements(e.get(name), strings.ReplaceAll(e.at, "%", "%%")+format)
}

// unknown returns the names of the members of an object that are not among the known ones, which are written in snake
// case or as they are.
func unknown(n *node, known []string) []string {
	var out []string
	for name := range n.members() {
		if !slices.Contains(known, name) {
			out = append(out, name)
		}
	}
	return out
}

// isWord reports whether text has only letters, digits and the extra characters, and between 1 and most of them.
func isWord(text, extra string, most int) bool {
	bad := strings.ContainsFunc(text, func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9') && !strings.ContainsRune(extra, r)
	})
	return !bad && text != "" && len(text) <= most
}
