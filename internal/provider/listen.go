package provider

import (
	"net"
	"slices"
)

// An engine is an inference server that people run on their own machine.
type engine struct {
	name  string
	port  string   // that it listens on where nothing else is said
	rows  []string // the providers of the table that are it
	start string   // the command that starts it
	pull  string   // the command that gets a model, with {model} for its name; empty where there is none
}

var engines = []engine{
	{"Ollama", "11434", []string{"ollama", "ollama-openai"}, "ollama serve", "ollama pull {model}"},
	{"llama-server", "8080", []string{"llamacpp"}, "llama-server --jinja -m MODEL.gguf", ""},
	{"vLLM", "8000", []string{"vllm"}, "vllm serve MODEL", ""},
	{"LM Studio", "1234", []string{"lmstudio"}, "lms server start", ""},
	{"SGLang", "30000", []string{"sglang"}, "python -m sglang.launch_server --model-path MODEL", ""},
}

// engine returns the engine that a provider on this machine is: by its name in the table, else by its port. It is nil
// for an unknown one.
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

// nothingListens returns the message of a connection that was refused. An address is named where everybody knows it:
// the usual one of an engine on this machine, or that of the table. Others are those of the operator, and clients read
// the message too.
func (p *Provider) nothingListens() string {
	e := p.engine()
	if isLoopback(p.base.Hostname()) && e != nil && e.port == p.base.Port() || !isLoopback(p.base.Hostname()) && p.isShippedBase() {
		return p.NothingListens(p.base.Scheme + "://" + p.base.Host)
	}
	return p.NothingListens("its address")
}

// isShippedBase reports whether the base address is that of the table.
func (p *Provider) isShippedBase() bool {
	shipped := rowOf(p.cfg.Name, "").Base
	return shipped != "" && shipped == p.row.Base
}

// isLoopback reports whether a host is this machine.
func isLoopback(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

// A Server is a program that runs models on the user's own machine: its name, the command that starts it, and the one
// that gets a model, with {model} for its name. All are empty where it is not known, the last also where there is none.
type Server struct{ Title, Start, Pull string }

// Server returns the server that the provider is, where it is one on this machine.
func (p *Provider) Server() Server {
	if e := p.engine(); e != nil && isLoopback(p.base.Hostname()) {
		return Server{e.name, e.start, e.pull}
	}
	return Server{}
}
