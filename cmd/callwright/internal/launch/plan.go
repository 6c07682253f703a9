package launch

import (
	"fmt"
	"io"
	"strings"
)

// A Plan contains the settings and the command to start an agent.
type Plan struct {
	Agent   string     `json:"agent"`
	Program string     `json:"program"`           // path of the executable, or its name if not installed
	Version string     `json:"version,omitempty"` // empty if unknown
	Install string     `json:"install,omitempty"` // command to install it, if not installed
	Gateway string     `json:"gateway"`           // URL of the gateway
	Runs    bool       `json:"runs"`              // the gateway is already running
	Models  []Assigned `json:"models"`
	Set     []Entry    `json:"set"`
	Clear   []string   `json:"clear,omitempty"` // existing variables to remove
	Write   []Entry    `json:"write,omitempty"` // files that exist until the agent ends
	Args    []string   `json:"args"`

	key    string
	engine Agent
	setup  Setup
}

// An Assigned is the model that the agent uses in a role.
type Assigned struct {
	Role    Role   `json:"role"`
	Model   string `json:"model"`
	Context int    `json:"context,omitempty"` // context window in tokens, 0 if unknown
}

// An Entry is a variable with its value, or a file with its content. Keys are masked.
type Entry struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// mask replaces keys in printed plans.
const mask = "********"

// anyKey is the key for agents that require one if the gateway requires none.
const anyKey = "callwright"

// NewPlan returns the plan to start an agent. t.Key is empty if the gateway requires no key.
func NewPlan(a Agent, t Target, args []string) (*Plan, error) {
	p := &Plan{Agent: a.Name, Program: a.Program, Gateway: t.Address, engine: a, key: t.Key, Set: []Entry{}}
	if t.Key == "" {
		t.Key = anyKey
	}
	var err error
	if p.setup, err = a.Setup(t); err != nil {
		return nil, err
	}
	for _, r := range Roles() {
		if m := t.Models[r]; m.Name != "" {
			p.Models = append(p.Models, Assigned{r, m.Name, m.Context})
		}
	}
	for _, v := range p.setup.Env {
		p.Set = append(p.Set, Entry{v.Name, p.maskKey(v.Value)})
	}
	for _, name := range a.Clear {
		if _, there := t.Env(name); there {
			p.Clear = append(p.Clear, name)
		}
	}
	for _, f := range p.setup.Files {
		p.Write = append(p.Write, Entry{f.Path, p.maskKey(f.Text)})
	}
	p.setup.Args = append(p.setup.Args, args...)
	p.Args = []string{}
	for _, arg := range p.setup.Args {
		p.Args = append(p.Args, p.maskKey(arg))
	}
	return p, nil
}

func (p *Plan) maskKey(text string) string {
	if p.key == "" {
		return text
	}
	return strings.ReplaceAll(text, p.key, mask)
}

// Process returns the process to start. base is the environment before the setup.
func (p *Plan) Process(base []string, in io.Reader, out, errs io.Writer) Process {
	return Process{Path: p.Program, Args: p.setup.Args, Env: p.engine.Environ(base, p.setup.Env), In: in, Out: out, Err: errs}
}

// Print prints the whole plan as text.
func (p *Plan) Print(w io.Writer) {
	p.print(w, false)
}

// PrintShort prints the plan with each line truncated to shortLine characters.
func (p *Plan) PrintShort(w io.Writer) {
	p.print(w, true)
}

func (p *Plan) print(w io.Writer, short bool) {
	row := func(what, text string) {
		if short {
			text = cut(text, shortLine)
		}
		fmt.Fprintf(w, "%-8s %s\n", what, text)
	}
	state := "starts and ends with the agent"
	if p.Runs {
		state = "already runs"
	}
	row("gateway", p.Gateway+", "+state)
	row("agent", p.title())
	for _, m := range p.Models {
		text := string(m.Role) + ": " + m.Model
		if m.Context > 0 {
			text += fmt.Sprintf(", context of %d tokens", m.Context)
		}
		row("model", text)
	}
	for _, e := range p.Set {
		row("set", e.Name+"="+e.Value)
	}
	for _, name := range p.Clear {
		row("unset", name)
	}
	for _, e := range p.Write {
		row("write", e.Name+", removed when the agent ends")
		if !short {
			fmt.Fprint(w, indentText(e.Value))
		}
	}
	if !short {
		row("run", strings.Join(quoteForShell(append([]string{p.Program}, p.Args...)), " "))
	}
}

func (p *Plan) title() string {
	text := strings.TrimSpace(p.engine.Title + " " + p.Version)
	if p.Install != "" {
		text += ", not installed: install it with " + p.Install
	}
	return text
}

// shortLine is the maximum number of characters of a line that PrintShort prints.
const shortLine = 110

func cut(text string, most int) string {
	if r := []rune(text); len(r) > most {
		return string(r[:most-1]) + "…"
	}
	return text
}

func indentText(text string) string {
	return "           " + strings.ReplaceAll(strings.TrimSuffix(text, "\n"), "\n", "\n           ") + "\n"
}

// quoteForShell quotes words for a POSIX shell where necessary.
func quoteForShell(words []string) []string {
	var out []string
	for _, w := range words {
		if w == "" || strings.ContainsFunc(w, special) {
			w = "'" + strings.ReplaceAll(w, "'", `'\''`) + "'"
		}
		out = append(out, w)
	}
	return out
}

func special(r rune) bool {
	return !strings.ContainsRune("@%+=:,./-_", r) && (r < '0' || r > '9') && (r < 'A' || r > 'Z') && (r < 'a' || r > 'z')
}
