package provider_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/internal/trace"
	"github.com/callwright/callwright/internal/wire"
	"github.com/callwright/callwright/internal/wire/codecs"
	"github.com/callwright/callwright/reliable"
)

var recordings = flag.String("recordings", "", "play the recorded exchanges with providers in `DIR`")

// A recording is one exchange with a provider, as a JSON document, and what is to come of it. A streamed answer is in a file
// beside it.
type recording struct {
	Meta    struct{ Dialect string }
	Request struct {
		Path string
		Body json.RawMessage
	}
	Response struct {
		Status   int
		Headers  map[string]string
		Body     json.RawMessage
		BodyFile string `json:"body_file"`
	}
	Expect expectation
}

// An expectation is the outcome in the words of the vocabulary. What it does not name is not looked at.
type expectation struct {
	Text      *string
	Reasoning *string
	Calls     *[]expectedCall `json:"tool_calls"`
	Finish    string
	Usage     *struct{ Input, Output int }
	Opaque    []map[string]string `json:"reasoning_opaque"`
	Error     *struct {
		Class      string
		Retryable  *bool
		RetryAfter int64 `json:"retry_after_ms"`
	}
	Recoverable     []expectedCall `json:"recoverable_tool_calls"`
	RecoverableText string         `json:"recoverable_text"`
	Capabilities    map[string]any // of a list of models, or of the hosts of one
}

type expectedCall struct {
	ID        string
	Name      string
	Arguments json.RawMessage
}

// recorded says how a kind of recording is played: the provider, and the wire where that is not the provider's own.
var recorded = map[string]struct {
	provider string
	wire     callwright.WireName
}{
	"openai-chat": {"openai", ""}, "openai-responses": {"lab", callwright.WireResponses}, "anthropic": {"anthropic", ""},
	"gemini": {"gemini", ""}, "ollama": {"ollama", ""}, "groq": {"groq", ""}, "mistral": {"mistral", ""}, "openrouter": {"openrouter", ""},
	"xai": {"xai", ""}, "moonshot": {"moonshot", ""}, "azure": {"azure", ""}, "gemini-openai-compat": {"lab", callwright.WireOpenAI},
	"quirk": {"lab", callwright.WireOpenAI},
}

// classKinds are the kinds that a class of errors may have.
var classKinds = map[string][]callwright.Kind{
	"invalid_request":         {callwright.KindInvalid, callwright.KindUnsupported},
	"unsupported_combination": {callwright.KindUnsupported},
	"unsupported_tools":       {callwright.KindUnsupported},
	"overloaded":              {callwright.KindOverloaded},
	"rate_limit":              {callwright.KindRateLimited},
	"server":                  {callwright.KindServer},
	"content_filter":          {callwright.KindContentFilter},
	"tool_use_failed":         {callwright.KindRefusedCall},
	"stream_truncated":        {callwright.KindTruncated},
}

// TestRecordings plays recorded exchanges to a plain model and to a Client: whole, cut at every byte, and streams with both line
// ends. There are none in this repository: the shapes they have are cases of the codecs' own suites.
func TestRecordings(t *testing.T) {
	if *recordings == "" {
		t.Skip("no -recordings")
	}
	files, err := filepath.Glob(filepath.Join(*recordings, "*.json"))
	if err != nil || len(files) == 0 {
		t.Fatalf("expected recordings in %s: %v", *recordings, err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".json"), func(t *testing.T) {
			var r recording
			text, err := os.ReadFile(file)
			if err == nil {
				err = json.Unmarshal(text, &r)
			}
			if err != nil {
				t.Fatal(err)
			}
			answer := trace.Received{Status: r.Response.Status, Header: http.Header{}, Body: r.Response.Body}
			for k, v := range r.Response.Headers {
				answer.Header.Set(k, v)
			}
			if r.Response.BodyFile != "" {
				if answer.Body, err = os.ReadFile(filepath.Join(*recordings, r.Response.BodyFile)); err != nil {
					t.Fatal(err)
				}
			}
			if r.Expect.Capabilities != nil {
				r.discover(t, transfer{answer: answer})
				return
			}
			for name, tr := range transfers(answer, r.Response.BodyFile != "") {
				t.Run(name, func(t *testing.T) { r.play(t, tr) })
			}
		})
	}
}

