package replay_test

import (
	"bytes"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/cmd/callwright/internal/replay"
	"github.com/callwright/callwright/internal/config"
	"github.com/callwright/callwright/internal/longtest"
	"github.com/callwright/callwright/internal/trace"
	"github.com/callwright/callwright/internal/wire/codecs"
	"github.com/callwright/callwright/simulate"
)

// results reads a trace again.
func results(t *testing.T, r *replay.Replay, file []byte) []replay.Result {
	t.Helper()
	var out []replay.Result
	for res, err := range r.Results(t.Context(), trace.Read(bytes.NewReader(file))) {
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, res)
	}
	return out
}

// TestSame: what clients of every wire are answered by models of every wire that show every fault, whole and streamed, comes out the same
// when it is read again: with the configuration, and with nothing but the trace.
func TestSame(t *testing.T) {
	h := newGateway(t, everyWire, simulate.New(simulate.Weather()))
	all := codecs.All()
	asked := 0
	for i, f := range simulate.Faults() {
		if f.Stalls || !longtest.IsEnabled() && i%8 != 0 {
			continue
		}
		for k, back := range all {
			front := all[(i+k)%len(all)]
			h.ask(t, front, "far-"+string(back.Name())+"/"+f.Model(), false)
			h.ask(t, front, "far-"+string(back.Name())+"/"+f.Model(), true)
			asked += 2
		}
	}
	if err := h.w.Err(); err != nil {
		t.Fatal(err)
	}
	for name, conf := range map[string]*config.Config{"with the configuration": h.conf, "with the trace alone": {}} {
		list := results(t, &replay.Replay{Config: conf, RawOnly: true}, h.file.Bytes())
		if len(list) != asked {
			t.Errorf("%s: %d of %d requests", name, len(list), asked)
		}
		for i := range list {
			if res := &list[i]; res.Outcome != replay.Same || res.From != replay.FromRaw {
				t.Errorf("%s: %s is %s %s %v", name, res.Model, res.Outcome, res.Why, res.Differences)
			}
		}
	}
}

// native is a model of OpenAI's wire that does as it is told.
const native = "far-openai/native"

// TestDifferent: what comes out otherwise is found, with its place.
func TestDifferent(t *testing.T) {
	inReceived := func(was, now string) func(string) string {
		return func(text string) string {
			var out strings.Builder
			for line := range strings.Lines(text) {
				if strings.Contains(line, `"kind":"received"`) {
					line = strings.ReplaceAll(line, was, now)
				}
				out.WriteString(line)
			}
			return out.String()
		}
	}
	for name, c := range map[string]struct {
		model string
		later string                   // the configuration when it is read again, "" for the same
		tell  func(text string) string // changes the trace
		only  bool
		want  replay.Outcome
		from  replay.Source
		says  []string
	}{
		"nothing":                 {model: native, want: replay.Same, from: replay.FromRaw},
		"another answer":          {model: native, tell: inReceived("Oslo", "Rome"), want: replay.Different, from: replay.FromRaw, says: []string{`/answer/parts/0/arguments/city: was "Oslo", now "Rome"`}},
		"another error":           {model: "far-openai/no_tools_400", tell: inReceived("tool", "spoon"), want: replay.Different, from: replay.FromRaw, says: []string{"/sent/1: was {", "now nothing", "/error: was nothing, now {", "does not support spoons"}},
		"other settings":          {model: "far-openai/hermes-plain", later: strings.ReplaceAll(everyWire, "max_retries: 0", "policy: off"), want: replay.Different, from: replay.FromRaw, says: []string{"/answer/parts/0/type: was \"call\", now \"text\""}},
		"what is sent":            {model: native, later: strings.ReplaceAll(everyWire, "max_retries: 0", "params: {temperature: 0.5}"), want: replay.Different, from: replay.FromRaw, says: []string{"/sent/0/temperature: was nothing, now 0.5"}},
		"no bytes":                {model: "far-openai/hermes-plain", tell: without(trace.KindReceived), want: replay.Same, from: replay.FromAnswer},
		"no bytes where asked":    {model: "far-openai/hermes-plain", tell: without(trace.KindReceived), only: true, want: replay.Different, from: replay.FromRaw, says: []string{"were not recorded"}},
		"no answer":               {model: native, tell: without(trace.KindAnswer), want: replay.Unanswered},
		"a body that is not read": {model: native, tell: func(text string) string { return strings.Replace(text, `,"body":{`, `,"body":{"messages":1,`, 1) }, want: replay.Different, from: replay.FromRaw, says: []string{"messages"}},
	} {
		t.Run(name, func(t *testing.T) {
			h := newGateway(t, everyWire, simulate.New(simulate.Weather()))
			h.ask(t, codecs.All()[0], c.model, false)
			file := h.file.String()
			if c.tell != nil {
				file = c.tell(file)
			}
			conf := h.conf
			if c.later != "" {
				conf = newGateway(t, c.later, http.NotFoundHandler()).conf
			}
			list := results(t, &replay.Replay{Config: conf, RawOnly: c.only}, []byte(file))
			if len(list) != 1 || list[0].Outcome != c.want || list[0].From != c.from {
				t.Fatalf("%+v", list)
			}
			said := list[0].Why
			for _, d := range list[0].Differences {
				said += d.String() + "\n"
			}
			for _, want := range c.says {
				if !strings.Contains(said, want) {
					t.Errorf("it does not say %q, but:\n%s", want, said)
				}
			}
		})
	}
}

