package main

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/callwright/callwright/internal/store/natstest"
	"github.com/callwright/callwright/simulate"
	"github.com/nats-io/nats-server/v2/server"
)

// startNATS starts a server of NATS that keeps what it is told, and returns its address.
func startNATS(t *testing.T) (s *server.Server, address string) {
	t.Helper()
	s = natstest.Start(t, nil)
	return s, s.ClientURL()
}

// responses asks for an answer with a key, and returns its status and id.
func (p *process) responses(t *testing.T, key, previous string) (status int, id string) {
	t.Helper()
	body := `{"model":"sim/native","input":"Hello"}`
	if previous != "" {
		body = `{"model":"sim/native","input":"And again?","previous_response_id":"` + previous + `"}`
	}
	status, text := p.get(t, http.MethodPost, "/v1/responses", key, body)
	var out struct{ ID string }
	_ = json.Unmarshal([]byte(text), &out)
	return status, out.ID
}

// get asks with a key, "" for none, and returns what is answered.
func (p *process) get(t *testing.T, method, path, key, body string) (status int, text string) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), method, p.url+path, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	if key != "" {
		r.Header.Set("Authorization", "Bearer "+key)
	}
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	out, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return resp.StatusCode, string(out)
}

// Two gateways on one NATS are one: a conversation goes on at either, whichever of them is killed, what a client drops of a model's state is put back by either, and a key
// may use so much of both together. Without NATS they go on and say so.
func TestReplicas(t *testing.T) {
	needsLong(t)
	t.Run("server", func(t *testing.T) {
		nats, address := startNATS(t)
		testReplicas(t, address, nats.Shutdown)
	})
	t.Run("cluster", func(t *testing.T) {
		if natstest.Program() == "" {
			t.Skip("CALLWRIGHT_NATS_SERVER names no server")
		}
		c, err := natstest.Launch(natstest.Program(), t.TempDir())
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(c.Kill)
		testReplicas(t, c.URL(), c.Kill)
	})
}

func testReplicas(t *testing.T, address string, end func()) {
	defer http.DefaultClient.CloseIdleConnections()
	const limit = 100
	lab := httptest.NewServer(simulate.New(simulate.Weather()))
	defer lab.Close()
	conf := fmt.Sprintf(`state: {nats: %q}
keys: [{name: ci, key: sesame, requests_per_minute: %d}, {name: free, key: free}]
providers: {sim: {}, far: {base_url: "%s", wire: gemini, discover: off}}
`, address, limit, lab.URL)
	gateways := []*process{startGateway(t, "", conf), startGateway(t, "", conf)}
	awaitReplicas(t, gateways)
	last := ""
	for i := range 6 {
		status, id := gateways[i%2].responses(t, "free", last)
		if status != http.StatusOK || id == "" {
			t.Fatalf("turn %d: got %d", i, status)
		}
		last = id
	}
	if status, _ := gateways[0].responses(t, "sesame", last); status != http.StatusBadRequest {
		t.Errorf("the answer of another key: got %d", status)
	}
	for i := range gateways {
		droppedState(t, gateways[i], gateways[1-i], i)
	}
	passed := passLimit(t, gateways, limit)
	if passed < limit*95/100 || passed > limit*105/100 {
		t.Errorf("%d requests of %d a minute were let through", passed, limit)
	}
	_ = gateways[0].Process.Kill()
	status, last := gateways[1].responses(t, "free", last)
	if status != http.StatusOK || last == "" {
		t.Errorf("after a kill: got %d", status)
	}
	end()
	if status, _ := gateways[1].responses(t, "free", ""); status != http.StatusOK {
		t.Errorf("without NATS: got %d", status)
	}
	if status, text := gateways[1].get(t, http.MethodGet, "/readyz", "", ""); status != http.StatusOK || !strings.HasPrefix(text, `{"status":"degraded"`) {
		t.Errorf("without NATS: got %d %q", status, text)
	}
}

// awaitReplicas waits until what one gateway keeps the other one finds: servers that were just started elect leaders.
func awaitReplicas(t *testing.T, gateways []*process) {
	t.Helper()
	for begun := time.Now(); ; time.Sleep(100 * time.Millisecond) {
		_, id := gateways[0].responses(t, "free", "")
		if status, _ := gateways[1].responses(t, "free", id); id != "" && status == http.StatusOK {
			return
		}
		if time.Since(begun) > time.Minute {
			t.Fatal("nothing is shared")
		}
	}
}

// passLimit asks both gateways three times as often as a key may in a minute, within one minute, and gives how often it was let.
func passLimit(t *testing.T, gateways []*process, limit int) (passed int) {
	t.Helper()
	if left := 60 - time.Now().Second(); left < 25 { // or the limit begins anew meanwhile
		time.Sleep(time.Duration(left) * time.Second)
	}
	for i := range 3 * limit {
		switch status, _ := gateways[i%2].responses(t, "sesame", ""); status {
		case http.StatusOK:
			passed++
		case http.StatusTooManyRequests:
		default:
			t.Fatalf("got %d", status)
		}
	}
	return passed
}

