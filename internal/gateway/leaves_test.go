package gateway_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"sync"
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/internal/gateway"
	"github.com/callwright/callwright/internal/wire"
	"github.com/callwright/callwright/internal/wire/codecs"
	"github.com/callwright/callwright/internal/wire/wiretest"
	"github.com/callwright/callwright/reliable"
	"github.com/callwright/callwright/simulate"
	"pgregory.net/rapid"
)

// A repertoire plays, for each model's name, a list of turns in order, and the last one for ever.
type repertoire struct {
	mu    sync.Mutex
	turns map[string][]simulate.Turn
}

func (r *repertoire) script(seen simulate.Seen) simulate.Turn {
	r.mu.Lock()
	defer r.mu.Unlock()
	left := r.turns[seen.Model]
	if len(left) > 1 {
		r.turns[seen.Model] = left[1:]
	}
	return left[0]
}

// play sets the turns of a model.
func (r *repertoire) play(model string, turns []simulate.Turn) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.turns[model] = turns
}

// drawn is what a model may do in a turn: the calls that it makes, natively or as text, good ones, bad ones and those of no tool.
func drawn(t *rapid.T) (turn simulate.Turn, made map[string]int) {
	pool := []simulate.Call{
		{Name: "get_weather", Arguments: `{"city":"Oslo"}`}, {Name: "get_weather", Arguments: `{"city":"Bergen"}`}, {Name: "get_weather", Arguments: `{ "city" : "Oslo" }`},
		{Name: "get_weather", Arguments: `{"town":5}`}, {Name: "get_weather", Arguments: `{"city":"Oslo","days":"3"}`}, {Name: "get_weather", Arguments: `{"city":"Rome"`},
		{Name: "get_wether", Arguments: `{"city":"Rome"}`}, {Name: "rm_rf", Arguments: `{"city":"Oslo"}`}, {Name: "functions.get_weather", Arguments: `{"city":"Kiel"}`},
		{Name: "get_weather<arg_key>city</arg_key><arg_value>Ulm</arg_value>", Arguments: `{}`}, {Name: "get_weather", Arguments: `<city>Ulm</city>`},
	}
	ids := []string{"", "call_0", "functions.get_weather:0", "functions.get_weather:1"}
	made = map[string]int{}
	for range rapid.IntRange(0, 3).Draw(t, "calls") {
		c := rapid.SampledFrom(pool).Draw(t, "call")
		c.ID = rapid.SampledFrom(ids).Draw(t, "id")
		made[subject(c.Name+c.Arguments)]++
		turn.Calls = append(turn.Calls, c)
	}
	switch rapid.IntRange(0, 2).Draw(t, "way of the calls") {
	case 0:
		for _, c := range turn.Calls {
			turn.Text += fmt.Sprintf("<tool_call>{\"name\":%q,\"arguments\":%s}</tool_call>\n", c.Name, c.Arguments)
		}
		turn.Calls = nil
	case 1:
		turn.Text = rapid.SampledFrom([]string{"", "Let me look.", " "}).Draw(t, "text")
	}
	return turn, made
}

// subject is what a call is about: its city, and whether it is of several days.
func subject(call string) string {
	for _, city := range []string{"Oslo", "Bergen", "Rome", "Kiel", "Ulm"} {
		if strings.Contains(call, city) {
			return fmt.Sprint(city, strings.Contains(call, "days"))
		}
	}
	return ""
}

// received reads an answer as its client does. begun are the names of the calls that began, resp is nil for an error.
func received(c wire.Codec, stream bool, rec *httptest.ResponseRecorder) (resp *callwright.Response, begun []string) {
	if !stream {
		resp, err := c.DecodeResponse(rec.Body.Bytes())
		if err != nil || rec.Code != http.StatusOK {
			return nil, nil
		}
		return resp, nil
	}
	s := wiretest.Decode(c, bytes.NewReader(rec.Body.Bytes()))
	var col callwright.Collector
	for ev, err := range s.All() {
		if err != nil {
			return nil, begun
		}
		if b, ok := ev.(callwright.CallBegin); ok {
			begun = append(begun, b.Name)
		}
		col.Add(ev)
	}
	return col.Response(), begun
}

