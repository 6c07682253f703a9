package reliable_test

import (
	"strings"
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/dialect"
	"github.com/callwright/callwright/reliable"
)

// What models leave around their calls is none of their text: it leaves, with a note, or the call is reported as one that cannot be
// run.
func TestMarkupThatLeaks(t *testing.T) {
	const invoked = "<invoke name=\"get_weather\">\n<parameter name=\"city\">Oslo</parameter>\n</invoke>"
	dsml := func(open string) string {
		return "Let me see.\n\n<｜DSML｜" + open + ">\n" + strings.NewReplacer("<i", "<｜DSML｜i", "<p", "<｜DSML｜p", "</i", "</｜DSML｜i", "</p", "</｜DSML｜p").Replace(invoked) + "\n</｜DSML｜" + open + ">"
	}
	for name, c := range map[string]struct {
		said, left string
		calls      int
		invalid    callwright.InvalidReason
	}{
		"the name and no JSON":         {"<tool_call>get_weather Oslo</tool_call>", "", 0, callwright.InvalidMalformed},
		"sections of another name":     {dsml("calls"), "Let me see.", 1, ""},
		"sections of their name":       {dsml("function_calls"), "Let me see.", 1, ""},
		"a stray court":                {"Let me see.\n\ncourt\n" + invoked, "Let me see.", 1, ""},
		"a stray count":                {"Let me see.\n\ncount\n" + invoked, "Let me see.", 1, ""},
		"a stray call":                 {"Let me see.\n\ncall\n" + invoked, "Let me see.", 1, ""},
		"the word in a sentence":       {"I make the call\n\n" + invoked, "I make the call", 1, ""},
		"an empty fence after a label": {"Action:\n```json\n```\n<|START_ACTION|>[{\"tool_call_id\": \"0\", \"tool_name\": \"get_weather\", \"parameters\": {\"city\": \"Oslo\"}}]<|END_ACTION|>", "", 1, ""},
	} {
		for way, deliver := range deliveries {
			t.Run(name+"/"+way, func(t *testing.T) {
				client := reliable.New(&scripted{name: "lab/m", answers: []any{text(c.said), text("")}}, reliable.WithOneMode(), reliable.WithMaxCorrections(0))
				resp, err := deliver(client, ask(callwright.Choice{}))
				rep := reportOf(resp, err)
				if c.invalid != "" {
					if err == nil || len(rep.Invalid) != 1 || rep.Invalid[0].Why != c.invalid || rep.Invalid[0].Raw == "" {
						t.Fatalf("got %v, %+v", err, rep.Invalid)
					}
					return
				}
				if err != nil || resp.Text() != c.left || len(resp.Calls()) != c.calls || rep.Untouched || len(rep.Notes) == 0 {
					t.Fatalf("%q, %v, %v, notes %+v", resp.Text(), resp.Calls(), err, rep.Notes)
				}
			})
		}
	}
}

// White space that stands only after the marks of calls leaves with them, in every format that is written; before a text it stays.
func TestSpaceBetweenCallsLeaves(t *testing.T) {
	for _, f := range dialect.Formats() {
		if !f.Renders() {
			continue
		}
		written := f.RenderCalls([]dialect.RenderedCall{{ID: "call_1", Name: "get_weather", Arguments: []byte(oslo)}, {ID: "call_2", Name: "get_weather", Arguments: []byte(`{"city":"Rome"}`)}})
		for _, space := range []string{"\n", "\n\n", " \n", "\r\n\t"} {
			for way, deliver := range deliveries {
				resp, err := deliver(reliable.New(&scripted{name: "lab/m", answers: []any{text(written + space)}}, reliable.WithOneMode()), ask(callwright.Choice{}))
				if err != nil || resp.Text() != "" || len(resp.Calls()) != 2 {
					t.Errorf("%s, %s: %q behind: %v, text %q", f.Name, way, space, err, resp.Text())
				}
			}
		}
	}
	const call = `<tool_call>{"name":"get_weather","arguments":{"city":"Oslo"}}</tool_call>`
	for said, want := range map[string]string{call + "\n\nI wait.": "\n\nI wait.", call + "\n" + call + " \n I wait.\n": " \n I wait.\n", "So.\n" + call + "\n": "So."} {
		for way, deliver := range deliveries {
			resp, err := deliver(reliable.New(&scripted{name: "lab/m", answers: []any{text(said)}}, reliable.WithOneMode()), ask(callwright.Choice{}))
			if err != nil || resp.Text() != want {
				t.Errorf("%s: %q: %v, text %q", way, said, err, resp.Text())
			}
		}
	}
}
