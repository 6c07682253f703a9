package filejournal

import (
	"strings"

	"github.com/callwright/callwright/agent"
)

const (
	suffix  = ".jsonl"
	capital = '~' // stands before a capital letter
)

// fileName is the name of a run's file. The id is valid.
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

// runOf is the run of a file, false for the name of another file.
func runOf(name string) (agent.RunID, bool) {
	id, ok := strings.CutSuffix(name, suffix)
	run := agent.RunID(strings.ReplaceAll(id, string(capital), ""))
	return run, ok && run.Validate() == nil && fileName(run) == name
}

func isCapital(c byte) bool { return c >= 'A' && c <= 'Z' }
