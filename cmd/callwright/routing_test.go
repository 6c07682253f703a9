package main

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"
)

// doors are the APIs of clients: a path and a body for a question with a tool, whole and streamed.
var doors = map[string]func(model string, stream bool) (path, body string){
	"openai": func(model string, stream bool) (string, string) {
		return "/v1/chat/completions", fmt.Sprintf(`{"model":%q,"stream":%v,"messages":[{"role":"user","content":"How is it in Oslo?"}],"tools":[%s]}`, model, stream, lookTool)
	},
	"responses": func(model string, stream bool) (string, string) {
		return "/v1/responses", fmt.Sprintf(`{"model":%q,"stream":%v,"input":"How is it in Oslo?","tools":[{"type":"function","name":"look","parameters":%s}]}`, model, stream, lookSchema)
	},
	"anthropic": func(model string, stream bool) (string, string) {
		return "/v1/messages", fmt.Sprintf(`{"model":%q,"stream":%v,"max_tokens":1000,"messages":[{"role":"user","content":"How is it in Oslo?"}],"tools":[{"name":"look","input_schema":%s}]}`, model, stream, lookSchema)
	},
	"gemini": func(model string, stream bool) (string, string) {
		way := ":generateContent"
		if stream {
			way = ":streamGenerateContent?alt=sse"
		}
		return "/v1beta/models/" + model + way, fmt.Sprintf(`{"contents":[{"role":"user","parts":[{"text":"How is it in Oslo?"}]}],"tools":[{"functionDeclarations":[{"name":"look","parametersJsonSchema":%s}]}]}`, lookSchema)
	},
	"ollama": func(model string, stream bool) (string, string) {
		return "/api/chat", fmt.Sprintf(`{"model":%q,"stream":%v,"messages":[{"role":"user","content":"How is it in Oslo?"}],"tools":[%s]}`, model, stream, lookTool)
	},
}

const lookSchema = `{"type":"object","properties":{"city":{"type":"string"}},"required":["city"]}`

// everyDoor runs a test for each API, whole and streamed.
func everyDoor(t *testing.T, run func(t *testing.T, ask func(model string) (path, body string))) {
	for name, door := range doors {
		for _, stream := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s/%v", name, stream), func(t *testing.T) {
				run(t, func(model string) (string, string) { return door(model, stream) })
			})
		}
	}
}

var reportIDs = regexp.MustCompile(`rep_[0-9a-f-]+`)

// reported is the report of an answer: the models that were asked, each with the kind of its failure, and the notes by their rules.
func (s *served) reported(answer string) (asked string, notes map[string]string) {
	s.t.Helper()
	text := s.do(http.MethodGet, "/callwright/reports/"+reportIDs.FindString(answer), "", nil)
	_, body, _ := strings.Cut(text, "\n")
	var rep struct {
		Attempts []struct{ Model, Kind string }
		Notes    []struct{ Rule, Now, Why string }
	}
	if err := json.Unmarshal([]byte(body), &rep); err != nil {
		s.t.Fatalf("%v: %s", err, text)
	}
	notes = map[string]string{}
	for _, at := range rep.Attempts {
		asked += strings.TrimSuffix(at.Model+":"+at.Kind, ":") + " "
	}
	for _, n := range rep.Notes {
		notes[n.Rule] += n.Now + ": " + n.Why
	}
	return strings.TrimSpace(asked), notes
}

