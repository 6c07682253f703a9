package gateway_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/access"
	"github.com/callwright/callwright/internal/bound"
	"github.com/callwright/callwright/internal/gateway"
	"github.com/callwright/callwright/internal/store"
	"github.com/callwright/callwright/internal/store/natstest"
	"github.com/callwright/callwright/internal/wire/codecs"
	"github.com/callwright/callwright/simulate"
)

// A boundedModels is a directory whose models have bounds for conversations.
type boundedModels struct {
	directory
	limits access.Conversation
}

func (b boundedModels) ConversationBounds(string) access.Conversation { return b.limits }

// looping is a gateway that bounds conversations of simulated models, and what these are sent.
func looping(t *testing.T, cfg gateway.Config, limits access.Conversation) (running, *simulate.Server) {
	t.Helper()
	llm := simulate.New(simulate.Weather())
	cfg.Models = boundedModels{models(t, llm), limits}
	return serve(t, cfg), llm
}

// lastSent is the body of the last request that the models were sent.
func lastSent(llm *simulate.Server) string {
	seen := llm.Requests()
	return string(seen[len(seen)-1].Body)
}

// An agent that loops is told once, then stopped, by each bound, over each API, whole and streamed; the error names the bound.
func TestLoopingAgentIsToldThenStopped(t *testing.T) {
	for _, c := range []struct {
		limits access.Conversation
		key    bool // the bounds are those of the key
		says   string
	}{
		{access.Conversation{Calls: 2, TellAt: 0.5}, false, "conversation.max_calls of the model"},
		{access.Conversation{Tokens: 1}, true, `conversation.max_tokens of the key`},
		{access.Conversation{USD: 0.000001}, true, `conversation.max_cost of the key`},
	} {
		for _, codec := range codecs.All() {
			for _, stream := range []bool{false, true} {
				t.Run(fmt.Sprintf("%s/%s/%v", c.says, codec.Name(), stream), func(t *testing.T) {
					key, ofModel := access.Key{Name: "k"}, c.limits
					if c.key {
						key.Conversation, ofModel = c.limits, access.Conversation{}
					}
					srv, llm := looping(t, gateway.Config{Access: gate(t, access.Config{Keys: []access.Key{key}})}, ofModel)
					a := askers[codec.Name()]
					path, body := a.ask(string(codec.Name())+"/native", stream)
					var told []bool
					var got answer
					for range 6 {
						got = post(t, srv.URL+path, body, "x-api-key", "-k")
						if got.status != 200 {
							break
						}
						report := get(t, srv.URL+"/callwright/reports/"+reportID(got), "x-api-key", "-k")
						said := strings.Contains(lastSent(llm), "This conversation has used")
						if noted := strings.Contains(report.body, "plan.told"); noted != said {
							t.Errorf("the model was told: %v, the report says so: %v", said, noted)
						}
						told = append(told, said)
					}
					want := []bool{false, true}
					if fmt.Sprint(told) != fmt.Sprint(want) {
						t.Errorf("told %v, want %v", told, want)
					}
					e := codec.DecodeError(got.status, got.header, []byte(got.body))
					if got.status != 403 || e.Kind != callwright.KindPermission || !strings.Contains(got.body, c.says) {
						t.Errorf("got %d, %s: %s", got.status, e.Kind, got.body)
					}
					other := strings.Replace(body, "What is the weather in Oslo?", "And in Bergen?", 1)
					if got := post(t, srv.URL+path, other, "x-api-key", "-k"); got.status != 200 {
						t.Errorf("another conversation: %d %s", got.status, got.body)
					}
				})
			}
		}
	}
}

// A conversation is known by the name that its client gives it, whatever it begins with.
func TestConversationByItsName(t *testing.T) {
	srv, _ := looping(t, gateway.Config{}, access.Conversation{Tokens: 1})
	status := func(text, session string) int {
		return post(t, srv.URL+chat, strings.Replace(question(chat, "openai/native", ""), "Oslo", text, 1), "X-Session-Id", session).status
	}
	for i, want := range []int{200, 200, 403} {
		if got := status(fmt.Sprint("city ", i), "one"); got != want {
			t.Errorf("request %d: got %d, want %d", i, got, want)
		}
	}
	if got := status("city 0", "two"); got != 200 {
		t.Errorf("another session: got %d", got)
	}
}

// A request that a limit of its key refuses does not use up the one time that a model is told, and a request at a bound uses nothing of the key's limits.
func TestConversationBesideLimits(t *testing.T) {
	g := gate(t, access.Config{Keys: []access.Key{{Name: "k", Limits: access.Limits{Tokens: 5000}}}})
	srv, _ := looping(t, gateway.Config{Access: g}, access.Conversation{Calls: 2, TellAt: 0.5})
	ask := func(text string) answer {
		body := strings.Replace(question(chat, "openai/native", ""), "Oslo", text, 1)
		return post(t, srv.URL+chat, body, "x-api-key", "-k", "X-Session-Id", "one", "Callwright-Report", "body")
	}
	for i, c := range []struct {
		text   string
		status int
		told   bool
	}{{"Oslo", 200, false}, {strings.Repeat("word ", 10_000), 413, false}, {"Oslo", 200, true}, {"Oslo", 403, false}} {
		got := ask(c.text)
		if told := strings.Contains(got.body, `"rule":"plan.told"`); got.status != c.status || told != c.told {
			t.Errorf("request %d: got %d, told: %v; want %d, %v: %.300s", i, got.status, told, c.status, c.told, got.body)
		}
	}
	before, _ := g.UsageOf(t.Context(), "k")
	ask("Oslo")
	if after, _ := g.UsageOf(t.Context(), "k"); after.Limits[0].Used != before.Limits[0].Used {
		t.Errorf("a refused request used the limit: %v, then %v", before.Limits, after.Limits)
	}
}

// Two gateways on one NATS agree about a conversation: together they let as much through as one does.
func TestConversationsOfTwoGateways(t *testing.T) {
	nats := natstest.Start(t, nil)
	var gateways []running
	for range 2 {
		s, err := store.Open(t.Context(), store.Config{URL: nats.ClientURL()})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = s.Close() })
		srv, _ := looping(t, gateway.Config{Conversations: bound.New(s.Counters(), nil)}, access.Conversation{Calls: 3, TellAt: 0.9})
		gateways = append(gateways, srv)
	}
	told := 0
	for i, want := range []int{200, 200, 200, 200, 403, 403} {
		got := post(t, gateways[i%2].URL+chat, question(chat, "openai/native", ""), "Callwright-Report", "body")
		if got.status != want {
			t.Errorf("request %d: got %d, want %d: %s", i, got.status, want, got.body)
		}
		told += strings.Count(got.body, `"rule":"plan.told"`)
	}
	if told != 1 {
		t.Errorf("told %d times", told)
	}
}