// A transfer is an answer and the way in which its bytes arrive.
type transfer struct {
	answer trace.Received
	stream bool
	cut    func(io.Reader) io.Reader
}

func transfers(a trace.Received, stream bool) map[string]transfer {
	list := map[string]transfer{"whole": {a, stream, nil}, "bytes": {a, stream, iotest.OneByteReader}, "halves": {a, stream, iotest.HalfReader}}
	if stream {
		a.Body = bytes.ReplaceAll(a.Body, []byte("\n"), []byte("\r\n"))
		list["crlf"], list["crlf bytes"] = transfer{a, stream, nil}, transfer{a, stream, iotest.OneByteReader}
	}
	return list
}

// RoundTrip answers every request with the recorded bytes.
func (tr transfer) RoundTrip(req *http.Request) (*http.Response, error) {
	resp, err := tr.answer.Response(req)
	if err == nil && tr.cut != nil {
		resp.Body = io.NopCloser(tr.cut(resp.Body))
	}
	return resp, err
}

// discover asks for the facts that a list gives.
func (r *recording) discover(t *testing.T, tr transfer) {
	p := open(t, recorded[r.Meta.Dialect].provider+"/m-1", withTransport(tr)).Provider()
	var known caps.Caps
	if strings.HasSuffix(r.Request.Path, "/endpoints") {
		hosts, err := p.Describe(t.Context(), "m-1")
		if err != nil {
			t.Fatal(err)
		}
		known = hosts
	} else {
		list, err := p.Models(t.Context())
		if err != nil || len(list) != 1 {
			t.Fatalf("expected one model, got %v (%v)", list, err)
		}
		known = list[0].Caps
	}
	got := map[string]any{"native_tools": known.Tools == caps.Yes, "json_schema": known.JSONSchema == caps.Yes, "json_object": known.JSONObject == caps.Yes,
		"parallel_tools": known.ParallelField == caps.Yes, "max_context": float64(known.MaxContext), "tool_choice_required": known.ChoiceForced == caps.Yes}
	for key, want := range r.Expect.Capabilities {
		if got[key] != want {
			t.Errorf("%s: expected %v, got %v", key, want, got[key])
		}
	}
}

func (r *recording) play(t *testing.T, tr transfer) {
	how, ok := recorded[r.Meta.Dialect]
	if !ok {
		t.Fatalf("unknown kind %q", r.Meta.Dialect)
	}
	opts := []option{withTransport(tr), withRetries(0)}
	if how.wire != "" {
		opts = append(opts, withWire(how.wire), withBaseURL("http://lab.test/v1"))
	}
	if how.provider == "azure" {
		opts = append(opts, withBaseURL("http://azure.test/openai/v1"))
	}
	model := open(t, how.provider+"/m-1", opts...)
	codec, _ := codecs.Of(model.Provider().Wire())
	ask := func() *callwright.Request {
		body := []byte(r.Request.Body)
		if _, named := jsonx.Find(body, "model"); !named && codec.Name() == callwright.WireOpenAI { // it stands in the path
			body = wire.ApplyEdits(body, []callwright.Edit{{Path: []string{"model"}, Value: []byte(`"m-1"`)}})
		}
		req, err := codec.DecodeRequest(body)
		if err != nil {
			t.Fatal(err)
		}
		req.Params.Stream = tr.stream
		return req
	}
	plain := outcomeOf(t.Context(), model, ask())
	r.Expect.check(t, "model", plain)
	if r.Expect.undeclared(ask()) { // a shape of the wire: a Client refuses such calls
		checkCalls(t, *r.Expect.Calls, plain.resp.Calls())
		return
	}
	want := r.Expect.reliable()
	fresh := open(t, how.provider+"/m-1", opts...) // a model that was limited or refused is skipped for a time
	want.check(t, "client", outcomeOf(t.Context(), reliable.New(fresh, reliable.WithMaxCorrections(0)), ask()))
}

// An outcome is what a model's answer came to.
type outcome struct {
	resp *callwright.Response
	err  error
}

