package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os/exec"
	"reflect"
	"slices"
	"strings"
	"time"
)

// A question asks a model with one fault for the weather in Oslo.
type question struct {
	class    string // such as F01
	fault    string // the name of the simulated model
	streamed bool
}

// withCall are the classes in which the call that was meant can be found in the first answer, and quoted the one in
// which no call is meant. Other classes need several turns, refuse the request or leave nothing to find.
var withCall = strings.Fields("F01 F02 F03 F04 F05 F06 F07 F08 F09 F10 F14 F15 F18 F19 F20 F21 F22 F23 F25 F26 F27 F28 F30 F31 F32 F57")

const quoted = "F11"

// notAsked are faults of those classes that mean no call, need another tool, or lose bytes that nobody can restore.
var notAsked = []string{"groq_failed-text", "finish-calls_without", "stringify-object", "xml_newline", "utf8_split-delta"}

// questions lists the questions for each gateway.
func (b *bench) questions(ctx context.Context) ([]question, error) {
	raw, err := exec.CommandContext(ctx, b.callwright, "simulate", "--list", "--json").Output()
	if err != nil {
		return nil, fmt.Errorf("callwright simulate --list: %w", err)
	}
	var list struct {
		Classes []struct {
			ID     string
			Faults []struct {
				Name  string
				Wires []string
			}
		}
	}
	if err := json.Unmarshal(raw, &list); err != nil {
		return nil, err
	}
	var out []question
	for _, c := range list.Classes {
		for _, f := range c.Faults {
			if c.ID != quoted && !slices.Contains(withCall, c.ID) || !slices.Contains(f.Wires, "openai") || slices.Contains(notAsked, f.Name) {
				continue
			}
			out = append(out, question{c.ID, f.Name, false}, question{c.ID, f.Name, true})
		}
	}
	return out, nil
}

// A call is a call of an answer: the name and the arguments as text.
type call struct{ name, arguments string }

type verdict string

const (
	right  verdict = "right"
	lost   verdict = "lost"
	wrong  verdict = "wrong"
	failed verdict = "error"
)

// types are the declared types of the arguments, as encoding/json decodes them.
var types = map[string]reflect.Kind{"city": reflect.String, "days": reflect.Float64, "hourly": reflect.Bool, "fields": reflect.Slice}

// judge compares the calls of an answer with the call that was meant.
func (q *question) judge(calls []call, err error) verdict {
	switch {
	case err != nil:
		return failed
	case q.class == quoted && len(calls) == 0:
		return right
	case q.class == quoted:
		return wrong
	case len(calls) == 0:
		return lost
	case len(calls) > 1 || calls[0].name != "get_weather":
		return wrong
	}
	var args map[string]any
	if json.Unmarshal([]byte(calls[0].arguments), &args) != nil || args["city"] != "Oslo" {
		return wrong
	}
	for name, v := range args {
		if types[name] != reflect.ValueOf(v).Kind() {
			return wrong
		}
	}
	return right
}

// A target is a gateway with OpenAI's API, or the model server itself.
type target struct {
	name, base, key string
	prefix          string // stands before the model's name
}

const request = `{"model":%q,"stream":%t,"messages":[{"role":"user","content":"What is the weather in Oslo?"}],"tools":[{"type":"function","function":{
"name":"get_weather","description":"The weather in a city.","parameters":{"type":"object","properties":{"city":{"type":"string"},"days":{"type":"integer"},
"hourly":{"type":"boolean"},"fields":{"type":"array","items":{"type":"string"}}},"required":["city"]}}}]}`

// ask sends a question and returns the calls of the answer.
func (t *target) ask(ctx context.Context, q question) ([]call, error) {
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	body := fmt.Sprintf(request, t.prefix+q.fault, q.streamed)
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, t.base+"/chat/completions", strings.NewReader(body))
	if err != nil {
		return nil, err
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Authorization", "Bearer "+t.key)
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		text, _ := io.ReadAll(io.LimitReader(resp.Body, 300))
		return nil, fmt.Errorf("status %d: %s", resp.StatusCode, text)
	}
	var a answer
	if !q.streamed {
		raw, err := io.ReadAll(resp.Body)
		if err != nil {
			return nil, err
		}
		err = a.add(raw)
		return a.calls, err
	}
	lines := bufio.NewScanner(resp.Body)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		data, ok := bytes.CutPrefix(lines.Bytes(), []byte("data:"))
		if data = bytes.TrimSpace(data); !ok || string(data) == "[DONE]" {
			continue
		}
		if err := a.add(data); err != nil {
			return a.calls, err
		}
	}
	return a.calls, lines.Err()
}

// An answer collects the calls of a completion or of the chunks of a stream.
type answer struct {
	calls []call
	at    map[int]int // places in calls by the index of the stream
}

// add reads a completion or a chunk. An error member is an error.
func (a *answer) add(raw []byte) error {
	type toolCall struct {
		Index    *int
		Function struct{ Name, Arguments string }
	}
	var chunk struct {
		Error   json.RawMessage
		Choices []struct {
			Message, Delta struct {
				Calls []toolCall `json:"tool_calls"`
			}
		}
	}
	if err := json.Unmarshal(raw, &chunk); err != nil {
		return err
	}
	if len(chunk.Error) > 0 && string(chunk.Error) != "null" {
		return fmt.Errorf("error in the answer: %s", chunk.Error)
	}
	for _, c := range chunk.Choices {
		for _, found := range c.Message.Calls {
			a.calls = append(a.calls, call{found.Function.Name, found.Function.Arguments})
		}
		for _, piece := range c.Delta.Calls {
			a.addPiece(piece.Index, piece.Function.Name, piece.Function.Arguments)
		}
	}
	return nil
}

// addPiece joins the pieces of a call by their index, as OpenAI's SDKs do.
func (a *answer) addPiece(index *int, name, arguments string) {
	i := 0
	if index != nil {
		i = *index
	}
	place, known := a.at[i]
	if !known {
		if a.at == nil {
			a.at = map[int]int{}
		}
		place = len(a.calls)
		a.at[i], a.calls = place, append(a.calls, call{})
	}
	a.calls[place].name += name
	a.calls[place].arguments += arguments
}
