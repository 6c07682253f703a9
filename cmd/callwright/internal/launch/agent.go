package launch

import (
	"encoding/json"
	"fmt"
	"strings"
)

// An Agent is a coding agent and how it is led to a gateway.
type Agent struct {
	Name    string // on the command line
	Title   string // as its makers write it
	Program string // of its executable
	Package string // at npm
	Roles   []Role // those beside RoleMain for which it can have a model of its own
	// Clear are the variables that would lead it past the gateway: its environment has none of them.
	Clear []string
	// Setup returns what leads it to a target. It changes nothing.
	Setup func(Target) (Setup, error)
}

// Agents returns every agent, in the order in which they are listed.
func Agents() []Agent {
	return []Agent{claude, codex, gemini, qwen, opencode, cline, pi, copilot}
}

// Named returns the agent of a name.
func Named(name string) (Agent, bool) {
	for _, a := range Agents() {
		if a.Name == name {
			return a, true
		}
	}
	return Agent{}, false
}

// Install is the command that installs the agent.
func (a Agent) Install() string { return "npm install -g " + a.Package }

// A Target is where an agent is led to.
type Target struct {
	Address string // of the gateway, such as http://127.0.0.1:8787
	Key     string // that the gateway takes; any word where it asks for none
	Models  Models
	Folder  string // of the session, for files
	// ReadFile reads a file of the machine that a setup has to keep the contents of.
	ReadFile func(path string) ([]byte, error)
	// Env are the variables that the agent would have otherwise.
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

// providerName is how the gateway is called in configurations that list providers by name.
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

// assumedContext is the window of a model of which it is not known, for agents that would assume far more.
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
