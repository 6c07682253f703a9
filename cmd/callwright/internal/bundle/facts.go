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

// versions are the programs that took part, as far as they name themselves.
type versions struct {
	Callwright version.Build     `json:"callwright"`
	Client     string            `json:"client,omitempty"`  // the user agent
	Engines    map[string]string `json:"engines,omitempty"` // by provider: how its server names itself
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

// engineOf is the name and the build of the server that answered: the field Server of the header, and the build that
// servers such as llama-server put into their answers
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

// A modelFacts holds the known facts of a model when the request was made.
type modelFacts struct {
	Model callwright.ModelID `json:"model"`
	Facts []modelFact        `json:"facts"`
}

// A modelFact is a fact with its source.
type modelFact struct {
	Key    string `json:"key"`
	Value  string `json:"value"`
	Source string `json:"source,omitempty"`
}

// model returns the known facts of each model that the request may be sent to, by its name.
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
