package launch

import (
	"encoding/json"
	"fmt"
	"strings"
)

// An Agent is a coding agent and the way to point it at a gateway.
type Agent struct {
	Name    string // on the command line
	Title   string // as its makers write it
	Program string // of its executable
	Package string // at npm
	Roles   []Role // those beside RoleMain for which it can have a model of its own
	// Clear are the variables that would point the agent past the gateway: its environment has none of them.
	Clear []string
	// Setup returns the variables, arguments and files that point the agent at a target. It changes nothing.
	Setup func(Target) (Setup, error)
}

// Agents returns every agent, in the order in which they are listed.
func Agents() []Agent {
	return []Agent{claude, codex, gemini, qwen, opencode, cline, pi, copilot}
}

// AgentByName returns the agent of a name.
func AgentByName(name string) (Agent, bool) {
	for _, a := range Agents() {
		if a.Name == name {
			return a, true
		}
	}
	return Agent{}, false
}

// Install returns the command that installs the agent.
func (a Agent) Install() string { return "npm install -g " + a.Package }

// A Target is the gateway and the models of an agent.
type Target struct {
	Address string // of the gateway, such as http://127.0.0.1:8787
	Key     string // that the gateway takes; any word where it asks for none
	Models  Models
	Folder  string // of the session, for files
	// ReadFile reads a file of the machine whose contents a setup keeps.
	ReadFile func(path string) ([]byte, error)
	// Env looks up a variable of the environment that the agent would have without a setup.
	Env func(name string) (value string, ok bool)
}

// A Setup points an agent at a target.
type Setup struct {
	Env   []Variable
	Args  []string // in front of those of the user
	Files []File
}

// A Variable is one of the agent's environment.
type Variable struct{ Name, Value string }

// A File is written for the session alone.
type File struct{ Path, Text string }

// KeyVariable is the environment variable with the key of a gateway, also for agents whose configuration names a
// variable.
const KeyVariable = "CALLWRIGHT_KEY"

// providerName is the name of the gateway in configurations that list providers by name.
const providerName = "callwright"

// sizes returns the variables for the limits of a model, without those that are not known.
func sizes(window, output string, m Model) []Variable {
	var out []Variable
	if m.Context > 0 {
		out = append(out, Variable{window, fmt.Sprint(m.Context)})
	}
	if m.Output > 0 {
		out = append(out, Variable{output, fmt.Sprint(m.Output)})
	}
	return out
}

// assumedContext stands in for an unknown context window of a model, in tokens, for agents that would assume far more.
const assumedContext = 128_000

// document writes a value as indented JSON.
func document(v any) (string, error) {
	var text strings.Builder
	e := json.NewEncoder(&text)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	err := e.Encode(v)
	return text.String(), err
}
