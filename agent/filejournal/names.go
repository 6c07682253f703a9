package filejournal

import (
	"strings"

	"github.com/callwright/callwright/agent"
)

const (
	suffix  = ".jsonl"
	capital = '~' // precedes each capital letter of an id
)

// fileName returns the file name of a run, such as "run_~a.jsonl" for "run_A". The id must be valid.
func fileName(run agent.RunID) string {
	var b strings.Builder
	for _, c := range []byte(run) {
		if isCapital(c) {
			b.WriteByte(capital)
		}
		b.WriteByte(c)
	}
	return b.String() + suffix
}

// runOf returns the run id for a file name. ok is false if fileName produces no such name.
func runOf(name string) (agent.RunID, bool) {
	id, ok := strings.CutSuffix(name, suffix)
	run := agent.RunID(strings.ReplaceAll(id, string(capital), ""))
	return run, ok && run.Validate() == nil && fileName(run) == name
}

func isCapital(c byte) bool { return c >= 'A' && c <= 'Z' }
