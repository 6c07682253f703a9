package edit_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/callwright/callwright/agent"
	"github.com/callwright/callwright/cmd/callwright/internal/document"
	"github.com/callwright/callwright/cmd/callwright/internal/edit"
	"github.com/callwright/callwright/workspace"
)

// A person sees what has changed in a few lines, whatever a model writes.
func TestTextScreen(t *testing.T) {
	long := strings.Repeat("word ", 40)
	var many []document.Change
	for i := range 40 {
		many = append(many, document.Change{Op: document.Add, Path: fmt.Sprintf("/%d", i), Now: []byte("1")})
	}
	path := "/a"
	for want, ev := range map[string]edit.Event{
		"draft 4: it is\\n cold\n- /a \"was\"\n+ /a \"now␛[2J\"\n- /b [1]\n": {Kind: edit.Draft, Version: 4, Why: "it is\\n \n cold", Changes: []document.Change{
			{Op: document.Replace, Path: "/a", Was: []byte(`"was"`), Now: []byte("\"now\x1b[2J\"")}, {Op: document.Remove, Path: "/b", Was: []byte("[1]")}}},
		"draft 5, restored from version 3\n  nothing changes\n": {Kind: edit.Draft, Version: 5, To: 3},
		"draft 6\n- (whole document) …d word word a\"\n+ (whole document) …d word word b\"\n": {Kind: edit.Draft, Version: 6, Changes: []document.Change{
			{Op: document.Replace, Was: []byte(`"` + long + `a"`), Now: []byte(`"` + long + `b"`)}}},
		"+ /29 1\n  and 10 more\n": {Kind: edit.Facts, Version: 7, Changes: many},
		"locked /a\n":              {Kind: edit.Locked, Path: &path},
		"unlocked /a\n":            {Kind: edit.Unlocked, Path: &path},
		"nothing is locked\n":      {Kind: edit.Locks},
		"p3 is rejected\n":         {Kind: edit.Rejected, Proposal: "p3"},
		"no\nway\n":                {Kind: edit.Failed, Text: "no\nway"},
		"book.json, version 2; :help lists the commands, Ctrl-D ends\nlocked: /a, /b\nwaiting for you: p3 (:proposals)\n": {Kind: edit.Open, File: "book.json", Version: 2, Locks: []string{"/a", "/b"}, Waiting: []string{"p3"}},
	} {
		var out, errs bytes.Buffer
		ended := false
		s := edit.NewTextScreen(edit.TextConfig{Out: &out, Err: &errs, Env: func(string) (string, bool) { return "", false }, Person: true,
			Step: func(agent.Event) error { return nil }, EndStep: func() { ended = true }})
		if err := s.Show(ev); err != nil || !strings.HasSuffix(errs.String(), want) || out.Len() > 0 || !ended {
			t.Errorf("%s: %v, %q, want %q, output %q", ev.Kind, err, &errs, want, &out)
		}
	}
}

// What was asked for stands alone on the output of the command.
func TestTextScreenOutput(t *testing.T) {
	for want, ev := range map[string]edit.Event{
		"{\n  \"a\": 1\n}\n": {Kind: edit.Value, Of: "draft", Value: []byte(`{"a":1}`)},
		"/a\n/b\n":           {Kind: edit.Locks, Locks: []string{"/a", "/b"}},
		"help\n":             {Kind: edit.Help, Text: "help"},
		"  12  2026-03-01 12:00:00  person  draft.undo so to 3\n": {Kind: edit.History, Entries: []workspace.Entry{{Version: 12, Edit: workspace.Edit{
			Kind: workspace.UndoDraft, By: workspace.Author{Actor: workspace.Person}, To: 3, Why: "so", Time: time.Date(2026, 3, 1, 12, 0, 0, 0, time.Local)}}}},
	} {
		var out, errs bytes.Buffer
		s := edit.NewTextScreen(edit.TextConfig{Out: &out, Err: &errs, Env: func(string) (string, bool) { return "", false }, EndStep: func() {}})
		if err := s.Show(ev); err != nil || out.String() != want || errs.Len() > 0 {
			t.Errorf("%s: %v, %q, want %q, beside it %q", ev.Kind, err, &out, want, &errs)
		}
	}
}
