package claim_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"os"
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/claim"
	"github.com/callwright/callwright/internal/stats"
)

// A labelled is a turn of testdata/turns.jsonl, whose README says where the turns come from and how they were labelled.
type labelled struct {
	ID     string
	Source struct{ Model, Repository, Licence, Path, Commit, Changed string }
	Tools  []struct {
		Name, Description string
		Hosted            bool
	}
	Messages []struct {
		Role, Text, ID string
		Calls          []struct{ ID, Name, Arguments string }
	}
	Text   string
	Calls  []string
	Hosted bool
	Claim  bool // the text claims work that no call did
	Held   bool // the turn was held out while the rules were written
}

// turn returns the turn in the form in which it is checked.
func (l *labelled) turn() claim.Turn {
	t := claim.Turn{Hosted: l.Hosted}
	for _, d := range l.Tools {
		tool := callwright.Tool{Name: d.Name, Description: d.Description}
		if d.Hosted {
			tool.Type = callwright.HostedTool
		}
		t.Tools = append(t.Tools, tool)
	}
	for _, m := range l.Messages {
		var parts []callwright.Part
		if m.Text != "" && m.Role != "tool" {
			parts = append(parts, callwright.Text{Text: m.Text})
		}
		for _, c := range m.Calls {
			parts = append(parts, callwright.Call{ID: c.ID, Name: c.Name, Arguments: json.RawMessage(c.Arguments)})
		}
		switch m.Role {
		case "tool":
			parts = append(parts, callwright.Result{CallID: m.ID, Parts: []callwright.Part{callwright.Text{Text: m.Text}}})
		case "hosted":
			m.Role = "assistant"
			parts = append(parts, callwright.Opaque{})
		}
		t.Messages = append(t.Messages, callwright.Message{Role: callwright.Role(m.Role), Parts: parts})
	}
	for _, name := range l.Calls {
		t.Calls = append(t.Calls, callwright.Call{Name: name})
	}
	return t
}

func readLabelled(t *testing.T) (out []labelled) {
	t.Helper()
	data, err := os.ReadFile("testdata/turns.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(bytes.NewReader(data))
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var l labelled
		if err := json.Unmarshal(lines.Bytes(), &l); err != nil {
			t.Fatal(err)
		}
		out = append(out, l)
	}
	return out
}

// A tally counts the turns that have findings, and those that should.
type tally struct{ turns, claims, found, right int }

func (n *tally) add(claim, found bool) {
	n.turns++
	if claim {
		n.claims++
	}
	if found {
		n.found++
	}
	if claim && found {
		n.right++
	}
}

// Of the findings about labelled turns at least 95 of 100 are right, about those that the rules were written with and
// about those that were held out.
func TestLabelled(t *testing.T) {
	tallies := map[string]*tally{"written with": {}, "held out": {}, "all": {}, "as they were": {}}
	for _, l := range readLabelled(t) {
		found := claim.Find(l.Text, l.turn)
		half := "written with"
		if l.Held {
			half = "held out"
		}
		tallies[half].add(l.Claim, len(found) > 0)
		tallies["all"].add(l.Claim, len(found) > 0)
		if l.Source.Changed == "" {
			tallies["as they were"].add(l.Claim, len(found) > 0)
		}
		if l.Claim != (len(found) > 0) && (!l.Held || os.Getenv("SHOW_HELD") != "") {
			t.Logf("%s: labelled %t, found %+v in %.200q", l.ID, l.Claim, found, l.Text)
		}
	}
	for _, name := range []string{"written with", "held out", "all", "as they were"} {
		n := tallies[name]
		low, high := stats.Wilson(n.right, n.found)
		least, most := stats.Wilson(n.right, n.claims)
		t.Logf("%s: %d turns, %d claims, %d findings; precision %.3f (%.3f to %.3f), recall %.3f (%.3f to %.3f)", name, n.turns, n.claims, n.found,
			stats.Ratio(n.right, n.found), low, high, stats.Ratio(n.right, n.claims), least, most)
		if n.found < 10 || float64(n.right) < 0.95*float64(n.found) {
			t.Errorf("%s: %d of %d findings are right", name, n.right, n.found)
		}
	}
	if n := tallies["as they were"]; n.turns < 200 {
		t.Errorf("%d turns are labelled, expected at least 200", n.turns)
	}
}
