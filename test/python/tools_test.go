package python_test

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
)

// only is the beginning of the names of the clients that are tested.
var only = flag.String("clients", "", "test the clients whose names begin so")

// A check is one conversation: of a client with a model, through the gateway or directly with a provider of the client's own API.
type check struct {
	Name   string `json:"name"`
	Client string `json:"client"`
	Base   string `json:"base"`
	Key    string `json:"key"`
	Model  string `json:"model"`
	Stream bool   `json:"stream"`
	Prompt string `json:"prompt"`
}

// An outcome is what the client made of it.
type outcome struct {
	Name  string `json:"name"`
	Calls []struct {
		Name      string         `json:"name"`
		Arguments map[string]any `json:"arguments"`
	} `json:"calls"`
	Text    string  `json:"text"`
	Pieces  int     `json:"pieces"` // in which the text came
	Seconds float64 `json:"seconds"`
	Error   string  `json:"error"`
}

const (
	prompt = "What is the weather in Oslo?"
	city   = "Oslo"
	result = "3 degrees in Oslo"
)

// A column is a model that clients talk to. The first is a provider of the client's own API, without the gateway.
type column struct {
	direct bool
	model
}

func columns() []column {
	all := []column{{direct: true, model: model{name: "native", native: true}}}
	for _, m := range models {
		all = append(all, column{model: m})
	}
	return all
}

// columns returns the columns in which a client is tested.
func (c client) columns() []column {
	return slices.DeleteFunc(columns(), func(col column) bool { return col.direct && c.wants != "" })
}

func (c column) String() string {
	if c.direct {
		return "direct"
	}
	return c.wire + "/" + c.name
}

func nameOf(cl client, col column, form string) string {
	return strings.Join([]string{cl.name, col.String(), form}, ", ")
}

// own returns the name by which the provider knows the model: one of its own for each check, about which nothing is known.
func (c column) own(cl client, form string) string {
	return strings.Join([]string{word(cl.name), form, word(c.String())}, ".") + "/" + c.name
}

// check returns the check of a client in this column.
func (c column) check(l *lab, cl client, form string) check {
	out := check{Name: nameOf(cl, c, form), Client: cl.run, Base: l.url, Key: gatewayKey,
		Stream: form == "streamed", Prompt: prompt}
	out.Model = "lab-" + c.wire + "/" + c.own(cl, form)
	if c.direct {
		out.Base, out.Key, out.Model = l.addresses[cl.wire], upstreamKey, c.own(cl, form)
	}
	return out
}

// TestTools has every client hold a conversation with every model, whole and streamed.
func TestTools(t *testing.T) {
	l := newLab(t)
	tested := slices.DeleteFunc(slices.Clone(clients), func(c client) bool { return !strings.HasPrefix(c.name, *only) })
	checks := map[string][]check{} // by environment
	for _, cl := range tested {
		for _, col := range cl.columns() {
			for _, form := range forms {
				checks[cl.environment] = append(checks[cl.environment], col.check(l, cl, form))
			}
		}
	}
	got := driveAll(t, checks)
	refused := l.refusals()
	marks := map[string]string{}
	for _, cl := range tested {
		t.Run(word(cl.name), func(t *testing.T) {
			for _, col := range cl.columns() {
				for _, form := range forms {
					c := col.check(l, cl, form)
					marks[c.Name] = compare(t, cl, col, form, got[c.Name], refused[col.own(cl, form)])
				}
			}
		})
	}
	t.Log(table(tested, marks, got))
}

// compare checks an outcome and returns its mark in the table.
func compare(t *testing.T, cl client, col column, form string, got outcome, refused string) string {
	t.Helper()
	wrong := wrongWith(got, col.native && form == "streamed", refused)
	if wrong == "" {
		return "+"
	}
	t.Errorf("%s, %s, %s: %s", cl.name, col, form, wrong)
	return "-"
}

