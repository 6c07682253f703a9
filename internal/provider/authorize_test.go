package provider_test

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/provider"
	"github.com/callwright/callwright/internal/provider/auth/authtest"
)

// A pass is an authorizer whose tokens are numbered: each Renew gives the next one, as long as there are some left.
type pass struct {
	n, left int
	err     error
	asked   int
}

func (p *pass) Authorize(_ context.Context, req *http.Request, body []byte) error {
	p.asked++
	if p.err != nil {
		return p.err
	}
	req.Header.Set("Authorization", "Pass "+strings.Repeat("i", p.n+1))
	req.Header.Set("X-Length", strings.Repeat("b", len(body)))
	return nil
}

func (p *pass) Renew(refused *http.Request) bool {
	if refused.Header.Get("Authorization") != "Pass "+strings.Repeat("i", p.n+1) || p.left == 0 {
		return false
	}
	p.n, p.left = p.n+1, p.left-1
	return true
}

func (p *pass) Secrets() []string { return []string{"pass-secret-text"} }
func (p *pass) Describe() string  { return "the pass" }

func withAuthorizer(a provider.Authorizer) option {
	return func(c *provider.Config) { c.Authorizer = a }
}

// A provider for which there are no credentials is no provider that refuses them: the error of its reach has the first cause.
func TestReachKeepsTheCause(t *testing.T) {
	a := &pass{err: &callwright.Error{Kind: callwright.KindAuth, Message: "the program failed: no such file"}}
	m, err := openModel("openai/m-1", withAuthorizer(a), withTransport(&script{}), withEnv(noEnv))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := m.Provider().Reach(t.Context()); err == nil || !strings.Contains(err.Error(), "the program failed: no such file") {
		t.Errorf("got %v", err)
	}
}

// Credentials that the provider refuses are renewed once in a request, before anything of an answer is handed on, and the report says so; what is refused
// again is an error, and what is no refusal of credentials renews nothing.
func TestRenewal(t *testing.T) {
	refused := reply{status: 401, body: `{"error":{"message":"pass-secret-text has ended"}}`}
	denied := reply{status: 403, body: `{"error":{"message":"pass-secret-text may not"}}`}
	for name, c := range map[string]struct {
		replies []reply
		left    int
		sent    int
		kind    callwright.Kind // "" for an answer
		noted   bool
	}{
		"accepted":         {[]reply{good}, 1, 1, "", false},
		"ended":            {[]reply{refused, good}, 1, 2, "", true},
		"ended, 403":       {[]reply{denied, good}, 1, 2, "", true},
		"none left":        {[]reply{refused, good}, 0, 1, callwright.KindAuth, false},
		"refused twice":    {[]reply{refused, refused, good}, 2, 2, callwright.KindAuth, true},
		"denied for good":  {[]reply{denied, denied, good}, 2, 2, callwright.KindPermission, true},
		"another refusal":  {[]reply{{status: 400, body: `{"error":{"message":"bad pass-secret-text"}}`}}, 1, 1, callwright.KindInvalid, false},
		"busy, then ended": {[]reply{{status: 503}, refused, good}, 1, 3, "", true},
	} {
		for _, way := range []string{"whole", "streamed"} {
			t.Run(name+"/"+way, func(t *testing.T) {
				a, s := &pass{left: c.left}, &script{replies: c.replies}
				m, err := openModel("openai/m-1", withAuthorizer(a), withTransport(s), withEnv(noEnv))
				if err != nil {
					t.Fatal(err)
				}
				var resp *callwright.Response
				var notes []callwright.Note
				if way == "whole" {
					if resp, err = m.Generate(t.Context(), ask()); err == nil {
						notes = resp.Report.Notes
					}
				} else {
					for b, failed := range m.Batches(t.Context(), ask()) {
						notes, err = append(notes, b.Notes...), failed
					}
				}
				if c.kind == "" && err != nil {
					t.Fatal(err)
				}
				if c.kind != "" {
					e := errorOf(t, err)
					if e.Kind != c.kind || strings.Contains(e.Error()+string(e.Body), "pass-secret-text") {
						t.Errorf("got %v, %s", e, e.Body)
					}
					if e.Kind == callwright.KindAuth && !strings.Contains(e.Error(), "does not accept the credentials of the pass (status 401)") {
						t.Errorf("got %v", e)
					}
					notes = e.Report.Notes
				}
				noted := false
				for _, n := range notes {
					noted = noted || n.Rule == "transport.renewed_credentials"
				}
				if len(s.bodies) != c.sent || a.asked != c.sent || noted != c.noted {
					t.Errorf("sent %d times, asked %d times, notes %+v", len(s.bodies), a.asked, notes)
				}
				if s.last.Header.Get("X-Length") != strings.Repeat("b", len(s.bodies[0])) {
					t.Error("the authorizer did not see the body")
				}
			})
		}
	}
}

