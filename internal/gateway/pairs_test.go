package gateway_test

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/gateway"
	"github.com/callwright/callwright/internal/provider"
	"github.com/callwright/callwright/internal/trace"
	"github.com/callwright/callwright/internal/wire"
	"github.com/callwright/callwright/internal/wire/codecs"
	"github.com/callwright/callwright/internal/wire/wiretest"
	"github.com/callwright/callwright/reliable"
	"github.com/callwright/callwright/signature"
	"github.com/callwright/callwright/simulate"
)

// TestPairs lets clients of every wire ask providers of every wire, whole and streamed. Each file of testdata/pairs is one
// scenario: the request and the recorded answer of each wire in a folder of its own (see answersIn), and what is the same for
// all pairs, in the words of wiretest.Gist:
//
//	client  what the client gets
//	sent    what the provider is sent
//	again   what it is sent when the client has answered with results.json
//
// What differs from that stands in differences. With -update the gists of Anthropic's own clients are written, which can say
// everything.
func TestPairs(t *testing.T) {
	used := map[*difference]bool{}
	all := scenarios(t)
	text := all[slices.IndexFunc(all, func(s *scenario) bool { return s.name == "text" })]
	for _, s := range all {
		for _, client := range codecs.All() {
			for _, far := range codecs.All() {
				for _, way := range ways {
					c := &cell{scenario: s, text: text, client: client, far: far, way: way, used: used}
					t.Run(s.name+"/"+string(client.Name())+"-"+string(far.Name())+"-"+way, c.test)
				}
			}
		}
	}
	if !t.Failed() && flag.Lookup("test.run").Value.String() == "" {
		for i := range differences {
			if d := &differences[i]; !used[d] && d.listed() {
				t.Errorf("no pair differs in this: %+v", *d)
			}
		}
	}
}

const (
	whole    = "whole"
	streamed = "streamed"

	truncated = "truncated" // the scenario
)

var ways = []string{whole, streamed}

// A scenario is one file of testdata/pairs.
type scenario struct {
	name    string
	path    string
	archive *txtar.Archive
}

func scenarios(t testing.TB) []*scenario {
	t.Helper()
	files, err := filepath.Glob(filepath.Join("testdata", "pairs", "*.txtar"))
	if err != nil || len(files) == 0 {
		t.Fatalf("expected scenarios: %v", err)
	}
	var out []*scenario
	for _, path := range files {
		a, err := txtar.ParseFile(path)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, &scenario{strings.TrimSuffix(filepath.Base(path), ".txtar"), path, a})
	}
	return out
}

// file returns a file of a wire in the scenario.
func (s *scenario) file(w callwright.WireName, name string) []byte {
	return bytes.TrimSuffix(fileOf(s.archive, string(w)+"/"+name), []byte("\n"))
}

// A cell is one scenario between one client's wire and one provider's, whole or streamed.
type cell struct {
	*scenario
	text        *scenario // what the provider says to results
	client, far wire.Codec
	way         string
	used        map[*difference]bool
	*stage
}

// A stage is a gateway before a provider of each wire.
type stage struct {
	server *gateway.Server
	url    string
	play   *trace.Received // what every provider answers
	cut    bool            // the connection breaks after it
	sent   []byte          // the latest request that reached a provider
	at     *http.Request
}

func (c *cell) test(t *testing.T) {
	c.stage = newStage(t)
	c.listen(t)
	c.play = c.answer(t, c.scenario)
	c.cut = c.name == truncated && c.way == whole // a stream just ends before its end
	body := c.request()
	got := post(t, c.url+c.door(), string(body))
	c.asked(t, sentGist, &got)
	c.want(t, clientGist, c.gist(t, &got), nil)
	if c.name == truncated && c.way == streamed && got.err == nil {
		t.Errorf("a cut stream ended politely: %s", got.body)
	}
	if c.client.Name() == c.far.Name() {
		c.untouched(t, body, &got)
	}
	if results := c.file(c.client.Name(), "results.json"); len(results) > 0 {
		c.again(t, body, &got, results)
	}
}

// newStage starts a gateway whose models share one signature store.
func newStage(t testing.TB) *stage {
	t.Helper()
	st, retries := &stage{}, 0
	shared := signature.NewMemory(nil, signature.Limits{})
	models := kept{}
	for _, codec := range codecs.All() {
		name := "far-" + string(codec.Name())
		p, err := provider.New(provider.Config{Name: name, Wire: codec.Name(), BaseURL: "http://far.test" + doors[codec.Name()].base,
			Transport: st, MaxRetries: &retries})
		if err != nil {
			t.Fatal(err)
		}
		model := doors[codec.Name()].model
		models[name+"/"+model] = reliable.New(p.Model(model), reliable.WithSignatures(shared))
	}
	st.server = gateway.New(gateway.Config{Reuse: gateway.Reuse{Bodies: true}, Models: models})
	return st
}

