package gateway_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/gateway"
	"github.com/callwright/callwright/internal/wire/codecs"
	"github.com/callwright/callwright/simulate"
)

// clientKey is the key that the requests of clients present, each in its own place.
const clientKey = "client-key"

// TestClients sends the requests of known clients, as they make them, to providers of every wire that are strict about
// theirs. Each file of testdata/clients is one request:
//
//	request    its first line and its headers; MODEL is the model's name, in the body too
//	body.json
//	turn.json  what the model does: a text, reasoning and calls of tools by the ends of their names
//	seen       what the model sees, of whatever wire; what that is on one wire alone is in seen-WIRE
//	answer     lines that are in what the client gets, or are not where they begin with an exclamation mark; answer-WIRE as above
//
// With -update seen is written anew.
func TestClients(t *testing.T) {
	files, err := filepath.Glob(filepath.Join("testdata", "clients", "*.txtar"))
	if err != nil || len(files) == 0 {
		t.Fatalf("expected requests of clients: %v", err)
	}
	for _, path := range files {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".txtar"), func(t *testing.T) {
			a, err := txtar.ParseFile(path)
			if err != nil {
				t.Fatal(err)
			}
			c := &clientCase{path: path, archive: a}
			if turn := c.file("turn.json"); json.Unmarshal(turn, &c.turn) != nil {
				t.Fatalf("not a turn: %s", turn)
			}
			fake := simulate.New(c.play, simulate.Piece(200))
			url := serve(t, gateway.Config{Models: models(t, fake), Keys: []string{clientKey}}).URL
			seen := map[callwright.WireName]string{}
			for _, far := range codecs.All() {
				c.ask(t, url, far.Name())
				requests := fake.Requests()
				seen[far.Name()] = inWords(&requests[len(requests)-1])
			}
			c.want(t, seen)
		})
	}
}

// A clientCase is the request of one client.
type clientCase struct {
	path    string
	archive *txtar.Archive
	turn    struct {
		Text, Reasoning string
		Calls           []struct {
			Name      string
			Arguments json.RawMessage
			Input     string
		}
	}
}

func (c *clientCase) file(name string) []byte {
	for _, f := range c.archive.Files {
		if f.Name == name {
			return f.Data
		}
	}
	return nil
}

// fileFor returns the file for a provider's wire, where it has one of its own.
func (c *clientCase) fileFor(name string, far callwright.WireName) []byte {
	if own := c.file(name + "-" + string(far)); own != nil {
		return own
	}
	return c.file(name)
}

// play returns what the model does. The input of a custom tool is an argument where its wire knows no such tools.
func (c *clientCase) play(req simulate.Seen) simulate.Turn {
	turn := simulate.Turn{Text: c.turn.Text, Reasoning: c.turn.Reasoning}
	for _, call := range c.turn.Calls {
		i := slices.IndexFunc(req.Tools, func(name string) bool { return strings.HasSuffix(name, call.Name) })
		if i < 0 {
			return simulate.Turn{Text: "There is no tool " + call.Name}
		}
		name, args := req.Tools[i], string(call.Arguments)
		var schema struct {
			Properties map[string]json.RawMessage
		}
		if call.Input != "" {
			args = call.Input
			if json.Unmarshal(req.Schema(name), &schema) == nil {
				for key := range schema.Properties {
					wrapped, _ := json.Marshal(map[string]string{key: call.Input})
					args = string(wrapped)
				}
			}
		}
		turn.Calls = append(turn.Calls, simulate.Call{Name: name, Arguments: args})
	}
	return turn
}

// strictModels are models whose servers check what all models behind a wire share.
var strictModels = map[callwright.WireName]string{
	callwright.WireOpenAI: "strict-openai", callwright.WireResponses: "strict-openai", callwright.WireAnthropic: "strict-anthropic",
	callwright.WireGemini: "strict-gemini", callwright.WireOllama: "strict-ollama",
}

