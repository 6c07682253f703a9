package main

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/callwright/callwright/internal/longtest"
	"github.com/callwright/callwright/internal/recorded"
	"github.com/callwright/callwright/simulate"
)

// recordedCorpus has what models really wrote; it may not be there.
const recordedCorpus = "../../../shared/corpus/bfcl"

// A recordedCase is a text of a model with the tools that it was given.
type recordedCase struct {
	ID    string          `json:"id"`
	Text  string          `json:"text"`
	Tools json.RawMessage `json:"tools"`
}

// zippedLines decodes the lines of a compressed file.
func zippedLines(t *testing.T, path string) []recordedCase {
	t.Helper()
	file, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		t.Skip("no recorded texts")
	}
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	zip, err := gzip.NewReader(file)
	if err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(zip)
	lines.Buffer(nil, 1<<22)
	var out []recordedCase
	for lines.Scan() {
		var c recordedCase
		if err := json.Unmarshal(lines.Bytes(), &c); err != nil {
			t.Fatal(err)
		}
		out = append(out, c)
	}
	return out
}

// What models really wrote, played by the simulator behind the gateway, gives the calls that reading the texts gives: for every text of every model,
// and so in every score.
func TestRecordedTextsThroughTheGateway(t *testing.T) {
	tools := map[string]json.RawMessage{}
	for _, q := range zippedLines(t, filepath.Join(recordedCorpus, "questions.jsonl.gz")) {
		tools[q.ID] = q.Tools
	}
	files, err := filepath.Glob(filepath.Join(recordedCorpus, "*.jsonl.gz"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		model := strings.TrimSuffix(filepath.Base(file), ".jsonl.gz")
		if model == "questions" {
			continue
		}
		t.Run(model, func(t *testing.T) {
			cases := some(zippedLines(t, file))
			for i := range cases {
				cases[i].Tools = tools[cases[i].ID]
			}
			read, played := parsedCalls(t, model, cases), servedCalls(t, model, cases)
			for _, c := range cases {
				if read[c.ID] != played[c.ID] {
					t.Errorf("%s: the gateway gives %s, parse %s for\n%s", c.ID, played[c.ID], read[c.ID], c.Text)
				}
			}
		})
	}
}

// some returns every eighth of the cases, in short runs every sixtieth, and all with -whole.
func some(cases []recordedCase) []recordedCase {
	step := 8
	switch {
	case *wholeTests:
		return cases
	case !longtest.IsEnabled():
		step = 60
	}
	var out []recordedCase
	for i := 0; i < len(cases); i += step {
		out = append(out, cases[i])
	}
	return out
}

// callsText writes calls so that equal ones are equal texts.
func callsText(t *testing.T, names []string, args []json.RawMessage) string {
	t.Helper()
	var b bytes.Buffer
	for i := range names {
		b.WriteString(names[i] + " ")
		if err := json.Compact(&b, args[i]); err != nil {
			t.Fatalf("%s: %v", args[i], err)
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// parsedCalls gives the calls that parse --batch reads, by the ids of the cases.
func parsedCalls(t *testing.T, model string, cases []recordedCase) map[string]string {
	t.Helper()
	var in, out bytes.Buffer
	for _, c := range cases {
		line, err := json.Marshal(map[string]any{"id": c.ID, "text": c.Text, "tools": c.Tools, "model": model})
		if err != nil {
			t.Fatal(err)
		}
		in.Write(append(line, '\n'))
	}
	if code := run(context.Background(), []string{"parse", "--batch"}, streams{in: &in, out: &out, err: io.Discard}, func(string) (string, bool) { return "", false }); code != exitDone {
		t.Fatalf("parse --batch: exit status %d", code)
	}
	got := map[string]string{}
	for line := range bytes.Lines(out.Bytes()) {
		var one struct {
			ID    string
			Calls []struct {
				Name      string
				Arguments json.RawMessage
			}
		}
		if err := json.Unmarshal(line, &one); err != nil {
			t.Fatal(err)
		}
		var names []string
		var args []json.RawMessage
		for _, c := range one.Calls {
			names, args = append(names, c.Name), append(args, c.Arguments)
		}
		got[one.ID] = callsText(t, names, args)
	}
	return got
}

// servedCalls gives the calls that a client of the gateway gets, behind which the simulator plays the texts.
func servedCalls(t *testing.T, model string, cases []recordedCase) map[string]string {
	t.Helper()
	var recordings []recorded.Answer
	for _, c := range cases {
		recordings = append(recordings, recorded.Answer{Prompt: c.ID, Text: c.Text})
	}
	llm := httptest.NewServer(simulate.New(recorded.Script(recordings), simulate.AnyNames()))
	t.Cleanup(llm.Close)
	s := serve(t, "providers: {lab: {wire: openai, base_url: "+llm.URL+"/v1, max_corrections: 0}}", nil, "--log-level", "error")
	go func() {
		for s.lines.Scan() { // a log that nobody reads holds the gateway
		}
	}()
	got := map[string]string{}
	for _, c := range cases {
		body, err := json.Marshal(map[string]any{"model": "lab/" + model, "tools": c.Tools, "messages": []any{map[string]string{"role": "user", "content": c.ID}}})
		if err != nil {
			t.Fatal(err)
		}
		req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, s.url+"/v1/chat/completions", bytes.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		resp, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		var answer struct {
			Choices []struct {
				Message struct {
					ToolCalls []struct {
						Function struct{ Name, Arguments string }
					} `json:"tool_calls"`
				}
			}
		}
		err = json.NewDecoder(resp.Body).Decode(&answer)
		_ = resp.Body.Close()
		if err != nil {
			t.Fatal(err)
		}
		var names []string
		var args []json.RawMessage
		for _, choice := range answer.Choices {
			for _, call := range choice.Message.ToolCalls {
				names, args = append(names, call.Function.Name), append(args, json.RawMessage(call.Function.Arguments))
			}
		}
		got[c.ID] = callsText(t, names, args)
	}
	return got
}
