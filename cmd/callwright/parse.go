package main

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/cmd/callwright/paint"
	"github.com/callwright/callwright/reliable"
	"github.com/callwright/callwright/wire/openai"
	"github.com/spf13/cobra"
)

// maxAnswer bounds the text on standard input.
const maxAnswer = 64 << 20

func newParse(a *app) *cobra.Command {
	var p parseCommand
	c := &cobra.Command{
		Use:   "parse [--tools FILE] [--dialect NAME] [--model NAME] [--batch | --json]",
		Short: "Read the tool calls out of text on standard input",
		Long: "Parse reads a model's answer from standard input and shows the calls in it that may be run, those that may not and why,\n" +
			"the visible text, the reasoning, and everything that was changed, with its place in the text.\n\n" +
			"With --batch it reads one JSON object a line (id, text or chunks, tools, and optionally model, dialect, context, native_calls)\n" +
			"and writes one a line, in the same order.",
		Example: "  echo '<tool_call>{\"name\": \"get_weather\", \"arguments\": {\"city\": \"Oslo\",}}</tool_call>' | callwright parse --tools tools.json\n" +
			"  callwright parse --tools '[{\"type\": \"function\", \"function\": {\"name\": \"ping\"}}]' < answer.txt",
		Args: noArgs,
		RunE: func(c *cobra.Command, _ []string) error { return p.run(a) },
	}
	c.Flags().StringVar(&p.tools, "tools", "", "JSON `FILE` with a list of OpenAI tool objects, or the list itself")
	c.Flags().StringVar(&p.dialect, "dialect", "", "the dialect that was asked for, by `NAME`; settles ties")
	c.Flags().StringVar(&p.model, "model", "", "the model that wrote the text, by `NAME`; settles ties")
	c.Flags().BoolVar(&p.batch, "batch", false, "JSON lines in, JSON lines out")
	c.Flags().BoolVar(&p.asJSON, "json", false, "print one JSON object")
	return c
}

type parseCommand struct {
	tools, dialect, model string
	batch, asJSON         bool
}

func (p *parseCommand) run(a *app) error {
	if p.batch {
		return batch(a.std.in, a.std.out)
	}
	job := parseJob{Dialect: p.dialect, Model: p.model}
	var err error
	if job.Tools, err = p.readTools(); err != nil {
		return misuseError{err}
	}
	text, err := readAnswer(a)
	if err != nil {
		return err
	}
	job.Text = &text
	got, err := job.parse()
	if err != nil {
		return err
	}
	if p.asJSON {
		return writeLine(a.std.out, got)
	}
	newParsePrinter(a, text).print(got)
	if len(job.Tools) == 0 {
		fmt.Fprintln(a.std.err, "callwright: no tools were declared (--tools), and only declared tools are called")
	}
	return nil
}

// readTools returns the list of tools in the file, or on the command line.
func (p *parseCommand) readTools() (json.RawMessage, error) {
	if p.tools == "" || strings.HasPrefix(strings.TrimSpace(p.tools), "[") {
		return json.RawMessage(p.tools), nil
	}
	return os.ReadFile(p.tools)
}

// readAnswer reads standard input. A person at a terminal is told what is waited for.
func readAnswer(a *app) (string, error) {
	if f, ok := a.std.in.(*os.File); ok && paint.IsTerminal(f) && paint.IsTerminal(a.std.err) {
		fmt.Fprintln(a.std.err, "callwright: reading the answer from the terminal, until Ctrl-D")
	}
	text, err := io.ReadAll(io.LimitReader(a.std.in, maxAnswer+1))
	if len(text) > maxAnswer {
		return "", fmt.Errorf("the answer is longer than %d MiB", maxAnswer>>20)
	}
	return string(text), err
}

// A parseJob is one text to read.
type parseJob struct {
	ID      json.RawMessage `json:"id"`
	Text    *string         `json:"text"`
	Chunks  []string        `json:"chunks"`
	Tools   json.RawMessage `json:"tools"`
	Model   string          `json:"model"`
	Dialect string          `json:"dialect"`
	Context struct {
		ReasoningPrimed bool            `json:"reasoning_primed"`
		ToolChoice      json.RawMessage `json:"tool_choice"` // only "none" matters here
	} `json:"context"`
	NativeCalls []struct {
		ID        string `json:"id"`
		Name      string `json:"name"`
		Arguments string `json:"arguments"`
	} `json:"native_calls"`
}

// A parsedCall and a parsed are what parse writes.
type parsedCall struct {
	Name      string          `json:"name"`
	Arguments json.RawMessage `json:"arguments"`

	source string // the text it was read from
}

type parsed struct {
	ID        json.RawMessage          `json:"id,omitempty"`
	Content   string                   `json:"content"`
	Reasoning string                   `json:"reasoning"`
	Calls     []parsedCall             `json:"calls"`
	Invalid   []callwright.InvalidCall `json:"invalid"`
	Dialect   string                   `json:"dialect"`
	Notes     []callwright.Note        `json:"notes"`
}

func (j *parseJob) parse() (*parsed, error) {
	tools, err := readTools(j.Tools)
	if err != nil {
		return nil, err
	}
	o := reliable.ExtractOptions{Dialect: j.Dialect, Model: callwright.ModelID(j.Model), ReasoningPrimed: j.Context.ReasoningPrimed}
	if string(j.Context.ToolChoice) == `"none"` {
		o.Choice.Mode = callwright.ChoiceNone
	}
	x, err := reliable.Extract(j.events(), tools, o)
	if err != nil {
		return nil, err
	}
	out := &parsed{ID: j.ID, Content: x.Content, Reasoning: x.Reasoning, Invalid: x.Invalid, Dialect: x.Dialect, Notes: x.Notes}
	out.Calls = []parsedCall{}
	if out.Invalid == nil {
		out.Invalid = []callwright.InvalidCall{}
	}
	if out.Notes == nil {
		out.Notes = []callwright.Note{}
	}
	for _, c := range x.Calls {
		args := c.Arguments
		if c.Type == callwright.CustomTool {
			args, _ = json.Marshal(map[string]string{"input": c.Input})
		}
		out.Calls = append(out.Calls, parsedCall{Name: c.Name, Arguments: args, source: c.Raw})
	}
	return out, nil
}

// events returns the job as an answer: its text, whole or in pieces, then its native calls.
func (j *parseJob) events() []callwright.Event {
	out := []callwright.Event{callwright.Begin{}}
	if j.Text != nil {
		out = append(out, callwright.TextDelta{Text: *j.Text})
	}
	for _, piece := range j.Chunks {
		out = append(out, callwright.TextDelta{Text: piece}, callwright.Flush{})
	}
	for i, c := range j.NativeCalls {
		id := c.ID
		if id == "" {
			id = fmt.Sprintf("call_%d", i)
		}
		out = append(out, callwright.CallBegin{Index: i, ID: id, Name: c.Name},
			callwright.CallDelta{Index: i, Text: c.Arguments}, callwright.CallEnd{Index: i})
	}
	return append(out, callwright.End{}) // why the model stopped is not known
}

// readTools reads a list of tools in the OpenAI form.
func readTools(raw json.RawMessage) ([]callwright.Tool, error) {
	if len(raw) == 0 || string(raw) == "null" {
		return nil, nil
	}
	body := append([]byte(`{"model":"any","messages":[{"role":"user","content":"any"}],"tools":`), raw...)
	req, err := openai.Codec{}.DecodeRequest(append(body, '}'))
	if err != nil {
		return nil, err
	}
	return req.DeclaredTools()
}
