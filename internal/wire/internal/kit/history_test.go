package kit_test

import (
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/wire/internal/kit"
)

func said(words string) []callwright.Part { return []callwright.Part{callwright.Text{Text: words}} }

func TestOriginals(t *testing.T) {
	came := []callwright.Message{{Role: callwright.RoleUser, Parts: said("a")}, {Role: callwright.RoleAssistant}, {Role: callwright.RoleUser, Parts: said("b")}}
	other := came[2]
	other.Role = callwright.RoleSystem
	longer := came[2]
	longer.Parts = append(longer.Parts[:1:1], callwright.Text{Text: "c"})
	for _, c := range []struct {
		name string
		m    callwright.Message
		at   int
		ok   bool
	}{
		{"as it came", came[2], 2, true},
		{"the same words made anew", callwright.Message{Role: callwright.RoleUser, Parts: said("a")}, 0, false},
		{"without parts", came[1], 0, false},
		{"in another role", other, 0, false},
		{"with a part more", longer, 0, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			if at, ok := kit.DecodedMessagesOf(came, nil).Find(c.m); ok != c.ok || ok && at != c.at {
				t.Errorf("expected %d, %t, got %d, %t", c.at, c.ok, at, ok)
			}
		})
	}
	if _, ok := (kit.DecodedMessages{}).Find(came[0]); ok {
		t.Error("found a message among none")
	}
}

func TestSaysError(t *testing.T) {
	for words, want := range map[string]bool{
		"ERROR: no such file": true, `{"error":"no such file"}`: true, "no such file": false, `{"errors":[]}`: false, "err": false, "": false,
	} {
		if got := kit.SaysError(said(words)); got != want {
			t.Errorf("%q: expected %t, got %t", words, want, got)
		}
	}
}
