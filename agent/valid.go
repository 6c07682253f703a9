package agent

import (
	"encoding/json"
	"strings"
	"unicode/utf8"

	"github.com/callwright/callwright"
)

const (
	runPrefix = "run_"
	maxRun    = 64 // bytes after the prefix
)

// Validate reports, with [callwright.KindInvalid], an id that is not "run_" and 1 to 64 letters and digits of ASCII,
// '_' and '-'. A valid id can be part of a file's name.
func (r RunID) Validate() error {
	rest, ok := strings.CutPrefix(string(r), runPrefix)
	if !ok || rest == "" || len(rest) > maxRun || strings.ContainsFunc(rest, notOfRun) {
		return callwright.Errorf("agent.run", callwright.KindInvalid, "",
			"expected an id of a run, %q and 1 to %d letters, digits, '_' and '-', got %.80q", runPrefix, maxRun, string(r))
	}
	return nil
}

func notOfRun(c rune) bool {
	return (c < '0' || c > '9') && (c < 'A' || c > 'Z') && (c < 'a' || c > 'z') && c != '_' && c != '-'
}

// Validate reports, with [callwright.KindInvalid], an Entry that a Journal could not keep as it is: Data that is
// neither empty nor JSON, a Kind or a Call that is not UTF-8, a Time outside of the years 0 to 9999.
func (e Entry) Validate() error {
	var reason string
	switch _, err := e.Time.MarshalText(); {
	case len(e.Data) > 0 && !json.Valid(e.Data):
		reason = "expected data that is JSON"
	case !utf8.ValidString(string(e.Kind)) || !utf8.ValidString(e.Call):
		reason = "expected a kind and a call in UTF-8"
	case err != nil:
		return &callwright.Error{Op: "agent.entry", Kind: callwright.KindInvalid, Err: err}
	default:
		return nil
	}
	return callwright.Errorf("agent.entry", callwright.KindInvalid, "", "%s, in an entry of kind %.40q", reason, string(e.Kind))
}