// TestOne: one request is read again by itself. What came of it has the ids that were made then, also where it came out otherwise.
func TestOne(t *testing.T) {
	h := newGateway(t, everyWire, simulate.New(simulate.Weather()))
	h.ask(t, codecs.All()[0], "far-openai/hermes-plain", false)
	h.ask(t, codecs.All()[1], native, true)
	off := newGateway(t, strings.ReplaceAll(everyWire, "max_retries: 0", "policy: strict"), http.NotFoundHandler()).conf
	entries, err := trace.ReadAll(bytes.NewReader(h.file.Bytes()))
	if err != nil {
		t.Fatal(err)
	}
	byID := map[string][]trace.Entry{}
	for _, e := range entries {
		byID[e.ID] = append(byID[e.ID], e)
	}
	for id, list := range byID {
		if id == "" {
			continue
		}
		then := list[len(list)-1]
		for name, conf := range map[string]*config.Config{"the same": h.conf, "strict": off} {
			res, err := (&replay.Replay{Config: conf}).One(t.Context(), list)
			if err != nil || res.ID != id || len(res.Entries) == 0 || name == "the same" && res.Outcome != replay.Same {
				t.Fatalf("%s: %+v and %v", name, res, err)
			}
			now := res.Entries[len(res.Entries)-1]
			was, err := then.Response()
			if err != nil {
				t.Fatal(err)
			}
			if is, err := now.Response(); err == nil && name == "the same" {
				was.Report, is.Report, was.Raw, is.Raw = nil, nil, nil, nil
				if d := cmp.Diff(was, is); d != "" {
					t.Errorf("%s: %s (-then +now)\n%s", id, name, d)
				}
			}
		}
	}
	if _, err := (&replay.Replay{Config: h.conf}).One(t.Context(), nil); callwright.KindOf(err) != callwright.KindInvalid {
		t.Errorf("got %v", err)
	}
}

