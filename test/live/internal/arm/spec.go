// Package arm asks models questions in the ways that are compared: directly at the server, and through a gateway with
// its settings, over every API of clients.
package arm

import (
	"fmt"
	"slices"
	"strings"

	"github.com/callwright/callwright/dialect"
)

// The kinds of arms.
const (
	Direct = "direct" // the server's own API, without a gateway
	Off    = "off"    // a gateway with the policy off
	Auto   = "auto"   // a gateway without settings
)

// Kinds are all kinds: the rest are modes of the gateway.
var Kinds = []string{Direct, Off, Auto, "native", "json_schema", "json_object", "text"}

// Clients are the APIs of clients, the default first.
var Clients = []string{"openai", "responses", "anthropic", "gemini", "ollama"}

// The engines, the default first.
const (
	Llama  = "llama-server"
	Ollama = "ollama"
)

// A Spec says how questions are asked.
type Spec struct {
	Kind    string
	Dialect string // of text mode, empty for the one of the model's family
	Client  string // one of Clients
	Stream  bool
	Free    bool // answers are decoded without a grammar, as by engines that take none
	Words   bool // self-corrections change nothing but words
	Engine  string
}

// List reads arms with commas between. The words modes, dialects, clients and streams stand for every mode, text mode
// with every dialect that can be written, auto over every API, and auto streamed over every API.
func List(text string) (out []Spec, err error) {
	for name := range strings.SplitSeq(text, ",") {
		names := []string{name}
		switch name {
		case "modes":
			names = Kinds[3:]
		case "dialects":
			names = nil
			for _, f := range dialect.Formats() {
				if f.Renders() {
					names = append(names, "text:"+f.Name)
				}
			}
		case "clients", "streams":
			names = nil
			for _, c := range Clients {
				names = append(names, Auto+"/"+c+map[string]string{"streams": "/stream"}[name])
			}
		}
		for _, name := range names {
			s, err := Parse(name)
			if err != nil {
				return nil, err
			}
			if !slices.Contains(out, s) {
				out = append(out, s)
			}
		}
	}
	return out, nil
}

// Parse reads a Spec as String writes it.
func Parse(text string) (Spec, error) {
	s := Spec{Client: Clients[0], Engine: Llama}
	rest, engine, other := strings.Cut(text, "@")
	if other {
		if engine != Ollama {
			return s, fmt.Errorf("arm %s: the engine is %q, expected %s", text, engine, Ollama)
		}
		s.Engine = engine
	}
	parts := strings.Split(rest, "/")
	s.Kind, s.Dialect, _ = strings.Cut(parts[0], ":")
	if !slices.Contains(Kinds, s.Kind) {
		return s, fmt.Errorf("arm %s: the kind is %q, expected one of %s", text, s.Kind, strings.Join(Kinds, ", "))
	}
	if s.Dialect != "" && s.Kind != "text" {
		return s, fmt.Errorf("arm %s: only text takes a dialect", text)
	}
	for _, p := range parts[1:] {
		switch {
		case p == "stream":
			s.Stream = true
		case p == "free" && s.Kind != Direct:
			s.Free = true
		case p == "words" && s.Kind != Direct:
			s.Words = true
		case slices.Contains(Clients, p):
			s.Client = p
		default:
			return s, fmt.Errorf("arm %s: %q is neither stream, free, words nor one of %s", text, p, strings.Join(Clients, ", "))
		}
	}
	if s.Kind == Direct && s.Client != Clients[0] {
		return s, fmt.Errorf("arm %s: a server is asked directly over %s alone", text, Clients[0])
	}
	return s, nil
}

// String writes a Spec: KIND[:DIALECT][/CLIENT][/stream][/free][/words][@ollama].
func (s Spec) String() string {
	text := s.Kind
	if s.Dialect != "" {
		text += ":" + s.Dialect
	}
	if s.Client != Clients[0] {
		text += "/" + s.Client
	}
	if s.Stream {
		text += "/stream"
	}
	if s.Free {
		text += "/free"
	}
	if s.Words {
		text += "/words"
	}
	if s.Engine != Llama {
		text += "@" + s.Engine
	}
	return text
}
