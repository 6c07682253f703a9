package simulate

import (
	"cmp"
	"fmt"
	"net/http"
	"slices"
	"strings"
)

// CheckInfo describes a check: a condition under which a provider rejects a request.
type CheckInfo struct {
	Name    string // unique for a wire and a profile, such as "tool-name"
	Wire    string
	Profile string // the profile that has the check; derived profiles have it too
	Doc     string
}

// Checks returns all checks in the order in which they run. The caller may modify the slice.
func Checks() []CheckInfo {
	out := make([]CheckInfo, len(checks))
	for i, c := range checks {
		out[i] = c.CheckInfo
	}
	return out
}

// A check is a CheckInfo with its implementation. examine tests a request and returns the error with the provider's
// message, nil if the request passes. Zero fields of the error are set from the check.
type check struct {
	CheckInfo
	examine func(doc *node) *failure
	status  int    // HTTP status; 0 means 400
	kind    string // error type; empty means the wire's default for the status
	code    string
}

// checks lists all checks, grouped by wire. Messages are quoted from public reports of the providers' errors; if no
// report is known, the message is invented.
var checks = slices.Concat(familyChecks, serverChecks, openAIChecks, responsesChecks, anthropicChecks, geminiChecks, ollamaChecks)

// CheckHeader is the header of an error response that contains the failed check as "wire/profile/name".
const CheckHeader = "X-Sim-Check"

// complete sets the zero fields of f from the check, and sets CheckHeader.
func (c check) complete(f *failure) *failure {
	f.status = cmp.Or(f.status, c.status, http.StatusBadRequest)
	f.kind, f.code = cmp.Or(f.kind, c.kind), cmp.Or(f.code, c.code)
	f.header = map[string]string{CheckHeader: c.Wire + "/" + c.Profile + "/" + c.Name}
	return f
}

// no returns an error about the request field param, "" for no field. The other arguments format the message.
func no(param, format string, args ...any) *failure {
	return &failure{param: param, message: fmt.Sprintf(format, args...)}
}

// as sets the error code of f, such as "invalid_type", and returns f.
func (f *failure) as(code string) *failure { f.code = code; return f }

// An element is an element of a list in the request, with its path as the provider writes it, such as "tools[0]".
type element struct {
	node *node
	at   string
}

// get returns the value at the member names below the element, nil if there is none.
func (e element) get(names ...string) *node { return e.node.at(names...) }

// elements returns the elements of a list. format creates the path of an element from its index, such as "tools[%d]".
func elements(list *node, format string) []element {
	var out []element
	for i, n := range list.list() {
		out = append(out, element{n, fmt.Sprintf(format, i)})
	}
	return out
}

// under returns the elements of the list name in the element. format is appended to the element's path.
func (e element) under(name, format string) []element {
	return elements(e.get(name), strings.ReplaceAll(e.at, "%", "%%")+format)
}

// unknown returns the member names of an object that are not in known.
func unknown(n *node, known []string) []string {
	var out []string
	for name := range n.members() {
		if !slices.Contains(known, name) {
			out = append(out, name)
		}
	}
	return out
}

// isWord reports whether text consists only of ASCII letters, digits and characters of extra. It must have at least 1
// byte, and no more than the limit most.
func isWord(text, extra string, most int) bool {
	bad := strings.ContainsFunc(text, func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9') && !strings.ContainsRune(extra, r)
	})
	return !bad && text != "" && len(text) <= most
}