// TestKnown: what a request was treated by comes with it: facts that were learned before, tries that were made again, the models of an
// alias. The requests that taught the facts need not be in the trace.
func TestKnown(t *testing.T) {
	const aliases = everyWire + "models:\n  fast: {model: far-openai/groq_failed-none, fallbacks: [far-gemini/native]}\n"
	for name, c := range map[string]struct {
		conf, model string
		alone       bool   // it comes out the same without the configuration
		success     string // of the modes, as it was counted before
	}{
		"learned":        {everyWire, "far-openai/no_tools_400", true, ""},
		"tried":          {strings.ReplaceAll(everyWire, "max_retries: 0", "max_retries: 1"), "far-openai/429-retry_after_ms", true, ""},
		"an alias":       {aliases, "fast", true, ""},
		"corrected":      {everyWire, "far-ollama/wrong_then_right", true, ""},
		"given up":       {everyWire, "far-anthropic/never_right", true, ""},
		"a mode counted": {everyWire, "far-openai/native", true, "native=0+0-20 text=20+0-0 lead=text"},
	} {
		t.Run(name, func(t *testing.T) {
			h := newGateway(t, c.conf, simulate.New(simulate.Weather()))
			if c.success != "" {
				if err := h.model.Learn(t.Context(), c.model, []caps.Fact{{Key: "mode_success", Value: c.success, Source: caps.Learned}}); err != nil {
					t.Fatal(err)
				}
			}
			h.ask(t, codecs.All()[0], c.model, false)
			first := h.file.Len()
			h.ask(t, codecs.All()[0], c.model, true)
			files := [][]byte{h.file.Bytes(), h.file.Bytes()[first:]}
			if c.success != "" { // what is known does not change between the requests, and is said once
				files = files[:1]
			}
			for _, file := range files {
				confs := []*config.Config{h.conf}
				if c.alone {
					confs = append(confs, &config.Config{})
				}
				for _, conf := range confs {
					for _, res := range results(t, &replay.Replay{Config: conf, RawOnly: true}, file) {
						if res.Outcome != replay.Same {
							t.Errorf("%s: %s %v", res.Outcome, res.Why, res.Differences)
						}
					}
				}
			}
		})
	}
}

// TestSkipped: a model that was skipped is skipped when the request is read again, with the words of then, in whatever order it was asked before.
func TestSkipped(t *testing.T) {
	limited := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		r.Body = io.NopCloser(bytes.NewReader(body))
		status := http.StatusTooManyRequests
		switch said := string(body) + r.URL.Path; {
		case strings.Contains(said, "lacking"):
			status = http.StatusNotFound
		case strings.Contains(said, "limited"):
			w.Header().Set("Retry-After", "3000")
		default:
			simulate.New(simulate.Weather()).ServeHTTP(w, r)
			return
		}
		w.WriteHeader(status)
		_, _ = io.WriteString(w, `{"error":{"message":"no"}}`)
	})
	const aliases = everyWire + `models:
  one: {model: far-openai/limited, fallbacks: [far-gemini/native]}
  two: {model: far-openai/lacking, fallbacks: [far-anthropic/limited, far-openai/limited, far-ollama/hermes-plain]}
  three: {model: far-responses/limited, fallbacks: [far-openai/lacking, far-openai/wrong_then_right]}
`
	h := newGateway(t, aliases, limited)
	begins := []int{0}
	for i, codec := range codecs.All() {
		for _, model := range []string{"one", "two", "three", "far-anthropic/limited", "one"} {
			h.ask(t, codec, model, i%2 == 0)
			begins = append(begins, h.file.Len())
		}
	}
	if n := strings.Count(h.file.String(), `"skipped_ns":`); n < 20 {
		t.Fatalf("%d skips are recorded", n)
	}
	for name, conf := range map[string]*config.Config{"with the configuration": h.conf, "with the trace alone": {}} {
		for i, from := range begins[:len(begins)-1] { // each request alone
			for _, res := range results(t, &replay.Replay{Config: conf, RawOnly: true}, h.file.Bytes()[from:begins[i+1]]) {
				if res.Outcome != replay.Same || res.From != replay.FromRaw {
					t.Errorf("%s: request %d, %s, is %s %s %v", name, i, res.Model, res.Outcome, res.Why, res.Differences)
				}
			}
		}
	}
}