// A group is asked as one model over every API, and the report says which member was chosen and why.
func TestGroupsOverEveryAPI(t *testing.T) {
	l := newLab(t)
	l.play(goodCall)
	g := serve(t, "discover: off\nproviders: {lab: {base_url: \""+l.URL+"/v1\", api_key: any}}\nmodels: {coder: {any: [lab/small, lab/m], prefer: order}, lab/small: {caps: {max_context: 10}}}\n", nil)
	defer g.end()
	everyDoor(t, func(t *testing.T, ask func(string) (string, string)) {
		path, body := ask("coder")
		answer := g.post(path, body, nil)
		asked, notes := g.reported(answer)
		if !strings.HasPrefix(answer, "200") || asked != "lab/m" || !strings.Contains(notes["plan.group"], "lab/m: order: the first member of the group that can answer; left out: lab/small (its context has 10 tokens, the request about") {
			t.Errorf("asked %s, notes %v: %s", asked, notes, answer)
		}
	})
	if list := g.do(http.MethodGet, "/v1/models", "", nil); !strings.Contains(list, `"id":"coder"`) {
		t.Errorf("the group is not listed: %s", list)
	}
	status, out, errs := command(t, toolRequest, "explain", "--config", (&scene{T: t, conf: "providers: {lab: {base_url: \"http://127.0.0.1:9/v1\"}}\nmodels: {coder: {any: [lab/a, lab/m], prefer: order}, lab/a: {caps: {max_tools: 0, tools: no}, mode: native}}\n", dir: t.TempDir()}).file(),
		"--model", "coder", "-")
	if status != exitDone || !strings.Contains(out, "plan.group") || !strings.Contains(out, "left out: lab/a (it supports tools in none of the configured modes)") {
		t.Errorf("explain: %d %s %s", status, out, errs)
	}
}

// A fallback for one kind of failures is asked after it and after no other, over every API.
func TestFallbacksByKindOverEveryAPI(t *testing.T) {
	l := newLab(t)
	g := serve(t, "discover: off\nproviders: {lab: {base_url: \""+l.URL+"/v1\", api_key: any, max_retries: 0, breaker: off, max_corrections: 1, retry_other_mode: false}}\n"+
		"models: {calls: {model: lab/a, fallbacks: [{model: lab/m, on: [invalid_call]}]}, down: {model: lab/a, fallbacks: [{model: lab/m, on: [unavailable]}]}}\n", nil)
	defer g.end()
	everyDoor(t, func(t *testing.T, ask func(string) (string, string)) {
		for _, c := range []struct {
			model   string
			answers []string
			want    string
		}{
			{"calls", []string{badCall, badCall, goodCall}, "lab/a lab/a lab/m"},
			{"calls", []string{"status 500"}, "lab/a:provider_error"},
			{"down", []string{"status 500", goodCall}, "lab/a:provider_error lab/m"},
			{"down", []string{badCall, badCall, goodCall}, "lab/a lab/a"},
		} {
			l.play(c.answers...)
			path, body := ask(c.model)
			answer := g.post(path, body, nil)
			asked, notes := g.reported(answer)
			if asked != c.want || (notes["plan.passed_over"] == "") != strings.HasSuffix(asked, "lab/m") {
				t.Errorf("%s after %v: asked %s, want %s; notes %v: %s", c.model, c.answers, asked, c.want, notes, answer)
			}
		}
	})
}

// A request whose time is over ends with 504 in the form of the client's API, or with the error event of its stream.
func TestTotalTimeOverEveryAPI(t *testing.T) {
	lab := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		if strings.Contains(string(body), `"stream":true`) && strings.Contains(string(body), `"model":"begins"`) {
			w.Header().Set("Content-Type", "text/event-stream")
			fmt.Fprint(w, `data: {"id":"c","choices":[{"index":0,"delta":{"role":"assistant","content":"Well"}}]}`+"\n\n")
			_ = http.NewResponseController(w).Flush()
		}
		<-r.Context().Done()
	}))
	defer lab.Close()
	g := serve(t, "discover: off\nproviders: {lab: {base_url: \""+lab.URL+"/v1\", api_key: any, timeouts: {total: 300ms}}}\nmodels: {m: {model: lab/silent}, n: {model: lab/begins}}\n", nil)
	defer g.end()
	everyDoor(t, func(t *testing.T, ask func(string) (string, string)) {
		path, body := ask("m")
		if answer := g.post(path, body, nil); !strings.HasPrefix(answer, "504") || !strings.Contains(answer, "timeouts.total") {
			t.Errorf("got %s", answer)
		}
		if !strings.Contains(path+body, "tream") || strings.Contains(body, `"stream":false`) || strings.Contains(path, ":generate") {
			return
		}
		path, body = ask("n")
		answer := g.post(path, body, nil)
		if !strings.HasPrefix(answer, "200") || !strings.Contains(answer, "Well") || !strings.Contains(answer, "timeouts.total") || !strings.Contains(answer, "error") {
			t.Errorf("got %s", answer)
		}
	})
}
