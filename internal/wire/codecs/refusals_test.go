package codecs_test

import (
	"fmt"
	"net/http"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/internal/wire"
	"github.com/callwright/callwright/internal/wire/codecs"
	"golang.org/x/tools/txtar"
)

// A recordedRefusal is what a case of a codec's tests says: an error, and the words that its provider used.
type recordedRefusal struct {
	name   string
	status int
	words  string
	err    *callwright.Error
}

// byCode are the cases in which a code or a place beside the words decides: another API has no place for it.
var byCode = map[string]string{
	"openai/error-filter":       "a code of OpenAI's",
	"openai/error-quota":        "a code of OpenAI's",
	"openai/error-refused-call": "the model's text stands in a member of its own",
	"openai/error-refused-text": "the model's text stands in a member of its own",
	"responses/error_effort":    "a place: the message quotes the value",
	"responses/error_format":    "a place: the message quotes more than the member",
	"responses/error_model":     "a code of OpenAI's",
	"gemini/error-ours":         "the kind that a gateway like this one gave it",
	"ollama/error-code":         "the kind that a gateway like this one gave it",
}

// recordedRefusals are the errors of all codecs' tests of which more is known than their status says.
func recordedRefusals(t *testing.T) []recordedRefusal {
	t.Helper()
	var out []recordedRefusal
	for _, c := range codecs.All() {
		paths, err := filepath.Glob("../" + string(c.Name()) + "/testdata/error*.txtar")
		if err != nil || len(paths) == 0 {
			t.Fatalf("%s: %d cases, %v", c.Name(), len(paths), err)
		}
		for _, path := range paths {
			ar, err := txtar.ParseFile(path)
			if err != nil {
				t.Fatal(err)
			}
			r := recordedRefusal{name: string(c.Name()) + "/" + strings.TrimSuffix(filepath.Base(path), ".txtar")}
			var body []byte
			for _, f := range ar.Files {
				switch f.Name {
				case "head":
					first, _, _ := strings.Cut(strings.TrimSpace(string(f.Data)), "\n")
					if r.status, err = strconv.Atoi(first); err != nil {
						t.Fatal(err)
					}
				case "error.json":
					body = jsonx.Trim(f.Data)
				}
			}
			r.err = c.DecodeError(r.status, http.Header{}, body)
			bare := c.DecodeError(r.status, http.Header{}, []byte(`{"error":{"message":"no"}}`))
			if r.err.Kind == bare.Kind && r.err.Feature == "" {
				continue
			}
			r.words = r.err.Message
			if raw, ok := jsonx.Lookup(body, "error", "metadata", "raw"); ok {
				r.words = jsonx.TextOf(raw)
			}
			out = append(out, r)
		}
	}
	return out
}

// shapes put a message, and what stands beside it, into the error of each wire.
var shapes = map[callwright.WireName]func(status int, message, raw string) string{
	callwright.WireOpenAI:    openaiShape,
	callwright.WireResponses: openaiShape,
	callwright.WireAnthropic: func(status int, message, raw string) string {
		kind := "invalid_request_error"
		switch {
		case status == 404:
			kind = "not_found_error"
		case status >= 500:
			kind = "api_error"
		}
		return fmt.Sprintf(`{"type":"error","error":{"type":%q,"message":%s%s},"request_id":"req_q"}`, kind, quoteText(message), besideMessage(raw))
	},
	callwright.WireGemini: func(status int, message, raw string) string {
		name := "INVALID_ARGUMENT"
		switch {
		case status == 404:
			name = "NOT_FOUND"
		case status >= 500:
			name = "INTERNAL"
		}
		return fmt.Sprintf(`{"error":{"code":%d,"message":%s,"status":%q%s}}`, status, quoteText(message), name, besideMessage(raw))
	},
	callwright.WireOllama: func(_ int, message, raw string) string {
		if raw == "" {
			return fmt.Sprintf(`{"error":%s}`, quoteText(message))
		}
		return fmt.Sprintf(`{"error":{"message":%s%s}}`, quoteText(message), besideMessage(raw))
	},
}

func openaiShape(_ int, message, raw string) string {
	return fmt.Sprintf(`{"error":{"message":%s,"type":"invalid_request_error","param":null,"code":null%s}}`, quoteText(message), besideMessage(raw))
}

func quoteText(s string) string { return string(jsonx.AppendQuote(nil, s)) }

func besideMessage(raw string) string {
	if raw == "" {
		return ""
	}
	return `,"metadata":{"raw":` + quoteText(raw) + `,"provider_name":"Quay"}`
}