// A request for which there are no credentials is not sent, and keeps the words of who has none. It says nothing about the provider: the circuit breaker
// does not count it.
func TestNoCredentials(t *testing.T) {
	a, s := &pass{err: &callwright.Error{Kind: callwright.KindAuth, Message: "providers.x.auth: pass-secret-text is gone: get another"}}, &script{replies: []reply{good}}
	m, err := openModel("openai/m-1", withAuthorizer(a), withTransport(s), withEnv(noEnv))
	if err != nil {
		t.Fatal(err)
	}
	for range 50 {
		_, err := m.Generate(t.Context(), ask())
		if e := errorOf(t, err); e.Kind != callwright.KindAuth || e.Message != "providers.x.auth: [redacted] is gone: get another" {
			t.Fatalf("got %v", e)
		}
	}
	a.err = nil
	if _, err := m.Generate(t.Context(), ask()); err != nil || len(s.bodies) != 1 {
		t.Errorf("%v, sent %d times", err, len(s.bodies))
	}
	a.err = errors.New("nobody answers")
	m, err = openModel("openai/m-1", withAuthorizer(a), withTransport(s), withEnv(noEnv), withRetries(0))
	if err != nil {
		t.Fatal(err)
	}
	_, err = m.Generate(t.Context(), ask())
	if e := errorOf(t, err); e.Kind != callwright.KindUnavailable {
		t.Errorf("got %v", e)
	}
}

// Events of Anthropic's API, as every host of it has them.
var claudeEvents = []string{
	`{"type":"message_start","message":{"id":"msg_1","type":"message","role":"assistant","model":"claude","content":[],"stop_reason":null,"stop_sequence":null,"usage":{"input_tokens":7,"output_tokens":1}}}`,
	`{"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}`,
	`{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"Good day."}}`,
	`{"type":"content_block_stop","index":0}`,
	`{"type":"message_delta","delta":{"stop_reason":"end_turn","stop_sequence":null},"usage":{"output_tokens":3}}`,
	`{"type":"message_stop","amazon-bedrock-invocationMetrics":{"inputTokenCount":7,"outputTokenCount":3}}`,
}

const claudeAnswer = `{"id":"msg_1","type":"message","role":"assistant","model":"claude","content":[{"type":"text","text":"Good day."}],"stop_reason":"end_turn","stop_sequence":null,"usage":{"input_tokens":7,"output_tokens":3}}`

