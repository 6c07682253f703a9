package bundle

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/internal/trace"
	"github.com/callwright/callwright/internal/version"
)

// versions are the versions of the programs that took part in a request, if they sent them.
type versions struct {
	Callwright version.Build     `json:"callwright"`
	Client     string            `json:"client,omitempty"`  // the User-Agent header
	Engines    map[string]string `json:"engines,omitempty"` // server name and build, by provider
}

func (m *maker) versions() versions {
	v := versions{Callwright: version.This(), Client: m.asked.Header["User-Agent"], Engines: map[string]string{}}
	for i := range m.entries {
		e := &m.entries[i]
		if e.Kind != trace.KindReceived {
			continue
		}
		if r, err := e.ProviderAnswer(); err == nil {
			if name := engineOf(r); name != "" {
				v.Engines[r.Provider] = name
			}
		}
	}
	return v
}

// engineOf returns the name and the build of the server that responded: the Server header, and the build in the
// response of servers such as llama-server
// (https://github.com/ggml-org/llama.cpp/blob/master/tools/server/server-task.cpp).
func engineOf(r *trace.Received) string {
	var parts []string
	if s := r.Header.Get("Server"); s != "" {
		parts = append(parts, s)
	}
	for line := range bytes.Lines(r.Body) {
		line = jsonx.Trim(bytes.TrimPrefix(line, []byte("data:")))
		if !jsonx.IsObject(line) || jsonx.Valid(line) != nil {
			continue
		}
		if value, ok := jsonx.Find(line, "system_fingerprint"); ok {
			if text, ok := jsonx.String(value); ok && text != "" {
				parts = append(parts, "build "+text)
			}
		}
		break
	}
	return strings.Join(parts, ", ")
}

// A modelFacts contains the facts that were known about a model when the request was made.
type modelFacts struct {
	Model callwright.ModelID `json:"model"`
	Facts []modelFact        `json:"facts"`
}

// A modelFact is a fact about a model, such as its context size, with its source.
type modelFact struct {
	Key    string `json:"key"`
	Value  string `json:"value"`
	Source string `json:"source,omitempty"`
}

// model returns the known facts about each model that could receive the request.
func (m *maker) model() []modelFacts {
	out := []modelFacts{}
	for i := range m.entries {
		e := &m.entries[i]
		if e.Kind != trace.KindModel || !json.Valid(e.Data) {
			continue
		}
		all, err := e.Facts()
		if err != nil {
			continue
		}
		out = out[:0]
		for _, id := range slices.Sorted(maps.Keys(all)) {
			one := modelFacts{Model: id}
			for _, f := range all[id] {
				one.Facts = append(one.Facts, modelFact{f.Key, f.Value, fmt.Sprint(f.Source)})
			}
			out = append(out, one)
		}
	}
	return out
}