// listen gives the gateway an address.
func (st *stage) listen(t *testing.T) {
	srv := httptest.NewServer(st.server)
	t.Cleanup(srv.Close)
	st.url = srv.URL
}

// RoundTrip plays the provider.
func (st *stage) RoundTrip(r *http.Request) (*http.Response, error) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return nil, err
	}
	st.sent, st.at = body, r
	resp, err := st.play.Response(r)
	if err == nil && st.cut {
		resp.Body = io.NopCloser(io.MultiReader(resp.Body, iotest.ErrReader(io.ErrUnexpectedEOF)))
	}
	return resp, err
}

// kept are models by the names that clients give them.
type kept map[string]*reliable.Client

func (k kept) Resolve(name string) (*reliable.Client, error) {
	if c, ok := k[name]; ok {
		return c, nil
	}
	return nil, &callwright.Error{Kind: callwright.KindNotFound, Message: "no model " + name}
}

func (k kept) List(context.Context) []callwright.ModelID { return nil }

// answer returns the recorded answer of the provider's wire: an error is the same streamed or not.
func (c *cell) answer(t *testing.T, s *scenario) *trace.Received {
	t.Helper()
	list, err := answersIn(s.archive, string(c.far.Name())+"/")
	if err != nil {
		t.Fatal(err)
	}
	for i := range list {
		if list[i].stream == (c.way == streamed) || list[i].Status != http.StatusOK {
			return &list[i].Received
		}
	}
	t.Fatal("no answer for this way")
	return nil
}

// A door is where and how the clients of a wire ask, and what stands behind the wire.
type door struct {
	base    string            // what the SDK's base address ends with
	stream  map[string]string // by way: what stands for STREAM in requests
	model   string            // the model's name at the provider
	profile string            // the checks that such a model makes, see simulate.Profiles
}

var sayStream = map[string]string{whole: "false", streamed: "true"}

var doors = map[callwright.WireName]door{
	callwright.WireOpenAI:    {"/v1", map[string]string{whole: "false", streamed: `true,"stream_options":{"include_usage":true}`}, "gpt-4.1", "openai"},
	callwright.WireResponses: {"/v1", sayStream, "gpt-4.1", "openai"},
	callwright.WireAnthropic: {"", sayStream, "claude-sonnet-4-5", "anthropic-4.5"},
	callwright.WireGemini:    {"", sayStream, "gemini-3-flash", "gemini-3"},
	callwright.WireOllama:    {"", sayStream, "qwen3:8b", "ollama"},
}

func (c *cell) model() string { return "far-" + string(c.far.Name()) + "/" + c.farModel() }

func (c *cell) farModel() string { return doors[c.far.Name()].model }

func (c *cell) door() string {
	path, query := c.client.Target(c.model(), c.way == streamed)
	if query != "" {
		query = "?" + query
	}
	return doors[c.client.Name()].base + path + query
}

func (c *cell) request() []byte {
	return []byte(strings.NewReplacer(`"MODEL"`, `"`+c.model()+`"`, "STREAM", doors[c.client.Name()].stream[c.way]).Replace(string(c.file(c.client.Name(), "request.json"))))
}

// gist returns what the client makes of an answer.
func (c *cell) gist(t *testing.T, got *answer) string {
	t.Helper()
	if got.status != http.StatusOK {
		return wiretest.GistOfError(c.client.DecodeError(got.status, got.header, []byte(got.body)), got.status)
	}
	if c.way == streamed {
		return wiretest.Decode(c.client, strings.NewReader(got.body)).Gist()
	}
	resp, err := c.client.DecodeResponse([]byte(got.body))
	if err != nil {
		return wiretest.GistOfError(err, got.status)
	}
	return wiretest.Gist(resp)
}