// ask sends the request to a provider of a wire and looks at the answer.
func (c *clientCase) ask(t *testing.T, url string, far callwright.WireName) {
	t.Helper()
	named := strings.NewReplacer("MODEL", string(far)+"/"+strictModels[far])
	lines := strings.Split(strings.TrimSpace(named.Replace(string(c.file("request")))), "\n")
	path := strings.TrimPrefix(lines[0], "POST ")
	var header []string
	for _, line := range lines[1:] {
		name, value, _ := strings.Cut(line, ":")
		header = append(header, name, strings.TrimSpace(value))
	}
	if strings.HasPrefix(path, "/api/") { // Ollama's clients have no key of their own
		header = append(header, "Authorization", "Bearer "+clientKey)
	}
	body := named.Replace(string(c.file("body.json")))
	got := post(t, url+path, body, header...)
	if got.status != http.StatusOK || got.err != nil {
		t.Fatalf("%s: got %d, %v: %s", far, got.status, got.err, got.body)
	}
	client := wireAt(path)
	stream := got.header.Get("Content-Type") != "application/json" || strings.Contains(path, "streamGenerateContent")
	complain(t, string(far), complaintsOf(client, stream, strings.Contains(body, `"include_usage"`), &got), &got)
	for line := range strings.Lines(string(c.fileFor("answer", far))) {
		word, not := strings.CutPrefix(strings.TrimSuffix(line, "\n"), "!")
		if strings.Contains(got.body, word) == not {
			t.Errorf("%s: %s is in the answer: %t, in %s", far, word, not, got.body)
		}
	}
}

// wireAt returns the wire of the clients that come to a path.
func wireAt(path string) callwright.WireName {
	for wire, a := range askers {
		if strings.HasPrefix(path, a.path) {
			return wire
		}
	}
	return callwright.WireGemini
}

// inWords returns what a model sees of a request: results first, as they stand there on every wire.
func inWords(req *simulate.Seen) string {
	var b strings.Builder
	say := func(what, text string) {
		if text != "" {
			fmt.Fprintf(&b, "%s %q\n", what, text)
		}
	}
	say("system", req.System)
	for _, m := range req.History {
		for _, r := range m.Results {
			say(map[bool]string{false: "result", true: "failed"}[r.Error], r.Text)
		}
		say(m.Role, m.Text)
		for _, call := range m.Calls {
			var args bytes.Buffer
			if json.Compact(&args, []byte(call.Arguments)) != nil {
				args.WriteString(call.Arguments)
			}
			say("call "+call.Name, args.String())
		}
	}
	for _, tool := range req.Tools {
		var schema struct {
			Properties map[string]json.RawMessage
		}
		_ = json.Unmarshal(req.Schema(tool), &schema)
		fmt.Fprintf(&b, "tool %s %q\n", tool, slices.Sorted(maps.Keys(schema.Properties)))
	}
	fmt.Fprintf(&b, "choice %s serial %t thinks %t\n", req.Choice, req.Serial, req.Thinks)
	return b.String()
}

// want compares what the models saw with the file, or writes it.
func (c *clientCase) want(t *testing.T, seen map[callwright.WireName]string) {
	t.Helper()
	if flag.Lookup("update").Value.String() == "true" {
		c.update(t, seen)
		return
	}
	for wire, got := range seen {
		if diff := cmp.Diff(string(c.fileFor("seen", wire)), got); diff != "" {
			t.Errorf("%s sees (-want +got):\n%s", wire, diff)
		}
	}
}

// update writes what most wires saw, and what others saw otherwise.
func (c *clientCase) update(t *testing.T, seen map[callwright.WireName]string) {
	t.Helper()
	count, most := map[string]int{}, ""
	for _, wire := range slices.Sorted(maps.Keys(seen)) {
		if count[seen[wire]]++; count[seen[wire]] > count[most] {
			most = seen[wire]
		}
	}
	files := slices.DeleteFunc(c.archive.Files, func(f txtar.File) bool { return strings.HasPrefix(f.Name, "seen") })
	files = append(files, txtar.File{Name: "seen", Data: []byte(most)})
	for _, wire := range slices.Sorted(maps.Keys(seen)) {
		if seen[wire] != most {
			files = append(files, txtar.File{Name: "seen-" + string(wire), Data: []byte(seen[wire])})
		}
	}
	c.archive.Files = files
	if err := os.WriteFile(c.path, txtar.Format(c.archive), 0o644); err != nil {
		t.Fatal(err)
	}
}
