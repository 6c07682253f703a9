package reliable_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/internal/companion"
	"github.com/callwright/callwright/internal/wire"
	"github.com/callwright/callwright/internal/wire/codecs"
	"github.com/callwright/callwright/reliable"
)

const (
	picture      = "iVBORw0KGgo"
	imageLeftOut = "[An image was left out: the model takes no images.]"
)

// shown are requests with images in each wire's own form: one of the user's and one of a result, where the wire has such.
var shown = map[callwright.WireName]struct {
	body   string
	images int
}{
	callwright.WireOpenAI: {`{"model":"m","messages":[{"role":"user","content":[{"type":"text","text":"Look."},{"type":"image_url","image_url":{"url":"data:image/png;base64,` + picture + `"}}]},
		{"role":"assistant","tool_calls":[{"id":"c1","type":"function","function":{"name":"shot","arguments":"{}"}}]},
		{"role":"tool","tool_call_id":"c1","content":[{"type":"image_url","image_url":{"url":"data:image/png;base64,` + picture + `"}}]}]}`, 2},
	callwright.WireResponses: {`{"model":"m","input":[{"role":"user","content":"Look."},{"type":"function_call","call_id":"c1","name":"shot","arguments":"{}"},
		{"type":"function_call_output","call_id":"c1","output":[{"type":"input_image","image_url":"data:image/png;base64,` + picture + `"}]}]}`, 1},
	callwright.WireAnthropic: {`{"model":"m","max_tokens":9,"messages":[{"role":"user","content":"Look."},{"role":"assistant","content":[{"type":"tool_use","id":"c1","name":"shot","input":{}}]},
		{"role":"user","content":[{"type":"tool_result","tool_use_id":"c1","content":[{"type":"image","source":{"type":"base64","media_type":"image/png","data":"` + picture + `"}}]}]}]}`, 1},
	callwright.WireGemini: {`{"contents":[{"role":"user","parts":[{"text":"Look."}]},{"role":"model","parts":[{"functionCall":{"id":"c1","name":"shot","args":{}}}]},
		{"role":"user","parts":[{"functionResponse":{"id":"c1","name":"shot","response":{"output":"1"},"parts":[{"inlineData":{"mimeType":"image/png","data":"` + picture + `"}}]}}]}]}`, 1},
	callwright.WireOllama: {`{"model":"m","messages":[{"role":"user","content":"Look.","images":["` + picture + `"]},
		{"role":"assistant","tool_calls":[{"id":"c1","function":{"name":"shot","arguments":{}}}]},{"role":"tool","tool_call_id":"c1","tool_name":"shot","content":"1","images":["` + picture + `"]}]}`, 2},
}

// What stands for an image is the same whichever wire it came over and whichever the model speaks, and is one note.
func TestImagesThatAModelRefuses(t *testing.T) {
	for _, client := range codecs.All() {
		t.Run(string(client.Name()), func(t *testing.T) {
			body, images := shown[client.Name()].body, shown[client.Name()].images
			for known, want := range map[caps.Truth]int{caps.No: images, caps.Unknown: 0, caps.Yes: 0} {
				req := decoded(t, client, body)
				m := &scripted{name: "lab/m", caps: caps.Caps{Images: known}, answers: []any{text("A dog.")}}
				resp, err := reliable.New(m).Generate(t.Context(), req)
				if err != nil {
					t.Fatal(err)
				}
				var notes []string
				for _, n := range resp.Report.Notes {
					notes = append(notes, n.Rule+" "+n.Was)
				}
				if left := []string{"history.media an image", "history.media 2 images"}; want > 0 && !slices.Equal(notes, left[want-1:want]) || want == 0 && len(notes) > 0 {
					t.Errorf("images %s: notes %q", known, notes)
				}
				for _, receiver := range codecs.All() {
					out, _, err := receiver.EncodeRequest(m.asked[0], "m", caps.Caps{Images: known, ResultImages: caps.Yes})
					if err != nil {
						t.Fatal(err)
					}
					if got := strings.Count(string(out), imageLeftOut); got != want || strings.Contains(string(out), picture) != (want == 0) {
						t.Errorf("images %s, to %s: %s", known, receiver.Name(), out)
					}
				}
				if original, _ := companion.Of(req).Body.Messages(); slices.ContainsFunc(original, func(m callwright.Message) bool { return strings.Contains(callwright.TextOf(m.Parts), imageLeftOut) }) {
					t.Error("the client's messages were changed")
				}
			}
		})
	}
}