// TestLeft: of an answer that its client did not wait for, what it got is compared.
func TestLeft(t *testing.T) {
	h := newGateway(t, everyWire, simulate.New(func(simulate.Seen) simulate.Turn { return simulate.Turn{Text: strings.Repeat("Many words. ", 200)} }, simulate.Piece(50)))
	client, err := h.model.Resolve("far-anthropic/native")
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for range trace.Record(client, h.w).Stream(t.Context(), &callwright.Request{Model: "far-anthropic/native", Messages: []callwright.Message{callwright.UserText("Hello")}}) {
		if n++; n == 5 {
			break
		}
	}
	for was, want := range map[string]replay.Outcome{"words": replay.Same, "woods": replay.Different} {
		file := strings.ReplaceAll(h.file.String(), "words", was)
		if was != "words" { // in the answer alone
			at := strings.Index(h.file.String(), `"kind":"answer"`)
			file = h.file.String()[:at] + strings.ReplaceAll(h.file.String()[at:], "words", was)
		}
		list := results(t, &replay.Replay{Config: h.conf}, []byte(file))
		if len(list) != 1 || list[0].Outcome != want {
			t.Errorf("%s: %+v", was, list)
		}
	}
}

// TestKey: a key that is not accepted comes out the same, without what the provider said of it.
func TestKey(t *testing.T) {
	h := newGateway(t, everyWire, simulate.New(simulate.Weather(), simulate.Key("sk-sesame-0123")))
	for _, codec := range codecs.All() {
		h.ask(t, codec, "far-"+string(codec.Name())+"/native", false)
	}
	for _, res := range results(t, &replay.Replay{Config: h.conf, RawOnly: true}, h.file.Bytes()) {
		if res.Outcome != replay.Same {
			t.Errorf("%s: %s %v", res.Model, res.Why, res.Differences)
		}
	}
	if n := strings.Count(h.file.String(), `"withheld":true`); n != len(codecs.All()) {
		t.Errorf("%d answers are withheld", n)
	}
}

// TestBroken: a trace without contents cannot be replayed; of one that is broken or cut, the rest is.
func TestBroken(t *testing.T) {
	h := newGateway(t, everyWire, simulate.New(simulate.Weather()), trace.WithoutContent())
	h.ask(t, codecs.All()[0], native, false)
	for _, err := range (&replay.Replay{Config: h.conf}).Results(t.Context(), trace.Read(&h.file)) {
		if err == nil || !strings.Contains(err.Error(), "without contents") {
			t.Errorf("redacted: %v", err)
		}
		break
	}
	h = newGateway(t, everyWire, simulate.New(simulate.Weather()))
	for range 3 {
		h.ask(t, codecs.All()[0], native, false)
	}
	text := h.file.String()
	for name, c := range map[string]struct {
		text   string
		want   string
		failed error
	}{
		"torn":   {text[:len(text)-10], "same same unanswered", trace.ErrTorn},
		"a line": {"{}\n" + text, "same same same", nil},
	} {
		var got []string
		failed := error(nil)
		for res, err := range (&replay.Replay{Config: h.conf}).Results(t.Context(), trace.Read(strings.NewReader(c.text))) {
			if err != nil {
				failed = err
				continue
			}
			got = append(got, string(res.Outcome))
		}
		if strings.Join(got, " ") != c.want || failed == nil || c.failed != nil && !strings.Contains(failed.Error(), c.failed.Error()) {
			t.Errorf("%s: %v, %v", name, got, failed)
		}
	}
}

// without leaves out the entries of a kind.
func without(kind trace.Kind) func(string) string {
	return func(text string) string {
		var out strings.Builder
		for line := range strings.Lines(text) {
			if !strings.Contains(line, `"kind":"`+string(kind)+`"`) {
				out.WriteString(line)
			}
		}
		return out.String()
	}
}