func outcomeOf(ctx context.Context, m callwright.Model, req *callwright.Request) outcome {
	if !req.Params.Stream {
		resp, err := m.Generate(ctx, req)
		return outcome{resp, err}
	}
	var events []callwright.Event
	for ev, err := range m.Stream(ctx, req) {
		if err != nil {
			return outcome{collected(events), err}
		}
		events = append(events, ev)
	}
	return outcome{collected(events), nil}
}

// collected returns the answer that events make, as far as they go.
func collected(events []callwright.Event) *callwright.Response {
	resp := &callwright.Response{}
	var text, thought strings.Builder
	var call *callwright.Call
	for _, ev := range events {
		switch ev := ev.(type) {
		case callwright.TextDelta:
			text.WriteString(ev.Text)
		case callwright.ReasoningDelta:
			thought.WriteString(ev.Text)
		case callwright.ReasoningEnd:
			resp.Parts = append(resp.Parts, callwright.Reasoning{Text: thought.String(), Signature: ev.Signature, Redacted: ev.Redacted, ID: ev.ID, Extra: ev.Extra})
			thought.Reset()
		case callwright.CallBegin:
			call = &callwright.Call{ID: ev.ID, Name: ev.Name, Signature: ev.Signature}
		case callwright.CallDelta:
			call.Arguments = append(call.Arguments, ev.Text...)
		case callwright.CallEnd:
			if ev.Call != nil {
				call = ev.Call
			}
			resp.Parts = append(resp.Parts, *call)
		case callwright.UsageDelta:
			resp.Usage = resp.Usage.Merge(ev.Usage)
		case callwright.End:
			resp.Finish = ev.Finish
		}
	}
	if thought.Len() > 0 {
		resp.Parts = append(resp.Parts, callwright.Reasoning{Text: thought.String()})
	}
	resp.Parts = append(resp.Parts, callwright.Text{Text: text.String()})
	return resp
}

// reliable returns what is to come of the exchange through a Client. What can be recovered from a refusal is an answer there, and
// state is compared where it came from.
func (e expectation) reliable() expectation {
	out := e
	out.Opaque = nil
	if e.Recoverable != nil || e.RecoverableText != "" || e.Finish == string(callwright.FinishMalformedCall) {
		return expectation{Recoverable: e.Recoverable}
	}
	return out
}

// undeclared reports whether a call is expected of a tool that the request does not declare.
func (e *expectation) undeclared(req *callwright.Request) bool {
	tools, _ := req.DeclaredTools()
	return e.Calls != nil && slices.ContainsFunc(*e.Calls, func(c expectedCall) bool {
		return !slices.ContainsFunc(tools, func(t callwright.Tool) bool { return t.Name == c.Name })
	})
}

func (e *expectation) check(t *testing.T, level string, got outcome) {
	t.Helper()
	failed, isError := errors.AsType[*callwright.Error](got.err)
	if e.Error != nil {
		e.checkError(t, level, failed)
	} else if isError && level == "client" && e.Finish != "" && e.Finish != "empty" {
		t.Errorf("%s: expected finish %s, got %v", level, e.Finish, got.err)
	}
	if resp := got.resp; resp != nil && (!isError || e.Error != nil) {
		e.checkAnswer(t, level, resp)
		e.checkOpaque(t, level, resp)
	}
	if level == "client" && e.Recoverable != nil {
		e.checkRecovered(t, got)
	}
}

// checkAnswer compares what the answer says. What only judging brings to light is looked at in a Client's answer alone.
func (e *expectation) checkAnswer(t *testing.T, level string, resp *callwright.Response) {
	t.Helper()
	judged := level == "client" && e.Error == nil
	if e.Text != nil && (judged || e.Error != nil) && resp.Text() != *e.Text {
		t.Errorf("%s: expected text %q, got %q", level, *e.Text, resp.Text())
	}
	promoted := judged && len(resp.Calls()) > 0 && resp.Reasoning() == "" // the reasoning was a call
	if e.Reasoning != nil && !promoted && resp.Reasoning() != *e.Reasoning {
		t.Errorf("%s: expected reasoning %q, got %q", level, *e.Reasoning, resp.Reasoning())
	}
	if judged && e.Calls != nil {
		checkCalls(t, *e.Calls, resp.Calls())
	}
	if judged && e.Finish != "" && string(resp.Finish) != e.Finish {
		t.Errorf("%s: expected finish %s, got %s", level, e.Finish, resp.Finish)
	}
	if e.Usage != nil && (resp.Usage.Input != e.Usage.Input || resp.Usage.Output != e.Usage.Output) {
		t.Errorf("%s: expected usage %+v, got %+v", level, *e.Usage, resp.Usage)
	}
}

