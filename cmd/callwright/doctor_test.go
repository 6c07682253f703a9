package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/simulate"
	"golang.org/x/tools/txtar"
)

// A strictAPI is an API as its own maker serves it: where requests go, the profile that they are held to, the members that a
// conversation needs to be a request, and the name of its list.
type strictAPI struct{ wire, profile, path, list, members string }

const (
	chatTools  = `"tools":[{"type":"function","function":{"name":"get_weather"}},{"type":"function","function":{"name":"look"}}]`
	noSettings = `"type":"object","properties":{"city":{"type":"string"}}`
)

var strictAPIs = []strictAPI{
	{simulate.OpenAI, "openai", "/v1/chat/completions", "messages", `"model":"m",` + chatTools},
	{simulate.Responses, "openai", "/v1/responses", "input", `"model":"m","store":false,"tools":[{"type":"function","name":"get_weather","strict":false},{"type":"function","name":"look","strict":false}]`},
	{simulate.Anthropic, "anthropic-4.5", "/v1/messages", "messages", `"model":"m","max_tokens":100,"tools":[{"name":"get_weather","input_schema":{` + noSettings + `}},{"name":"look","input_schema":{` + noSettings + `}}]`},
	{simulate.Gemini, "gemini-3", "/v1beta/models/m:generateContent", "contents", `"tools":[{"functionDeclarations":[{"name":"get_weather"},{"name":"look"}]}]`},
	{simulate.Ollama, "ollama", "/api/chat", "messages", `"model":"m",` + chatTools},
}

// request is a conversation, or the list of one, as a request.
func (s strictAPI) request(conversation []byte) []byte {
	if jsonx.IsArray(conversation) {
		conversation = fmt.Appendf(nil, "{%q:%s}", s.list, conversation)
	}
	return append([]byte("{"+s.members+","), bytes.TrimSpace(conversation)[1:]...)
}

// refusal is what the server says against a request that it refuses.
func (s strictAPI) refusal(body []byte) string {
	server := simulate.New(func(simulate.Seen) simulate.Turn { return simulate.Turn{Text: "Fine."} }, simulate.Strict(s.profile))
	w := httptest.NewRecorder()
	r := httptest.NewRequest(http.MethodPost, s.path, bytes.NewReader(body))
	r.Header.Set("Anthropic-Version", "2023-06-01")
	server.ServeHTTP(w, r)
	if w.Code == http.StatusOK {
		return ""
	}
	return w.Body.String()
}

// A poison is a conversation with what some API, or some model, refuses.
type poison struct {
	name, fault string
	to, model   string // for whom it is poison
	text        []byte
}

// poisons reads the conversations of a wire; the healthy one stands apart.
func poisons(t *testing.T, wire string) (healthy []byte, sick []poison) {
	t.Helper()
	file, err := txtar.ParseFile(filepath.Join("testdata", "doctor", wire+".txtar"))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range file.Files {
		if f.Name == "healthy" {
			healthy = f.Data
			continue
		}
		words := strings.Fields(f.Name)
		p := poison{name: f.Name, fault: words[0], to: wire, text: f.Data}
		to, model, named := strings.Cut(words[1], ":")
		switch {
		case named:
			p.to, p.model = to, model
		case strings.Contains(to, "/"):
			p.model = to
		case slices.ContainsFunc(strictAPIs, func(s strictAPI) bool { return s.wire == to }):
			p.to = to
		}
		sick = append(sick, p)
	}
	return healthy, sick
}

// treated is what doctor says of a conversation.
type treated struct {
	Wire, To     string
	Findings     []callwright.Note
	Conversation json.RawMessage
}

func (d *treated) has(fault string) bool {
	return slices.ContainsFunc(d.Findings, func(n callwright.Note) bool { return n.Fault == fault })
}

func doctor(t *testing.T, text []byte, args ...string) treated {
	t.Helper()
	file := filepath.Join(t.TempDir(), "saved.json")
	if err := os.WriteFile(file, text, 0o600); err != nil {
		t.Fatal(err)
	}
	var out, errs bytes.Buffer
	none := func(string) (string, bool) { return "", false }
	if status := run(t.Context(), append([]string{"doctor", "--json", file}, args...), streams{in: strings.NewReader(""), out: &out, err: &errs}, none); status != exitDone {
		t.Fatalf("status %d: %s", status, errs.String())
	}
	var d treated
	if err := json.Unmarshal(out.Bytes(), &d); err != nil {
		t.Fatal(err)
	}
	if now, err := os.ReadFile(file); err != nil || !bytes.Equal(now, text) {
		t.Errorf("the file was changed: %v", err)
	}
	for _, n := range d.Findings {
		if n.Rule == "" || n.Why == "" {
			t.Errorf("a finding without a rule or a reason: %+v", n)
		}
		checkPlace(t, text, n)
	}
	return d
}

