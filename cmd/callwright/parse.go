package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"

	callwright "github.com/callwright/callwright"
	"github.com/callwright/callwright/wire/openai"
	"github.com/spf13/cobra"
)

// maxLine bounds one line of a batch.
const maxLine = 64 << 20

func newParse(a *app) *cobra.Command {
	var p parseCommand
	c := &cobra.Command{
		Use:   "parse [--tools FILE] [--dialect NAME] [--batch]",
		Short: "Read the tool calls out of text on standard input",
		Long: "Parse reads a model's answer from standard input and prints the calls in it that may be run, those that may not and why,\n" +
			"the visible text, the reasoning, and everything that was changed.\n\n" +
			"With --batch it reads one JSON object a line (id, text or chunks, tools, and optionally model, dialect, context, native_calls)\n" +
			"and writes one a line, in the same order.",
		Example: "  echo '<tool_call>{\"name\": \"get_weather\", \"arguments\": {\"city\": \"Oslo\",}}</tool_call>' | callwright parse --tools tools.json",
		Args:    noArgs,
		RunE:    func(c *cobra.Command, _ []string) error { return p.run(a) },
	}
	c.Flags().StringVar(&p.tools, "tools", "", "JSON `FILE` with a list of OpenAI tool objects")
	c.Flags().StringVar(&p.dialect, "dialect", "", "the dialect that was asked for; settles ties")
	c.Flags().StringVar(&p.model, "model", "", "the model that wrote the text; settles ties")
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
	if p.tools != "" {
		raw, err := os.ReadFile(p.tools)
		if err != nil {
			return misuseError{err}
		}
		job.Tools = raw
	}
	text, err := io.ReadAll(io.LimitReader(a.std.in, maxLine))
	if err != nil {
		return err
	}
	s := string(text)
	job.Text = &s
	got, err := job.parse()
	if err != nil {
		return err
	}
	if p.asJSON {
		return writeLine(a.std.out, got)
	}
	printParsed(a.std.out, got)
	return nil
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
		ReasoningPrimed  bool   `json:"reasoning_primed"`
		ReasoningEnabled *bool  `json:"reasoning_enabled"`
		Unfinished       bool   `json:"unfinished"`
		LastMessage      string `json:"last_message"`
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
	opts := []callwright.Option{callwright.WithDialect(j.Dialect), callwright.WithModelHint(callwright.ModelID(j.Model))}
	if j.Context.ReasoningPrimed {
		opts = append(opts, callwright.WithReasoningPrimed())
	}
	x, err := callwright.Extract(j.events(), tools, opts...)
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
		if c.Type == callwright.Custom {
			args, _ = json.Marshal(map[string]string{"input": c.Input})
		}
		out.Calls = append(out.Calls, parsedCall{Name: c.Name, Arguments: args})
	}
	return out, nil
}

// events is the job as an answer: its text, whole or in pieces, then its native calls.
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
	return req.Toolset()
}

// batch reads and writes JSON lines. A line that cannot be read gives an error line, and the rest goes on.
func batch(in io.Reader, out io.Writer) error {
	r := bufio.NewScanner(in)
	r.Buffer(make([]byte, 64<<10), maxLine)
	w := bufio.NewWriterSize(out, 64<<10)
	for r.Scan() {
		line := bytes.TrimSpace(r.Bytes())
		if len(line) == 0 {
			continue
		}
		if err := writeLine(w, parseLine(line)); err != nil {
			return err
		}
	}
	if err := w.Flush(); err != nil {
		return err
	}
	if errors.Is(r.Err(), bufio.ErrTooLong) {
		return fmt.Errorf("a line is longer than %d MiB", maxLine>>20)
	}
	return r.Err()
}

type failedLine struct {
	ID    json.RawMessage `json:"id"`
	Error string          `json:"error"`
}

func parseLine(line []byte) any {
	var job parseJob
	if err := json.Unmarshal(line, &job); err != nil {
		return failedLine{ID: idOf(line), Error: err.Error()}
	}
	got, err := job.parse()
	if err != nil {
		return failedLine{ID: job.ID, Error: err.Error()}
	}
	return got
}

// idOf finds the id of a line whose other members are of the wrong type.
func idOf(line []byte) json.RawMessage {
	var only struct {
		ID json.RawMessage `json:"id"`
	}
	if json.Unmarshal(line, &only) != nil || only.ID == nil {
		return json.RawMessage("null")
	}
	return only.ID
}

func writeLine(w io.Writer, v any) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	return e.Encode(v)
}

// printParsed shows a person what was found.
func printParsed(w io.Writer, p *parsed) {
	for _, c := range p.Calls {
		fmt.Fprintf(w, "call     %s %s\n", c.Name, c.Arguments)
	}
	for _, c := range p.Invalid {
		fmt.Fprintf(w, "not run  %s\n", c.Name)
		for _, v := range c.Violations {
			fmt.Fprintf(w, "         - %s\n", v.Message)
		}
	}
	if p.Reasoning != "" {
		fmt.Fprintf(w, "reasoning\n%s\n", indent(p.Reasoning))
	}
	if p.Content != "" {
		fmt.Fprintf(w, "text\n%s\n", indent(p.Content))
	}
	for _, n := range p.Notes {
		fmt.Fprintf(w, "note     %s%s\n", n.Rule, noteDetail(n))
	}
	if len(p.Calls)+len(p.Invalid) == 0 {
		fmt.Fprintln(w, "no call")
	}
}

func indent(s string) string {
	return "         " + string(bytes.ReplaceAll(bytes.TrimSpace([]byte(s)), []byte("\n"), []byte("\n         ")))
}

func noteDetail(n callwright.Note) string {
	detail := ""
	if n.Path != "" {
		detail += " at " + n.Path
	}
	if n.Was != "" || n.Now != "" {
		detail += fmt.Sprintf(": %q -> %q", n.Was, n.Now)
	}
	if n.Why != "" {
		detail += " (" + n.Why + ")"
	}
	return detail
}