// Each row of a cloud asks at the address of its parts, in the form that the cloud takes, and reads its answers, whole and streamed.
func TestCloudRows(t *testing.T) {
	vars := map[string]string{"region": "eu-north-1", "endpoint": "europe-west1-aiplatform.googleapis.com", "project": "p-1", "location": "europe-west1", "resource": "https://r.openai.azure.com"}
	events := ""
	for _, e := range claudeEvents {
		kind, _, _ := strings.Cut(strings.TrimPrefix(e, `{"type":"`), `"`)
		events += "event: " + kind + "\ndata: " + e + "\n\n"
	}
	aws := reply{body: string(authtest.EventStream(claudeEvents...)), header: map[string]string{"Content-Type": "application/vnd.amazon.eventstream"}}
	gemini := `{"candidates":[{"content":{"role":"model","parts":[{"text":"Good day."}]},"finishReason":"STOP"}],"usageMetadata":{"promptTokenCount":7,"candidatesTokenCount":3,"totalTokenCount":10}}`
	const google = "https://europe-west1-aiplatform.googleapis.com/v1/projects/p-1/locations/europe-west1"
	for name, c := range map[string]struct {
		cloud           provider.Cloud
		wire            callwright.WireName
		model           string
		whole, streamed string // addresses
		answer, stream  reply
		says, saysNot   []string // of the body
	}{
		"bedrock": {cloud: provider.AWS, model: "openai.gpt-oss-120b-1:0", whole: "https://bedrock-runtime.eu-north-1.amazonaws.com/openai/v1/chat/completions",
			answer: good, stream: reply{body: chunks("Good day.")}, says: []string{`"model":"openai.gpt-oss-120b-1:0"`}},
		"bedrock-anthropic": {cloud: provider.AWS, model: "eu.anthropic.claude-sonnet-4-5-20250929-v1:0",
			whole:    "https://bedrock-runtime.eu-north-1.amazonaws.com/model/eu.anthropic.claude-sonnet-4-5-20250929-v1:0/invoke",
			streamed: "https://bedrock-runtime.eu-north-1.amazonaws.com/model/eu.anthropic.claude-sonnet-4-5-20250929-v1:0/invoke-with-response-stream",
			answer:   reply{body: claudeAnswer}, stream: aws, says: []string{`"anthropic_version":"bedrock-2023-05-31"`}, saysNot: []string{`"model"`, `"stream"`}},
		"a name of its own": {cloud: provider.AWS, wire: callwright.WireAnthropic, model: "arn:aws:bedrock:eu-north-1:1:application-inference-profile/x",
			whole:    "https://bedrock-runtime.eu-north-1.amazonaws.com/model/arn:aws:bedrock:eu-north-1:1:application-inference-profile%2Fx/invoke",
			streamed: "https://bedrock-runtime.eu-north-1.amazonaws.com/model/arn:aws:bedrock:eu-north-1:1:application-inference-profile%2Fx/invoke-with-response-stream",
			answer:   reply{body: claudeAnswer}, stream: aws, says: []string{`"anthropic_version":"bedrock-2023-05-31"`}, saysNot: []string{`"model"`, `"stream"`}},
		"vertex": {cloud: provider.Google, model: "gemini-2.5-pro", whole: google + "/publishers/google/models/gemini-2.5-pro:generateContent",
			streamed: google + "/publishers/google/models/gemini-2.5-pro:streamGenerateContent?alt=sse", answer: reply{body: gemini}, stream: reply{body: "data: " + gemini + "\n\n"}},
		"vertex-openai": {cloud: provider.Google, model: "google/gemini-2.5-pro", whole: google + "/endpoints/openapi/chat/completions", answer: good, stream: reply{body: chunks("Good day.")}},
		"vertex-anthropic": {cloud: provider.Google, model: "claude-sonnet-4-5@20250929", whole: google + "/publishers/anthropic/models/claude-sonnet-4-5@20250929:rawPredict",
			streamed: google + "/publishers/anthropic/models/claude-sonnet-4-5@20250929:streamRawPredict", answer: reply{body: claudeAnswer}, stream: reply{body: events},
			says: []string{`"anthropic_version":"vertex-2023-10-16"`}, saysNot: []string{`"model"`}},
		"azure":                {cloud: provider.Azure, model: "gpt-5", whole: "https://r.openai.azure.com/openai/v1/chat/completions", answer: good, stream: reply{body: chunks("Good day.")}},
		"azure by its answers": {cloud: provider.Azure, wire: callwright.WireResponses, model: "gpt-5", whole: "https://r.openai.azure.com/openai/v1/responses"},
	} {
		for way, answer := range map[string]reply{"whole": c.answer, "streamed": c.stream} {
			t.Run(name+"/"+way, func(t *testing.T) {
				s := &script{replies: []reply{answer}}
				m, err := provider.Open(strings.ReplaceAll(name, " ", "-")+"/"+c.model, provider.Config{Wire: c.wire, Credentials: provider.Credentials{Cloud: c.cloud, Vars: vars, Authorizer: &pass{}}, Transport: s, Env: noEnv})
				if err != nil {
					t.Fatal(err)
				}
				want := c.whole
				if way == "streamed" && c.streamed != "" {
					want = c.streamed
				}
				req := ask()
				req.Params.Stream = way == "streamed"
				if pre, err := m.Preview(t.Context(), req); err != nil || pre.URL != want {
					t.Fatalf("the address is %s, %v\nwant %s", pre.URL, err, want)
				}
				if answer.body == "" {
					return
				}
				var resp *callwright.Response
				if way == "whole" {
					resp, err = m.Generate(t.Context(), ask())
				} else {
					resp, err = callwright.Collect(m.Stream(t.Context(), ask()))
				}
				if err != nil || resp.Text() != "Good day." {
					t.Fatalf("got %+v, %v", resp, err)
				}
				if got := s.last.URL.String(); got != want {
					t.Errorf("asked %s\nwant %s", got, want)
				}
				for _, text := range c.says {
					if !strings.Contains(s.bodies[0], text) {
						t.Errorf("the body lacks %s: %s", text, s.bodies[0])
					}
				}
				for _, text := range c.saysNot {
					if strings.Contains(s.bodies[0], text) {
						t.Errorf("the body has %s: %s", text, s.bodies[0])
					}
				}
			})
		}
	}
}