// wrongWith says what is wrong with an outcome, and is empty where nothing is.
func wrongWith(got outcome, streams bool, refused string) string {
	switch {
	case got.Error != "":
		return got.Error
	case refused != "":
		return "the provider refused a request: " + refused
	case len(got.Calls) != 1:
		return fmt.Sprintf("want one call, got %v", got.Calls)
	case got.Calls[0].Name != "get_weather" || len(got.Calls[0].Arguments) != 1 || got.Calls[0].Arguments["city"] != city:
		return fmt.Sprintf("want a call of get_weather for %s, got %v", city, got.Calls)
	case !strings.HasPrefix(got.Text, "It is ") || strings.Count(got.Text, result) != 1:
		return fmt.Sprintf("want an answer with %q once, got %q", result, got.Text)
	case streams && got.Pieces < 2:
		return fmt.Sprintf("want text in pieces, got %d", got.Pieces)
	}
	return ""
}

// table shows what became of each check.
func table(tested []client, marks map[string]string, got map[string]outcome) string {
	var b strings.Builder
	b.WriteString("whole and streamed: + right, - wrong; the first column is without the gateway\n")
	for i, col := range columns() {
		fmt.Fprintf(&b, "%26s%s+- %s\n", "", strings.Repeat("|  ", i), col)
	}
	for _, cl := range tested {
		fmt.Fprintf(&b, "%-26s", cl.name)
		seconds := 0.0
		for _, col := range columns() {
			for _, form := range forms {
				name := nameOf(cl, col, form)
				b.WriteString(cmp.Or(marks[name], " "))
				seconds += got[name].Seconds
			}
			b.WriteString(" ")
		}
		fmt.Fprintf(&b, "%5.1f s", seconds)
		if cl.wants != "" {
			b.WriteString("  not without the gateway: it wants " + cl.wants)
		}
		b.WriteString("\n")
	}
	return b.String()
}

// driveAll has the checks of all environments done, by a driver in each at once, and gives the outcomes by name.
func driveAll(t *testing.T, checks map[string][]check) map[string]outcome {
	t.Helper()
	var (
		group sync.WaitGroup
		mu    sync.Mutex
		all   = map[string]outcome{}
	)
	for environment, some := range checks {
		python := interpreter(t, environment)
		group.Go(func() {
			outcomes, err := drive(t, python, some)
			if err != nil {
				t.Errorf("the driver in %s failed: %v", environment, err)
			}
			mu.Lock()
			defer mu.Unlock()
			for _, o := range outcomes {
				all[o.Name] = o
			}
		})
	}
	group.Wait()
	return all
}

// drive has checks done by one driver.
func drive(t *testing.T, python string, checks []check) ([]outcome, error) {
	in, err := json.Marshal(checks)
	if err != nil {
		return nil, err
	}
	cmd := exec.CommandContext(t.Context(), python, "-X", "pycache_prefix="+filepath.Join(filepath.Dir(python), "..", "bytecode"), "drive.py")
	var out, said bytes.Buffer
	cmd.Env, cmd.Stdin, cmd.Stdout, cmd.Stderr = plainEnv(), bytes.NewReader(in), &out, &said
	failed := cmd.Run()
	var outcomes []outcome
	lines := bufio.NewScanner(&out)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var o outcome
		if err := json.Unmarshal(lines.Bytes(), &o); err != nil {
			return nil, fmt.Errorf("it wrote %q: %w", lines.Text(), err)
		}
		outcomes = append(outcomes, o)
	}
	if failed != nil || len(outcomes) != len(checks) {
		at := checks[min(len(outcomes), len(checks)-1)].Name
		return outcomes, fmt.Errorf("%d of %d outcomes, then %s: %v\n%s", len(outcomes), len(checks), at, failed, said.String())
	}
	return outcomes, nil
}

// plainEnv is the environment without what would change the clients' ways.
func plainEnv() []string {
	return slices.DeleteFunc(os.Environ(), func(v string) bool {
		name, _, _ := strings.Cut(strings.ToUpper(v), "=")
		for _, own := range []string{"OPENAI_", "ANTHROPIC_", "GOOGLE_", "GEMINI_", "OLLAMA_", "MISTRAL_", "LANGCHAIN_", "LANGSMITH_", "LITELLM_", "PYTHON", "VIRTUAL_ENV", "CLAUDE"} {
			if strings.HasPrefix(name, own) {
				return true
			}
		}
		return strings.HasSuffix(name, "_PROXY")
	})
}