// mayBeRun expects calls of the declared tool alone, with sound arguments and ids of their own, and counts them by what they are about.
func mayBeRun(t *rapid.T, client callwright.WireName, resp *callwright.Response, body fmt.Stringer) map[string]int {
	validated := reliable.ValidateOptions{Policy: callwright.PolicyHeal}
	tools := []callwright.Tool{{Name: "get_weather", Schema: json.RawMessage(simulate.WeatherSchema)}}
	left, ids := map[string]int{}, map[string]bool{}
	for _, c := range resp.Calls() {
		if c.Name != "get_weather" {
			t.Fatalf("%q left: %s", c.Name, body)
		}
		if v, err := reliable.Validate(c, tools, validated); err != nil || !v.OK || len(v.Notes) > 0 && v.Notes[0].Rule != "id.missing" {
			t.Fatalf("%s does not satisfy the schema: %+v, %v", c.Arguments, v, err)
		}
		if c.ID != "" && ids[c.ID] || client == callwright.WireAnthropic && !regexp.MustCompile(`^[a-zA-Z0-9_-]+$`).MatchString(c.ID) {
			t.Fatalf("the id %q: %s", c.ID, body)
		}
		ids[c.ID] = true
		left[subject(string(c.Arguments))]++
	}
	return left
}

// Over every pair of APIs, whole and streamed, however a model goes on when it is corrected: a call leaves as often as one answer made it
// and no more often, under a declared name, with arguments that satisfy the schema, and under an id of its own that the client's API takes.
func TestWhatLeavesMayBeRun(t *testing.T) {
	plays := &repertoire{turns: map[string][]simulate.Turn{}}
	up := models(t, simulate.New(plays.script))
	all, seq := codecs.All(), 0
	rapid.Check(t, func(t *rapid.T) {
		client, far := rapid.SampledFrom(all).Draw(t, "client"), rapid.SampledFrom(all).Draw(t, "far")
		stream := rapid.Bool().Draw(t, "stream")
		opts := []reliable.Option{
			reliable.WithStreamCalls(rapid.SampledFrom([]callwright.StreamCalls{callwright.StreamAuto, callwright.StreamHeld, callwright.StreamFlowing}).Draw(t, "stream calls")),
			reliable.WithModes(rapid.SampledFrom([]caps.Mode{caps.Native, caps.Text, caps.JSONSchema}).Draw(t, "mode"), caps.Text),
		}
		var turns []simulate.Turn
		most := map[string]int{}
		for range 4 {
			turn, made := drawn(t)
			turns = append(turns, turn)
			for what, n := range made {
				most[what] = max(most[what], n)
			}
		}
		seq++
		model := fmt.Sprintf("run%d", seq)
		plays.play(model, turns)
		a := askers[client.Name()]
		path, body := a.ask(string(far.Name())+"/"+model, stream)
		r := httptest.NewRequest(http.MethodPost, path, strings.NewReader(body))
		r.Host = "localhost"
		rec := httptest.NewRecorder()
		func() {
			defer func() {
				if v := recover(); v != nil && v != http.ErrAbortHandler {
					panic(v)
				}
			}()
			gateway.New(gateway.Config{Models: withOptions{up, opts}}).ServeHTTP(rec, r)
		}()
		resp, begun := received(client, stream, rec)
		if rec.Code == http.StatusInternalServerError || strings.Contains(rec.Body.String(), "failed with an internal error") {
			t.Fatalf("%d %s", rec.Code, rec.Body)
		}
		for _, name := range begun {
			if name != "get_weather" {
				t.Fatalf("a call of %q began: %s", name, rec.Body)
			}
		}
		if resp == nil {
			return // an honest error; a stream that broke may have begun a call, which no client runs
		}
		left := mayBeRun(t, client.Name(), resp, rec.Body)
		for what, n := range left {
			if n > most[what] {
				t.Fatalf("%d calls for %s left, at most %d were made in one answer: %s", n, what, most[what], rec.Body)
			}
		}
	})
}