// asked holds what the provider was sent to the gist and to what its wire asks for.
func (c *cell) asked(t *testing.T, gist string, got *answer) {
	t.Helper()
	path, query := c.far.Target(c.farModel(), c.way == streamed)
	if want := doors[c.far.Name()].base + path; c.at == nil || c.at.URL.Path != want || c.at.URL.RawQuery != query {
		t.Fatalf("expected a request to %s?%s, got %+v: %s", want, query, c.at, got.body)
	}
	req, err := c.far.DecodeRequest(bytes.Clone(c.sent))
	if err != nil {
		t.Fatalf("the provider cannot read %s: %v", c.sent, err)
	}
	if plain, _ := c.far.Target(c.farModel(), false); plain == path && req.Params.Stream != (c.way == streamed) {
		t.Errorf("expected stream %t, got %s", c.way == streamed, c.sent)
	}
	sent, err := wiretest.GistOfRequest(req)
	if err != nil {
		t.Fatalf("the provider cannot read %s: %v", c.sent, err)
	}
	rep := c.report(t, got)
	c.want(t, gist, sent, notesOf(&rep))
	c.strict(t)
}

// strict lets the simulator check the request as the wire's own servers do.
func (c *cell) strict(t *testing.T) {
	t.Helper()
	asked := strings.NewReplacer(c.farModel(), simulate.Profile{Name: doors[c.far.Name()].profile}.Model())
	r := httptest.NewRequest(http.MethodPost, asked.Replace(c.at.URL.RequestURI()), strings.NewReader(asked.Replace(string(c.sent))))
	r.Host = "localhost"
	r.Header = c.at.Header
	w := httptest.NewRecorder()
	simulate.New(func(simulate.Seen) simulate.Turn { return simulate.Turn{Text: "Sound."} }).ServeHTTP(w, r)
	if w.Code != http.StatusOK {
		t.Errorf("the provider refuses %s: %s", c.sent, w.Body)
	}
}

// report returns the report of the answer.
func (c *cell) report(t *testing.T, got *answer) (rep callwright.Report) {
	t.Helper()
	id, _, _ := strings.Cut(strings.TrimPrefix(got.header.Get("Callwright-Report"), "id="), ";")
	resp, err := http.Get(c.url + "/callwright/reports/" + id)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	if err := json.NewDecoder(resp.Body).Decode(&rep); err != nil || rep.ID != id {
		t.Fatalf("no report %q: %v", id, err)
	}
	return rep
}

// notesOf returns the rules of the report's notes, sorted, each once.
func notesOf(rep *callwright.Report) []string {
	rules := []string{}
	for _, n := range rep.Notes {
		rules = append(rules, n.Rule)
	}
	slices.Sort(rules)
	return slices.Compact(rules)
}

// want compares a gist, and the notes of what was sent, with what the scenario and the differences say.
func (c *cell) want(t *testing.T, file, got string, notes []string) {
	t.Helper()
	if flag.Lookup("update").Value.String() == "true" {
		c.update(t, file, got)
		return
	}
	want, rules := string(fileOf(c.archive, file)), []string{}
	for i := range differences {
		d := &differences[i]
		if !d.in(c, file) {
			continue
		}
		c.used[d] = true
		if d.was != "" {
			if !strings.Contains(want, d.was) {
				t.Errorf("a declared difference is none: %q in\n%s", d.was, want)
			}
			want = strings.ReplaceAll(want, d.was, d.now)
		}
		if d.note != "" {
			rules = append(rules, d.note)
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", file, diff)
	}
	slices.Sort(rules)
	if diff := cmp.Diff(slices.Compact(rules), notes); notes != nil && diff != "" {
		t.Errorf("notes (-declared +reported):\n%s", diff)
	}
}

// update writes the gist of the clients and the provider that can say everything.
func (c *cell) update(t *testing.T, file, got string) {
	t.Helper()
	if c.client.Name() != callwright.WireAnthropic || c.far.Name() != callwright.WireAnthropic || c.way != streamed {
		return
	}
	for i := range c.archive.Files {
		if c.archive.Files[i].Name == file {
			c.archive.Files[i].Data = []byte(got)
		}
	}
	if err := os.WriteFile(c.path, txtar.Format(c.archive), 0o644); err != nil {
		t.Fatal(err)
	}
}

// untouched holds a pair of one wire to the bytes.
func (c *cell) untouched(t *testing.T, body []byte, got *answer) {
	t.Helper()
	want := strings.Replace(string(body), `"`+c.model()+`"`, quoted(c.farModel()), 1)
	if diff := cmp.Diff(want, string(c.sent)); diff != "" {
		t.Errorf("request (-client +provider):\n%s", diff)
	}
	if c.name == "error" || c.name == truncated {
		return
	}
	if diff := cmp.Diff(string(c.play.Body), got.body); diff != "" {
		t.Errorf("answer (-provider +client):\n%s", diff)
	}
	if rep := c.report(t, got); !rep.Untouched {
		t.Errorf("the report does not say untouched: %+v", rep)
	}
}
