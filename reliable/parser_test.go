package reliable_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/internal/feature"
	"github.com/callwright/callwright/internal/provider"
	"github.com/callwright/callwright/reliable"
	"github.com/callwright/callwright/simulate"
)

// A server whose parser cannot read the calls of its model is asked once more, in words, and from then on so at once: whole and streamed, over
// every API, whether the error is the status of the answer or stands inside it.
func TestUnparsedCallIsAskedInWords(t *testing.T) {
	for _, w := range allWires {
		for _, fault := range []string{"engine500_parser", "engine500_parser-inband", "engine500_parser-thought"} {
			for way, deliver := range deliveries {
				t.Run(fmt.Sprintf("%s/%s/%s", w, fault, way), func(t *testing.T) {
					server := refusingServer{next: simulate.NewTransport(simulate.New(simulate.Weather()))}
					p, err := provider.New(provider.Config{Name: "lab", Wire: w, BaseURL: "http://127.0.0.1:1", APIKey: provider.NewSecret("k"), Transport: &server})
					if err != nil {
						t.Fatal(err)
					}
					t.Cleanup(p.Close)
					capsStore := caps.NewMemory(nil)
					client := reliable.New(p.Model(fault), reliable.WithCapsStore(capsStore))
					for i, want := range []int{2, 1} {
						server.statuses = nil
						req := ask(callwright.Choice{})
						req.Model = ""
						resp, err := deliver(client, req)
						if err != nil {
							t.Fatalf("request %d: %v, %v", i, err, server.statuses)
						}
						if resp.Report.Mode != caps.Text || len(resp.Calls()) != 1 {
							t.Errorf("request %d: %d calls in mode %s", i, len(resp.Calls()), resp.Report.Mode)
						}
						if slices.ContainsFunc(resp.Report.Notes, func(n callwright.Note) bool { return n.Rule == "plan.unparsed" && n.Fault == "F03" }) != (i == 0) {
							t.Errorf("request %d: notes %v", i, resp.Report.Notes)
						}
						if len(server.statuses) != want {
							t.Errorf("request %d: took %v", i, server.statuses)
						}
					}
					facts, _ := capsStore.Facts(t.Context(), "lab/"+fault)
					if len(facts) != 1 || facts[0].Key != "parses_calls" || facts[0].Value != "no" || time.Until(facts[0].Expires) > caps.LearnedTTL {
						t.Errorf("learned %+v", facts)
					}
				})
			}
		}
	}
}

// unparsed is the error of a server whose parser could not read a call.
var unparsed = &callwright.Error{Kind: callwright.KindRefusedCall, Feature: feature.Parser, Status: 500, Message: "XML syntax error on line 8: element <function> closed by </parameter>"}

// toldFirst is text that a client of a stream gets at once.
var toldFirst = []callwright.Event{callwright.TextDelta{Text: "Let me see. "}, pause{}}

// What a client of a stream has of the answer ends in the error. Only its next request is asked in words.
func TestUnparsedCallAfterText(t *testing.T) {
	m := &scripted{name: "lab/m", answers: []any{brokenOff{toldFirst, unparsed}, inHermes}}
	capsStore := caps.NewMemory(nil)
	client := reliable.New(m, reliable.WithCapsStore(capsStore))
	resp, err := deliveries["streamed"](client, ask(callwright.Choice{}))
	if callwright.KindOf(err) != callwright.KindRefusedCall || len(m.asked) != 1 {
		t.Fatalf("got %v after %d requests: %v", resp, len(m.asked), err)
	}
	resp, err = deliveries["streamed"](client, ask(callwright.Choice{}))
	if err != nil || resp.Report.Mode != caps.Text || len(resp.Calls()) != 1 || len(m.asked) != 2 {
		t.Fatalf("got %v after %d requests: %v", resp, len(m.asked), err)
	}
}

// Nothing is learned where that may be due to the client: its own words are those of the error, its policy changes nothing, its one mode is configured,
// or its request has no tools.
func TestUnparsedCallsThatTeachNothing(t *testing.T) {
	for name, c := range map[string]struct {
		change func(*callwright.Request)
		opts   []reliable.Option
		events []callwright.Event // before the error
		asked  int
	}{
		"its own words": {asked: 2, change: func(r *callwright.Request) {
			r.Messages = append(r.Messages, callwright.UserText("Why does the linter say: XML syntax error on line 8: element <function> closed?"))
		}},
		"it changes nothing":            {opts: []reliable.Option{reliable.WithPolicy(callwright.PolicyOff)}, asked: 1},
		"it observes":                   {opts: []reliable.Option{reliable.WithPolicy(callwright.PolicyObserve)}, asked: 1},
		"it has one mode":               {opts: []reliable.Option{reliable.WithOneMode()}, asked: 1},
		"it has one mode, and got text": {opts: []reliable.Option{reliable.WithOneMode()}, events: toldFirst, asked: 1},
		"it has no tools":               {change: func(r *callwright.Request) { r.Tools = nil }, asked: 1},
		"it has no tools, and got text": {change: func(r *callwright.Request) { r.Tools = nil }, events: toldFirst, asked: 1},
	} {
		t.Run(name, func(t *testing.T) {
			m := &scripted{name: "lab/m", answers: []any{brokenOff{c.events, unparsed}, inHermes}}
			capsStore := caps.NewMemory(nil)
			req := ask(callwright.Choice{})
			if c.change != nil {
				c.change(req)
			}
			_, err := deliveries["streamed"](reliable.New(m, append(c.opts, reliable.WithCapsStore(capsStore))...), req)
			if facts, _ := capsStore.Facts(t.Context(), "lab/m"); len(facts) > 0 || len(m.asked) != c.asked || (err == nil) != (c.asked == 2) {
				t.Errorf("learned %+v in %d requests: %v", facts, len(m.asked), err)
			}
		})
	}
}
