package gateway_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/wire/codecs"
	"github.com/callwright/callwright/reliable"
	"github.com/callwright/callwright/simulate"
)

// formQuestions ask over each API for an answer by a schema.
var formQuestions = map[callwright.WireName]struct{ path, body string }{
	callwright.WireOpenAI:    {"/v1/chat/completions", `{"model":%q,"messages":[{"role":"user","content":"Hi"}],"response_format":{"type":"json_schema","json_schema":{"name":"a","schema":%s}}}`},
	callwright.WireResponses: {"/v1/responses", `{"model":%q,"input":"Hi","text":{"format":{"type":"json_schema","name":"a","schema":%s}}}`},
	callwright.WireAnthropic: {"/v1/messages", `{"model":%q,"max_tokens":99,"messages":[{"role":"user","content":"Hi"}],"output_config":{"format":{"type":"json_schema","schema":%s}}}`},
	callwright.WireGemini:    {"/v1beta/models/", `{"contents":[{"role":"user","parts":[{"text":"Hi"}]}],"generationConfig":{"responseMimeType":"application/json","responseJsonSchema":%s}}`},
	callwright.WireOllama:    {"/api/chat", `{"model":%q,"stream":false,"messages":[{"role":"user","content":"Hi"}],"format":%s}`},
}

// A schema of the answer that is none is refused in the form of the client's API, and nobody is asked.
func TestFormThatIsNone(t *testing.T) {
	g := newRenaming(t)
	for _, c := range codecs.All() {
		q := formQuestions[c.Name()]
		for schema, valid := range map[string]bool{
			`{"type":"nonsense"}`: false, `{"type":5}`: false, `{"type":"object","properties":[]}`: false, `{"type":"object","required":"a"}`: false,
			`{"type":["object","nonsense"]}`: false, `{"type":"object","properties":{"a":{"type":"nonsense"}}}`: true, // of a part of the answer it is only not checked
			`{"type":"object","properties":{"a":{"type":"string"}}}`: true, `{"type":"object"}`: true,
		} {
			g.set([]reliable.Option{}, simulate.Turn{Text: `{"a":"b"}`})
			for _, stream := range []bool{false, true} {
				path, body := q.path, fmt.Sprintf(q.body, "openai/m", schema)
				switch {
				case c.Name() == callwright.WireGemini:
					path, body = path+map[bool]string{false: "openai/m:generateContent", true: "openai/m:streamGenerateContent?alt=sse"}[stream], fmt.Sprintf(q.body, schema)
				case c.Name() == callwright.WireOllama:
					body = strings.Replace(body, `"stream":false`, fmt.Sprintf(`"stream":%t`, stream), 1)
				case stream:
					body = strings.TrimSuffix(body, "}") + `,"stream":true}`
				}
				asked := len(g.requests())
				got := post(t, g.url+path, body)
				e := c.DecodeError(got.status, got.header, []byte(got.body))
				asked = len(g.requests()) - asked
				switch {
				case valid && (got.status != 200 || asked != 1):
					t.Errorf("%s, %s, streamed %t: got %d %s", c.Name(), schema, stream, got.status, got.body)
				case !valid && (got.status != 400 || asked != 0 || e.Kind != callwright.KindInvalid || !strings.Contains(e.Message, "expected a JSON Schema of the answer: at /")):
					t.Errorf("%s, %s, streamed %t: got %d %s after %d requests", c.Name(), schema, stream, got.status, got.body, asked)
				}
			}
		}
	}
}