// checkRecovered checks that the calls in a refusal are the answer where they satisfy their schemas, and that there is none
// otherwise.
func (e *expectation) checkRecovered(t *testing.T, got outcome) {
	t.Helper()
	if got.err == nil {
		checkCalls(t, e.Recoverable, got.resp.Calls())
		return
	}
	if kind := callwright.KindOf(got.err); kind != callwright.KindInvalidCall {
		t.Errorf("client: expected the calls or %s, got %v", callwright.KindInvalidCall, got.err)
	}
}

func (e *expectation) checkError(t *testing.T, level string, failed *callwright.Error) {
	t.Helper()
	kinds, known := classKinds[e.Error.Class]
	switch {
	case !known:
		t.Fatalf("unknown class %q", e.Error.Class)
	case failed == nil:
		t.Errorf("%s: expected an error of class %s, got none", level, e.Error.Class)
		return
	case !slices.Contains(kinds, failed.Kind):
		t.Errorf("%s: expected kind %v, got %s: %v", level, kinds, failed.Kind, failed)
	}
	if e.Error.Retryable != nil && failed.Kind.Transient() != *e.Error.Retryable {
		t.Errorf("%s: expected retryable %t, got kind %s", level, *e.Error.Retryable, failed.Kind)
	}
	if ms := failed.RetryAfter.Milliseconds(); e.Error.RetryAfter > 0 && ms != e.Error.RetryAfter {
		t.Errorf("%s: expected to wait %d ms, got %d", level, e.Error.RetryAfter, ms)
	}
	if (e.Recoverable != nil || e.RecoverableText != "") && failed.Recovered == "" {
		t.Errorf("%s: expected the model's text in the error", level)
	}
}

func checkCalls(t *testing.T, want []expectedCall, got []callwright.Call) {
	t.Helper()
	if len(want) != len(got) {
		t.Errorf("expected %d calls, got %+v", len(want), got)
		return
	}
	seen := map[string]bool{}
	for i, w := range want {
		g := got[i]
		if len(g.Arguments) == 0 {
			g.Arguments = json.RawMessage("{}")
		}
		if g.Name != w.Name || !jsonx.Equal(g.Arguments, w.Arguments) || w.ID != "" && g.ID != w.ID || g.ID == "" || seen[g.ID] {
			t.Errorf("call %d: expected %s %s(%s), got %s %s(%s)", i, w.ID, w.Name, w.Arguments, g.ID, g.Name, g.Arguments)
		}
		seen[g.ID] = true
	}
}

// checkOpaque looks for each piece of opaque state, byte for byte, in the parts of the answer.
func (e *expectation) checkOpaque(t *testing.T, level string, resp *callwright.Response) {
	t.Helper()
	for _, state := range e.Opaque {
		for name, value := range state {
			if name == "on" || name == "type" || name == "format" {
				continue
			}
			if !slices.ContainsFunc(resp.Parts, func(p callwright.Part) bool { return holdsState(p, value) }) {
				t.Errorf("%s: expected opaque state %s %q, got %+v", level, name, value, resp.Parts)
			}
		}
	}
}

func holdsState(p callwright.Part, value string) bool {
	switch p := p.(type) {
	case callwright.Reasoning:
		return p.Signature == value || p.Redacted == value || p.ID == value || p.Text == value || bytes.Contains(p.Extra.JSON, []byte(value))
	case callwright.Call:
		return p.Signature == value || bytes.Contains(p.Extra.JSON, []byte(value))
	}
	return false
}