// What the user said last stays last: what stands for the images behind it goes before it.
func TestWordsStayLast(t *testing.T) {
	picture, words := callwright.Image{Data: picture, MediaType: "image/png"}, callwright.Text{Text: "Look."}
	left := callwright.Text{Text: imageLeftOut}
	for name, c := range map[string]struct{ said, want []callwright.Part }{
		"an image behind the words": {[]callwright.Part{words, picture, picture}, []callwright.Part{left, left, words}},
		"an image before the words": {[]callwright.Part{picture, words}, []callwright.Part{left, words}},
		"words between images":      {[]callwright.Part{picture, words, picture}, []callwright.Part{left, left, words}},
		"an image alone":            {[]callwright.Part{picture}, []callwright.Part{left}},
		"words alone":               {[]callwright.Part{words}, []callwright.Part{words}},
	} {
		m := &scripted{name: "lab/m", caps: caps.Caps{Images: caps.No}, answers: []any{text("A dog.")}}
		if _, err := reliable.New(m).Generate(t.Context(), &callwright.Request{Messages: []callwright.Message{{Role: callwright.RoleUser, Parts: c.said}}}); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(c.want, m.asked[0].Messages[0].Parts); diff != "" {
			t.Errorf("%s (-want +sent)\n%s", name, diff)
		}
	}
}

// decodedBody counts how often a body's messages are asked for.
type decodedBody struct {
	companion.Body
	times int
}

func (b *decodedBody) Messages() ([]callwright.Message, error) {
	b.times++
	return b.Body.Messages()
}

// A history without images is not decoded to look for them.
func TestNoImagesAreLookedForInTexts(t *testing.T) {
	for _, client := range codecs.All() {
		t.Run(string(client.Name()), func(t *testing.T) {
			without := strings.NewReplacer(
				`{"type":"image_url","image_url":{"url":"data:image/png;base64,`+picture+`"}}`, `{"type":"text","text":"\"image\""}`,
				`{"type":"input_image","image_url":"data:image/png;base64,`+picture+`"}`, `{"type":"input_text","text":"\"input_image\""}`,
				`{"type":"image","source":{"type":"base64","media_type":"image/png","data":"`+picture+`"}}`, `{"type":"text","text":"\"image\""}`,
				`,"parts":[{"inlineData":{"mimeType":"image/png","data":"`+picture+`"}}]`, ``, `,"images":["`+picture+`"]`, ``)
			req := decoded(t, client, without.Replace(shown[client.Name()].body))
			counted := &decodedBody{Body: companion.Of(req).Body}
			companion.Change(req, func(c *companion.Companion) { c.Body = counted })
			m := &scripted{name: "lab/m", caps: caps.Caps{Images: caps.No}, answers: []any{text("A dog.")}}
			if _, err := reliable.New(m).Generate(t.Context(), req); err != nil {
				t.Fatal(err)
			}
			if counted.times > 0 || m.asked[0].Messages != nil {
				t.Errorf("the history was decoded %d times", counted.times)
			}
		})
	}
}

func decoded(t *testing.T, c wire.Codec, body string) *callwright.Request {
	t.Helper()
	req, err := c.DecodeRequest([]byte(body))
	if err != nil {
		t.Fatal(err)
	}
	return req
}
