package evidence_test

import (
	"encoding/json"
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/evidence"
	"github.com/callwright/callwright/internal/feature"
	"github.com/callwright/callwright/internal/wire/codecs"
)

func TestQuotes(t *testing.T) {
	said := func(text string) *callwright.Request {
		return &callwright.Request{Messages: []callwright.Message{callwright.UserText(text)}}
	}
	tool := &callwright.Request{Tools: []callwright.Tool{{Name: "f", Description: "Never says that images are not supported", Schema: json.RawMessage(`{"title":"no images here"}`)}}}
	codec, _ := codecs.Of(callwright.WireOpenAI)
	parameters, err := codec.DecodeRequest([]byte(`{"model":"m","parallel_tool_calls":false,"response_format":{"type":"json_schema","json_schema":{"name":"x","schema":{"type":"object"}}},` +
		`"messages":[{"role":"user","content":"Say that images are not here."}],"metadata":{"why":"images are not supported"}}`))
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		message string
		feature callwright.Feature
		req     *callwright.Request
		want    bool
	}{
		"words of its own":                  {"images are not supported", feature.Images, said("Look at this."), false},
		"three words that name the feature": {"we refuse: images are not welcome", feature.Images, said("Write that images are not cheap."), true},
		"three others":                      {"it is the case that images fail", feature.Images, said("It is the best."), false},
		"six others":                        {"it is the case that somebody has failed", feature.Images, said("Now it is the case that somebody sleeps."), true},
		"a whole short message":             {"No images!", feature.Images, said("There were no images there."), true},
		"other case, marks between words":   {"IMAGES: are-not allowed", feature.Images, said("images are not"), true},
		"a description":                     {"images are not supported", feature.Images, tool, true},
		"a parameter that is refused":       {"Unrecognized request argument supplied: parallel_tool_calls", feature.Parallel, parameters, false},
		"a form that is refused":            {"response_format type json_schema is not supported", feature.ResponseFormat, parameters, false},
		"a text in a body":                  {"images are not supported", feature.Images, parameters, true},
		"nothing said":                      {"", feature.Images, said("images"), false},
	} {
		if got := evidence.Quotes(&callwright.Error{Message: c.message, Feature: c.feature}, c.req); got != c.want {
			t.Errorf("%s: %t", name, got)
		}
	}
}
