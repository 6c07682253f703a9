package launch

import (
	"encoding/json"
	"fmt"
	"strings"
)

// An Agent describes a coding agent and how to configure it for a gateway.
type Agent struct {
	Name    string // name on the command line
	Title   string // product name
	Program string // name of the executable
	Package string // npm package
	Roles   []Role // roles other than RoleMain that can have a model of their own
	// Clear are environment variables that would make the agent bypass the gateway. They are removed from its environment.
	Clear []string
	// Setup returns the variables, arguments and files that configure the agent for a target. It has no side effects.
	Setup func(Target) (Setup, error)
}

// Agents returns all supported coding agents in list order.
func Agents() []Agent {
	return []Agent{claude, codex, gemini, qwen, opencode, cline, pi, copilot}
}

// AgentByName returns the agent with the given name; ok is false if there is none.
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

// A Target is a gateway and the models that an agent will use.
type Target struct {
	Address string // URL of the gateway, such as http://127.0.0.1:8787
	Key     string // gateway key; any text if the gateway requires none
	Models  Models
	Folder  string // folder of the session's files
	// ReadFile reads an existing settings file whose content a setup keeps.
	ReadFile func(path string) ([]byte, error)
	// Env looks up an environment variable of the agent before the setup.
	Env func(name string) (value string, ok bool)
}

// A Setup is the configuration of an agent for a target: variables, arguments and files.
type Setup struct {
	Env   []Variable
	Args  []string // inserted before the user's arguments
	Files []File
}

// A Variable is an environment variable of the agent.
type Variable struct{ Name, Value string }

// A File is a file that exists only during the session.
type File struct{ Path, Text string }

// KeyVariable is the environment variable with the key of a gateway. Agents whose configuration names a variable for
// the key use it too.
const KeyVariable = "CALLWRIGHT_KEY"

// providerName is the name of the gateway in agent configurations with named providers.
const providerName = "callwright"

// sizes returns variables for the known size limits of a model. window and output are the names of the variables.
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

// assumedContext is the context window in tokens that is set for a model of unknown size, if an agent would otherwise
// assume far more.
const assumedContext = 128_000

// document returns a value as indented JSON.
func document(v any) (string, error) {
	var text strings.Builder
	e := json.NewEncoder(&text)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	err := e.Encode(v)
	return text.String(), err
}