// droppedState has a model that wants its signatures back call a tool at one gateway, and goes on at another as a client whose API has no place for signatures.
func droppedState(t *testing.T, one, other *process, n int) {
	t.Helper()
	asked := fmt.Sprintf(`{"role":"user","content":"What is the weather in Oslo, the %d. time?"}`, n)
	const rest = `"model":"far/strict-gemini-3","tools":[{"type":"function","function":{"name":"get_weather","parameters":{"type":"object","properties":{"city":{"type":"string"}},"required":["city"]}}}]`
	status, text := one.get(t, http.MethodPost, "/v1/chat/completions", "free", `{`+rest+`,"messages":[`+asked+`]}`)
	var out struct {
		Choices []struct {
			Message struct {
				ToolCalls []struct {
					ID       string
					Function struct{ Name, Arguments string }
				} `json:"tool_calls"`
			}
		}
	}
	if err := json.Unmarshal([]byte(text), &out); err != nil || status != http.StatusOK || len(out.Choices) == 0 || len(out.Choices[0].Message.ToolCalls) == 0 {
		t.Fatalf("got %d %s", status, text)
	}
	c := out.Choices[0].Message.ToolCalls[0]
	history := fmt.Sprintf(`%s,{"role":"assistant","content":null,"tool_calls":[{"id":%q,"type":"function","function":{"name":%q,"arguments":%q}}]},{"role":"tool","tool_call_id":%q,"content":"3 degrees"}`,
		asked, c.ID, c.Function.Name, c.Function.Arguments, c.ID)
	for begun := time.Now(); ; time.Sleep(10 * time.Millisecond) {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, other.url+"/v1/chat/completions", strings.NewReader(`{`+rest+`,"messages":[`+history+`]}`))
		if err != nil {
			t.Fatal(err)
		}
		r.Header = http.Header{"Authorization": {"Bearer free"}, "Callwright-Report": {"body"}}
		resp, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		answer, err := io.ReadAll(resp.Body)
		_ = resp.Body.Close()
		if err != nil || resp.StatusCode != http.StatusOK || !strings.Contains(string(answer), "3 degrees") {
			t.Fatalf("going on without the signature: got %d %s %v", resp.StatusCode, answer, err)
		}
		if strings.Contains(string(answer), `"rule":"history.state_restored"`) {
			return
		}
		if time.Since(begun) > 10*time.Second { // nobody waits long for a state to be written
			t.Fatalf("the signature was not put back: %s", answer)
		}
	}
}

// Simultaneous requests of a new key exceed its spend limit by at most the cost of one request, at one gateway and at two.
func TestReplicasSpend(t *testing.T) {
	needsLong(t)
	defer http.DefaultClient.CloseIdleConnections()
	_, address := startNATS(t)
	prices := filepath.Join(t.TempDir(), "prices.yaml")
	if err := os.WriteFile(prices, []byte("sim/native: {input: 1, output: 2}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	const limit = 0.01
	conf := fmt.Sprintf("state: {nats: %q}\nprices_file: %q\nproviders: {sim: {}}\nkeys: [{name: one, key: one, spend: {usd: %g, per: day}}, {name: two, key: two, spend: {usd: %g, per: day}}]\n",
		address, prices, limit, limit)
	gateways := []*process{startGateway(t, "", conf), startGateway(t, "", conf)}
	for _, g := range gateways {
		g.drain()
	}
	awaitReady(t, gateways)
	for i, key := range []string{"one", "two"} {
		used := gateways[:i+1]
		passed := usedUp(t, used, key, 300/len(used), 300/len(used))
		spent := 0.0
		for _, g := range used {
			_, text := g.get(t, http.MethodGet, "/callwright/usage", key, "")
			var u struct{ Total struct{ USD float64 } }
			if err := json.Unmarshal([]byte(text), &u); err != nil {
				t.Fatal(err)
			}
			spent += u.Total.USD
		}
		if passed == 0 || spent > limit+1.01*spent/float64(passed) {
			t.Errorf("%d gateways: %d requests cost %v USD of %v", len(used), passed, spent, limit)
		}
	}
}

// A run that waits is on the pages of each gateway, is answered on those of any, and goes on in any process without a further answer. So are evaluations.
func TestReplicasShareRuns(t *testing.T) {
	needsLong(t)
	_, address := startNATS(t)
	conf := fmt.Sprintf("providers: {sim: {}}\nagent: {model: sim/native}\nstate: {nats: %q}\n", address)
	gateways := []*served{serve(t, conf, nil), serve(t, conf, nil)}
	here, there := newMachine(t, conf), newMachine(t, conf)
	status, _, said := here.do(t.Context(), "run", "--tools", weatherToAsk, "What is the weather in Oslo?")
	if status != exitParked {
		t.Fatalf("status %d: %s", status, said)
	}
	id := asked(t, said)
	for _, g := range gateways {
		if _, list := g.fetch("/ui/runs?show=waiting", ""); !strings.Contains(list, "/ui/runs/"+id) {
			t.Errorf("it is not listed: %s", list)
		}
	}
	if page := postForm(t, gateways[1].url+"/ui/runs/"+id, "", url.Values{"decision0": {"yes"}}, "token", "call"); !strings.Contains(page, "callwright run --config") || !strings.Contains(page, "--resume "+id) {
		t.Errorf("the page does not say how it goes on: %s", page)
	}
	if status, out, said := there.do(t.Context(), "run", "--resume", id); status != exitDone || out == "" {
		t.Errorf("status %d: %s", status, said)
	}
	if status, _, said := there.do(t.Context(), "eval", "--model", "sim/native", "--scenarios", "happy_path", "--trials", "2", "--state", "nats:both"); status != exitDone {
		t.Errorf("status %d: %s", status, said)
	}
	for _, g := range gateways {
		for path, want := range map[string]string{"/ui/runs/" + id: ">done<", "/ui/evals": "2 of 2", "/ui/evals/nats:both": "Tool scenarios alone"} {
			if status, body := g.fetch(path, ""); status != http.StatusOK || !strings.Contains(body, want) {
				t.Errorf("%s: got %d without %q: %s", path, status, want, body)
			}
		}
	}
}