// A failure inside a stream of Bedrock is the failure of the request, and one of the transport's kinds is tried again.
func TestEventStreamFails(t *testing.T) {
	cut := authtest.EventStream(claudeEvents...)
	whole := reply{body: string(cut), header: map[string]string{"Content-Type": "application/vnd.amazon.eventstream"}}
	torn := whole
	torn.body = torn.body[:100]
	s := &script{replies: []reply{torn, whole}}
	m, err := provider.Open("bedrock-anthropic/claude", provider.Config{Credentials: provider.Credentials{Vars: map[string]string{"region": "r"}, Authorizer: &pass{}}, Transport: s, Env: noEnv})
	if err != nil {
		t.Fatal(err)
	}
	resp, err := callwright.Collect(m.Stream(t.Context(), ask()))
	if err != nil || resp.Text() != "Good day." || len(s.bodies) != 2 {
		t.Errorf("got %+v, %v after %d tries", resp, err, len(s.bodies))
	}
}

// A row whose address has parts needs them.
func TestPartsOfAddress(t *testing.T) {
	for name, cfg := range map[string]provider.Config{
		"none":    {},
		"another": {Credentials: provider.Credentials{Vars: map[string]string{"project": "p"}}},
		"missing": {Credentials: provider.Credentials{Missing: &callwright.Error{Kind: callwright.KindAuth, Message: "providers.bedrock.auth.aws.region: AWS_REGION is not set"}}},
	} {
		cfg.Name, cfg.APIKey = "bedrock", provider.NewSecret("k")
		_, err := provider.New(cfg)
		want := "base_url is https://bedrock-runtime.REGION.amazonaws.com/openai/v1"
		if cfg.Missing != nil {
			want = "providers.bedrock.auth.aws.region: AWS_REGION is not set"
		}
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v", name, err)
		}
	}
}

// A request for which there are no credentials reaches no host: none of several is avoided for it.
func TestMissingCredentialsCoolNoHost(t *testing.T) {
	for _, kind := range []callwright.Kind{callwright.KindAuth, callwright.KindUnavailable} {
		a := &pass{err: &callwright.Error{Kind: kind, Message: "the metadata server returned no token"}}
		conf := provider.Config{Name: "lab", Transport: &script{}, Discovery: provider.DiscoverOff, MaxRetries: new(int),
			Hosts: []provider.WeightedURL{{URL: "http://one/v1"}, {URL: "http://two/v1"}}}
		withAuthorizer(a)(&conf)
		p, err := provider.New(conf)
		if err != nil {
			t.Fatal(err)
		}
		for range 4 {
			_, err := p.Model("m").Generate(t.Context(), &callwright.Request{Messages: []callwright.Message{callwright.UserText("Hi")}})
			if callwright.KindOf(err) != kind {
				t.Errorf("got %v", err)
			}
		}
		for _, s := range p.Targets() {
			if s.Kind != "" || s.InFlight != 0 || s.Failed+s.Refused != 0 {
				t.Errorf("%s: %+v", kind, s)
			}
		}
		p.Close()
	}
}
