package agent

import (
	"encoding/json"
	"strings"
	"unicode/utf8"

	"github.com/callwright/callwright"
)

const (
	runPrefix = "run_"
	maxRun    = 64 // maximum number of bytes after the prefix
)

// Validate returns an error of [callwright.KindInvalid] if the id is not "run_" followed by 1 to 64 ASCII letters,
// digits, '_' and '-'. A valid id can be part of a file name.
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

// Validate returns an error of [callwright.KindInvalid] if a Journal cannot store the entry unchanged: Data is neither
// empty nor JSON, Kind or Call is not UTF-8, or Time is outside the years 0 to 9999.
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
