package provider

import (
	"net"
	"slices"
)

// An engine is an inference server that runs on the user's machine.
type engine struct {
	name  string
	port  string   // its default port
	rows  []string // names of the built-in providers that are this engine
	start string   // the command that starts it
	pull  string   // the command that downloads a model, with {model} for its name; "" for none
}

var engines = []engine{
	{"Ollama", "11434", []string{"ollama", "ollama-openai"}, "ollama serve", "ollama pull {model}"},
	{"llama-server", "8080", []string{"llamacpp"}, "llama-server --jinja -m MODEL.gguf", ""},
	{"vLLM", "8000", []string{"vllm"}, "vllm serve MODEL", ""},
	{"LM Studio", "1234", []string{"lmstudio"}, "lms server start", ""},
	{"SGLang", "30000", []string{"sglang"}, "python -m sglang.launch_server --model-path MODEL", ""},
}

// engine returns the engine of the provider, by its name in the table or else by its port. It returns nil for an
// unknown one.
func (p *Provider) engine() *engine {
	at := slices.IndexFunc(engines, func(e engine) bool { return slices.Contains(e.rows, p.cfg.Name) })
	if at < 0 {
		at = slices.IndexFunc(engines, func(e engine) bool { return e.port == p.base.Port() })
	}
	if at < 0 {
		return nil
	}
	return &engines[at]
}

// nothingListens returns the message for a refused connection. It contains the address only if that is public
// knowledge: the default address of an engine or the built-in address of the provider. Clients can read the message,
// and must not learn other addresses.
func (p *Provider) nothingListens() string {
	e := p.engine()
	if isLoopback(p.base.Hostname()) && e != nil && e.port == p.base.Port() || !isLoopback(p.base.Hostname()) && p.isShippedBase() {
		return p.NothingListens(p.base.Scheme + "://" + p.base.Host)
	}
	return p.NothingListens("its address")
}

// isShippedBase reports whether the base address is the built-in one.
func (p *Provider) isShippedBase() bool {
	shipped := rowOf(p.cfg.Name, "").Base
	return shipped != "" && shipped == p.row.Base
}

// isLoopback reports whether a host is "localhost" or a loopback address.
func isLoopback(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

// A Server is an inference server on the user's machine: its name, the command that starts it, and the command that
// downloads a model, with {model} for its name. The fields are empty if unknown. Pull is also empty if there is no such
// command.
type Server struct{ Title, Start, Pull string }

// Server returns the inference server of a provider at loopback, or the zero Server if it is unknown.
func (p *Provider) Server() Server {
	if e := p.engine(); e != nil && isLoopback(p.base.Hostname()) {
		return Server{e.name, e.start, e.pull}
	}
	return Server{}
}
