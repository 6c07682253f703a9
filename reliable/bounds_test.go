package reliable_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/reliable"
)

// The notes of a request are bounded: equal ones are counted, and so are those behind the first few hundred.
func TestNotesAreBounded(t *testing.T) {
	var notes []callwright.Note
	for i := range 5000 {
		notes = callwright.FoldNote(notes, callwright.Note{Rule: "r.x", Was: fmt.Sprint(i % 1000)})
	}
	total := 0
	for _, n := range notes {
		total += max(n.Count, 1)
	}
	if len(notes) != 300 || notes[299].Rule != "notes.more" || notes[0].Count != 5 || total != 5000 {
		t.Errorf("%d notes for %d, last %+v", len(notes), total, notes[len(notes)-1])
	}
}

// An answer has at most so many calls, whole and streamed, natively and in text.
func TestCallsAreBounded(t *testing.T) {
	one := fmt.Sprintf("get_weather %s", oslo)
	many := strings.Split(strings.TrimSuffix(strings.Repeat(one+"|", 5000), "|"), "|")
	for name, answer := range map[string]any{"native": calling(many...), "as text": inTags(many...)} {
		for way, deliver := range deliveries {
			t.Run(name+"/"+way, func(t *testing.T) {
				_, err := deliver(reliable.New(&scripted{name: "lab/m", answers: []any{answer}}, reliable.WithOneMode()), ask(callwright.Choice{}))
				if callwright.KindOf(err) != callwright.KindBadAnswer {
					t.Errorf("got %v", err)
				}
			})
		}
	}
}

// Checking the calls of an answer ends, however its schemas are written.
func TestCheckingIsBounded(t *testing.T) {
	began := time.Now()
	tools := []callwright.Tool{{Name: "f", Schema: []byte(`{"type":"object","properties":{"s":{"type":"string","pattern":"(a|b|ab){500}$"}}}`)}}
	args := `{"s":"` + strings.Repeat("ab", 500<<10) + `c"}`
	v, err := reliable.Validate(callwright.Call{ID: "c", Name: "f", Arguments: []byte(args)}, tools, reliable.ValidateOptions{})
	if err != nil || v.OK || time.Since(began) > 3*time.Second {
		t.Errorf("%v, %v after %s", v.OK, err, time.Since(began))
	}
}

// Requests that differ in what decides their answer have different fingerprints.
func TestFingerprint(t *testing.T) {
	print := func(change func(*callwright.Request), opts ...reliable.Option) string {
		req := ask(callwright.Choice{})
		change(req)
		x, err := reliable.New(&scripted{name: "lab/m"}, opts...).Explain(t.Context(), req)
		if err != nil {
			t.Fatal(err)
		}
		return x.Fingerprint
	}
	same := func(*callwright.Request) {}
	seen := map[string]string{print(same): "nothing"}
	if print(same) != print(func(r *callwright.Request) { r.Messages = append(r.Messages, callwright.UserText("And Rome?")) }) {
		t.Error("the conversation changes the fingerprint")
	}
	for name, change := range map[string]func(*callwright.Request){
		"temperature":  func(r *callwright.Request) { r.Params.Temperature = "1" },
		"top_p":        func(r *callwright.Request) { r.Params.TopP = "1" },
		"seed":         func(r *callwright.Request) { r.Params.Seed = "1" },
		"form":         func(r *callwright.Request) { r.Params.Format = &callwright.AnswerFormat{} },
		"schema":       func(r *callwright.Request) { r.Params.Format = &callwright.AnswerFormat{Schema: []byte(`{}`)} },
		"instructions": func(r *callwright.Request) { r.Messages = append(r.Messages, callwright.SystemText("Be brief.")) },
		"edits":        func(r *callwright.Request) { r.Edits = []callwright.Edit{{Path: []string{"x"}, Value: []byte("1")}} },
	} {
		p := print(change)
		if other, ok := seen[p]; ok {
			t.Errorf("%s has the fingerprint of %s", name, other)
		}
		seen[p] = name
	}
	if p := print(same, reliable.WithFacts(caps.Fact{Key: "images", Value: "no"})); seen[p] != "" {
		t.Error("configured facts do not change the fingerprint")
	}
}
