package inbound

import (
	"slices"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/dialect"
	"github.com/callwright/callwright/internal/unread"
)

// noteUnread notes a text without calls that names a declared tool in an unknown call format. It does not change the
// response.
func (a *Answer) noteUnread() {
	text := a.Outcome.Visible.String()
	if a.reader.off || len(a.Outcome.Good)+len(a.Outcome.Invalid)+len(a.Outcome.Delivered.Searches) > 0 ||
		a.Setup.Choice.Mode == callwright.ChoiceNone || dialect.IsPlain(text) {
		return
	}
	shown := a.Setup.Attempt.ScanOptions().Tools
	f, ok := unread.Find(text, func(name string) bool {
		return a.Setup.Toolset.ByName[name] != nil || slices.ContainsFunc(shown, func(t dialect.Tool) bool { return t.Name == name })
	})
	if ok {
		a.Setup.Ledger.Add(callwright.Note{Rule: "dialect.unread", Stage: callwright.StageNormalise, Call: f.Tool, Was: f.Text,
			Why: "no format parses the text from this position as a call"})
	}
}