// checkPlace checks that a finding's path leads somewhere in what was read.
func checkPlace(t *testing.T, text []byte, n callwright.Note) {
	t.Helper()
	v := bytes.TrimSpace(text)
	if !strings.HasPrefix(n.Rule, "history.") || n.Rule == "history.declared_tools" {
		return
	}
	for _, step := range strings.Split(n.Path, "/")[1:] {
		if jsonx.IsArray(v) {
			i := 0
			for e := range jsonx.Elements(v) {
				if fmt.Sprint(i) == step {
					v, step = e, ""
					break
				}
				i++
			}
			if step != "" {
				t.Errorf("%s: %s leads nowhere", n.Rule, n.Path)
				return
			}
			continue
		}
		next, ok := jsonx.Find(v, step)
		if !ok {
			t.Errorf("%s: %s leads nowhere", n.Rule, n.Path)
			return
		}
		v = next
	}
}

// Every class of poison is found and named, and what comes out is taken by every API.
func TestDoctorMendsEachClass(t *testing.T) {
	needsLong(t)
	for _, from := range strictAPIs {
		_, sick := poisons(t, from.wire)
		for _, p := range sick {
			t.Run(from.wire+"/"+p.name, func(t *testing.T) {
				for _, to := range strictAPIs {
					args := []string{"--wire", from.wire, "--to", to.wire}
					if p.to == to.wire && p.model != "" {
						provider, _ := callwright.ModelID(p.model).Split()
						to.profile, args = string(provider), append(args, "--model", p.model)
					}
					d := doctor(t, p.text, args...)
					if d.Wire != from.wire || d.To != to.wire {
						t.Errorf("read as %s, written as %s", d.Wire, d.To)
					}
					if why := to.refusal(to.request(d.Conversation)); why != "" {
						t.Errorf("%s refuses\n%s\n%s", to.wire, d.Conversation, why)
					}
					if p.to == to.wire && !d.has(p.fault) {
						t.Errorf("%s is not named for %s: %+v", p.fault, to.wire, d.Findings)
					}
				}
			})
		}
	}
}

// A conversation with all of it is mended too, as the body of a request.
func TestDoctorMendsAllAtOnce(t *testing.T) {
	needsLong(t)
	for _, from := range strictAPIs {
		_, sick := poisons(t, from.wire)
		var all, last [][]byte
		for _, p := range sick {
			list := bytes.TrimSpace(p.text)
			if list = list[1 : len(list)-1]; p.fault == "F51" { // only calls since the last question need their signatures
				last = append(last, list)
			} else {
				all = append(all, list)
			}
		}
		text := from.request(fmt.Appendf(nil, "[%s]", bytes.Join(append(all, last...), []byte(","))))
		if from.refusal(text) == "" {
			if from.wire != simulate.Ollama { // which refuses little
				t.Errorf("%s takes it as it is", from.wire)
			}
		}
		for _, to := range strictAPIs {
			t.Run(from.wire+" to "+to.wire, func(t *testing.T) {
				d := doctor(t, text, "--to", to.wire)
				if from.wire == simulate.Gemini && to.wire != simulate.Gemini { // whose requests name no model
					d.Conversation = append([]byte(`{"model":"m",`), d.Conversation[1:]...)
				}
				if why := to.refusal(d.Conversation); why != "" {
					t.Errorf("%s refuses\n%s\n%s", to.wire, d.Conversation, why)
				}
				for _, p := range sick {
					if p.to == to.wire && p.model == "" && !d.has(p.fault) {
						t.Errorf("%s is not named", p.name)
					}
				}
			})
		}
	}
}

// A sound conversation comes out byte for byte, whole or as a list alone, and translations of it are taken.
func TestDoctorLeavesHealthyAlone(t *testing.T) {
	needsLong(t)
	for _, from := range strictAPIs {
		t.Run(from.wire, func(t *testing.T) {
			healthy, _ := poisons(t, from.wire)
			list, _ := jsonx.Find(healthy, from.list)
			for _, text := range [][]byte{healthy, list} {
				d := doctor(t, text)
				if len(d.Findings) > 0 || !bytes.Equal(d.Conversation, bytes.TrimSpace(text)) {
					t.Errorf("%+v\n%s", d.Findings, d.Conversation)
				}
			}
			for _, to := range strictAPIs {
				d := doctor(t, list, "--to", to.wire)
				if why := to.refusal(to.request(d.Conversation)); why != "" {
					t.Errorf("%s refuses\n%s\n%s", to.wire, d.Conversation, why)
				}
			}
		})
	}
}
