package codecs_test

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/internal/wire"
	"github.com/callwright/callwright/internal/wire/codecs"
)

// resultBodies are conversations of APIs that have images in results, up to such a result.
var resultBodies = map[callwright.WireName]string{
	callwright.WireAnthropic: `{"model":"m","max_tokens":9,"messages":[{"role":"user","content":"Look."},
		{"role":"assistant","content":[{"type":"tool_use","id":"c1","name":"look","input":{}},{"type":"tool_use","id":"c2","name":"look","input":{}}]},
		{"role":"user","content":[{"type":"tool_result","tool_use_id":"c1","content":[{"type":"text","text":"See."},{"type":"image","source":{"type":"base64","media_type":"image/png","data":"iVBORw0KGgo="}}]},
		{"type":"tool_result","tool_use_id":"c2","content":"None."},{"type":"text","text":"And?"}]}]}`,
	callwright.WireResponses: `{"model":"m","store":false,"input":[{"role":"user","content":"Look."},{"type":"function_call","call_id":"c1","name":"look","arguments":"{}"},
		{"type":"function_call","call_id":"c2","name":"look","arguments":"{}"},
		{"type":"function_call_output","call_id":"c1","output":[{"type":"input_text","text":"See."},{"type":"input_image","image_url":"data:image/png;base64,iVBORw0KGgo="}]},
		{"type":"function_call_output","call_id":"c2","output":"None."},{"role":"user","content":"And?"}]}`,
}

// resultElsewhere is, for each wire, a request whose image stands outside of results: behind the last one, with a line that says where it is from.
var resultElsewhere = map[callwright.WireName]string{
	callwright.WireOpenAI:    `(?s)"None\.".*\[The image from the result of look:\].*"image_url".*iVBORw0KGgo=`,
	callwright.WireResponses: `(?s)"None\.".*\[The image from the result of look:\].*"input_image".*iVBORw0KGgo=`,
	callwright.WireAnthropic: `(?s)"None\.".*\[The image from the result of look:\].*"image".*iVBORw0KGgo=`,
	callwright.WireGemini:    `(?s)"None\.".*\[From the result of look:\].*"inlineData".*iVBORw0KGgo=`,
	callwright.WireOllama:    `(?s)"None\.".*\[The image from the result of look:\].*"images":\["iVBORw0KGgo="`,
}

// Where a provider drops images in results, no codec leaves one there: it stands behind the results, the result says so, and a note does.
func TestResultImagesElsewhere(t *testing.T) {
	result := func(id string, parts ...callwright.Part) callwright.Message {
		return callwright.Message{Role: callwright.RoleTool, Parts: []callwright.Part{callwright.Result{CallID: id, Parts: parts}}}
	}
	built := &callwright.Request{Model: "m", Messages: []callwright.Message{callwright.UserText("Look."),
		{Role: callwright.RoleAssistant, Parts: []callwright.Part{callwright.Call{ID: "c1", Name: "look", Arguments: []byte("{}")}, callwright.Call{ID: "c2", Name: "look", Arguments: []byte("{}")}}},
		result("c1", callwright.Text{Text: "See."}, callwright.Image{MediaType: "image/png", Data: "iVBORw0KGgo="}), result("c2", callwright.Text{Text: "None."}), callwright.UserText("And?")}}
	for _, c := range codecs.All() {
		t.Run(string(c.Name()), func(t *testing.T) {
			requests := map[string]*callwright.Request{"built": built}
			for from, body := range resultBodies {
				codec, _ := codecs.Of(from)
				req, err := codec.DecodeRequest([]byte(body))
				if err != nil {
					t.Fatal(err)
				}
				requests["from "+string(from)] = req
			}
			for from, req := range requests {
				checkElsewhere(t, c, from, req)
			}
		})
	}
}

func checkElsewhere(t *testing.T, c wire.Codec, from string, req *callwright.Request) {
	t.Helper()
	out, notes, err := c.EncodeRequest(req, "m", caps.Caps{ResultImages: caps.No})
	if err != nil {
		t.Fatal(err)
	}
	if !regexp.MustCompile(resultElsewhere[c.Name()]).Match(out) || strings.Count(string(out), "iVBORw0KGgo=") != 1 {
		t.Errorf("%s: the image is not behind the results in %s", from, out)
	}
	if !slices.ContainsFunc(notes, func(n callwright.Note) bool { return n.Rule == "history.result_image" && n.Call == "c1" }) {
		t.Errorf("%s: no note on the image among %+v", from, notes)
	}
	if !strings.Contains(string(out), "of this result follows") && c.Name() != callwright.WireGemini {
		t.Errorf("%s: the result does not say where its image is in %s", from, out)
	}
	if again, _, err := c.EncodeRequest(req, "m", caps.Caps{ResultImages: caps.Yes}); err != nil || strings.Contains(string(again), "from the result of") {
		t.Errorf("%s: where results show images it is moved, too (error %v): %s", from, err, again)
	}
}