// passedOn are the ways in which gateways pass on the words of the provider behind them.
var passedOn = map[string]func(words string) (message, raw string){
	"as they are": func(w string) (string, string) { return w, "" },
	"behind a prefix": func(w string) (string, string) {
		return "litellm.BadRequestError: OpenAIException - " + w + "\nReceived Model Group=tern\nAvailable Model Group Fallbacks=None", ""
	},
	"as JSON in the message": func(w string) (string, string) {
		return `litellm.BadRequestError: Vertex_aiException BadRequestError - {"error": {"code": 400, "message": ` + quoteText(w) + `, "status": "INVALID_ARGUMENT"}}`, ""
	},
	"as Python shows bytes": func(w string) (string, string) {
		body := "{\n  \"error\": {\n    \"code\": 400,\n    \"message\": " + quoteText(w) + "\n  }\n}\n"
		shown := strings.NewReplacer(`\`, `\\`, "'", `\'`, "\n", `\n`).Replace(body)
		return "litellm.BadRequestError: Vertex_ai_betaException BadRequestError - b'" + shown + "'. Received Model Group=tern", ""
	},
	"beside the message": func(w string) (string, string) { return "Provider returned error", w },
	"beside the message as JSON": func(w string) (string, string) {
		return "Provider returned error", `{"error":{"message":` + quoteText(w) + `,"type":"invalid_request_error"}}`
	},
	"through two gateways": func(w string) (string, string) {
		inner := `{"error":{"message":"Provider returned error","code":400` + besideMessage(`{"message":`+quoteText(w)+`}`) + `}}`
		return "upstream error: " + inner, ""
	},
}

// namesOf say, by wire, which member of it stands for what is refused by another name elsewhere.
var namesOf = map[callwright.WireName]map[callwright.Feature]callwright.Feature{
	callwright.WireOpenAI:    {"effort": "reasoning"},
	callwright.WireResponses: {"field:reasoning": "reasoning"},
	callwright.WireAnthropic: {"field:thinking": "reasoning", "field:output_config.effort": "reasoning"},
	callwright.WireGemini: {"field:generationConfig.thinkingConfig": "reasoning", "field:generationConfig.temperature": "field:temperature",
		"field:generationConfig.topP": "field:top_p", "field:generationConfig.presencePenalty": "field:presence_penalty"},
	callwright.WireOllama: {"field:think": "reasoning", "effort": "reasoning", "field:options.temperature": "field:temperature", "field:options.top_p": "field:top_p",
		"field:options.presence_penalty": "field:presence_penalty"},
}

// common is a feature in words that all wires share.
func common(w callwright.WireName, f callwright.Feature) callwright.Feature {
	if c, ok := namesOf[w][f]; ok {
		return c
	}
	return callwright.Feature(strings.Replace(string(f), "/tools/0/functionDeclarations/", "/tools/", 1))
}

// The words of a refusal come to the same over every wire, however gateways wrap them.
func TestRefusalsAreUnderstoodOverEveryWire(t *testing.T) {
	unused := map[string]bool{}
	for name := range byCode {
		unused[name] = true
	}
	compared := 0
	for _, r := range recordedRefusals(t) {
		from, _, _ := strings.Cut(r.name, "/")
		want := common(callwright.WireName(from), r.err.Feature)
		for way, pass := range passedOn {
			for _, c := range codecs.All() {
				got := decodeWords(c, &r, pass)
				same := got.Kind == r.err.Kind && common(c.Name(), got.Feature) == want && strings.HasPrefix(got.Recovered, r.err.Recovered)
				switch {
				case byCode[r.name] == "" && !same:
					t.Errorf("%s over %s, %s: got %s %q %q, want %s %q %q: %s", r.name, c.Name(), way, got.Kind, got.Feature, got.Recovered, r.err.Kind, want, r.err.Recovered, r.words)
				case byCode[r.name] != "" && !same:
					delete(unused, r.name)
				}
				compared++
			}
		}
	}
	if compared < 50*len(passedOn)*len(shapes) {
		t.Errorf("only %d were compared", compared)
	}
	for name := range unused {
		t.Errorf("%s is understood by its words alone: it is no exception", name)
	}
}

func decodeWords(c wire.Codec, r *recordedRefusal, pass func(string) (string, string)) *callwright.Error {
	message, raw := pass(r.words)
	return c.DecodeError(r.status, http.Header{}, []byte(shapes[c.Name()](r.status, message, raw)))
}
