package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/cmd/callwright/internal/completion"
	"github.com/callwright/callwright/cmd/callwright/internal/paint"
	"github.com/callwright/callwright/dialect"
	"github.com/callwright/callwright/internal/config"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/interop"
	"github.com/callwright/callwright/reliable"
	"github.com/spf13/cobra"
)

// maxAnswer is the maximum size of standard input in bytes.
const maxAnswer = 64 << 20

func newParse(a *app) *cobra.Command {
	var p parseCommand
	c := &cobra.Command{
		Use:   "parse [--tools FILE] [--dialect NAME | --tool-format FILE] [--model NAME] [--policy NAME] [--batch | --json]",
		Short: "Extract the tool calls from text on standard input",
		Long: "Parse reads a model's answer from standard input. It prints the valid calls, the rejected calls with the reasons, the " +
			"visible text, the reasoning, and every change with its place in the text.\n\n" +
			"The tools may have the form of OpenAI's APIs, Anthropic's, Gemini's, Ollama's or MCP. They may be a list, a single " +
			"tool, or the body of a request. Only declared tools are called.\n\n" +
			"With --batch each input line is a JSON object with text, chunks or native_calls, and optionally id, tools, model, " +
			"dialect and context. Parse writes one line for each, in the same order. --tools, --model and --dialect apply to lines " +
			"that do not set them. The command fails if no line could be read.",
		Example: "  echo '<tool_call>{\"name\": \"ping\"}</tool_call>' |\n    callwright parse --tools '{\"name\": \"ping\"}'\n" +
			"  callwright parse --tools tools.json --policy observe < answer.txt\n" +
			"  callwright parse --tools tools.json --tool-format house.yaml < answer.txt\n" +
			"  callwright parse --tools tools.json --batch < answers.jsonl",
		Args: noArgs,
		RunE: func(c *cobra.Command, _ []string) error { return p.run(c.Context(), a) },
	}
	c.Flags().StringVar(&p.tools, "tools", "", "JSON `FILE` with tools, or the JSON itself")
	c.Flags().StringVar(&p.dialect, "dialect", "", "the dialect that the model was asked for, by `NAME`; decides if several fit")
	c.Flags().StringVar(&p.format, "tool-format", "",
		"a call format, described in `FILE` like tool_format in the configuration")
	c.Flags().StringVar(&p.model, "model", "", "the model that wrote the text, by `NAME`; decides if several dialects fit")
	c.Flags().StringVar(&p.policy, "policy", "heal", "the allowed changes, by `NAME`: heal, heal+heuristic, observe, strict or off")
	c.Flags().BoolVar(&p.batch, "batch", false, "read and write JSON lines")
	c.Flags().BoolVar(&p.asJSON, "json", false, "print one JSON object")
	completeFiles(c, "tools", "json")
	completion.Words(c, "dialect", dialectNames())
	completeFiles(c, "tool-format", "yaml", "json")
	c.MarkFlagsMutuallyExclusive("dialect", "tool-format")
	completion.Words(c, "policy", policyNames())
	completion.Of(c, "model", a.models(new(string)))
	return c
}

type parseCommand struct {
	tools, dialect, format, model, policy string
	batch, asJSON                         bool
}

func (p *parseCommand) run(ctx context.Context, a *app) error {
	job, err := p.job(ctx, a)
	if err != nil {
		return err
	}
	if p.batch {
		return answerLines(ctx, a, func(line []byte) (any, error) { return parseLine(line, *job) })
	}
	text, err := readAnswer(ctx, a)
	if err != nil {
		return err
	}
	job.Text = &text
	got, err := job.parse()
	if err != nil {
		return err
	}
	if p.asJSON {
		if err := jsonx.WriteLine(a.std.out, got); err != nil {
			return err
		}
		return job.refusal(got)
	}
	newParsePrinter(a, text).print(got)
	if len(job.tools) == 0 {
		fmt.Fprintln(a.std.err, "callwright: no tools are declared, and only declared tools are called: declare them with --tools")
	}
	return job.refusal(got)
}

// refusal returns the error of the policy "strict" if reading the text required changes, nil otherwise.
func (j *parseJob) refusal(got *parsed) error {
	if j.policy != callwright.PolicyStrict {
		return nil
	}
	var rules []string
	for i := range got.Notes {
		if n := &got.Notes[i]; n.Risk != "" && !n.Observed && !slices.Contains(rules, n.Rule) {
			rules = append(rules, n.Rule)
		}
	}
	if len(rules) == 0 {
		return nil
	}
	return fmt.Errorf("the policy strict forbids these changes: %s", strings.Join(rules, ", "))
}

// job returns a parseJob with the settings of the command-line flags.
func (p *parseCommand) job(ctx context.Context, a *app) (*parseJob, error) {
	job := &parseJob{Dialect: p.dialect, Model: p.model}
	var err error
	if job.policy, err = callwright.ParsePolicy(p.policy); err != nil {
		return nil, misuseError{err}
	}
	if _, ok := dialect.Lookup(p.dialect); !ok && p.dialect != "" {
		return nil, misuseError{unknownName("dialect", p.dialect, dialectNames(), "docs/dialects.md lists all dialects")}
	}
	if p.format != "" {
		f, err := config.LoadToolFormat(p.format, a.env)
		if err != nil {
			return nil, fmt.Errorf("--tool-format: %w", err)
		}
		job.marks, job.Dialect = f.Marks, f.Name
	}
	job.tools, err = p.readTools(ctx)
	return job, err
}

// readTools reads the tools of --tools, which is a file name or JSON. Without the flag it returns none.
func (p *parseCommand) readTools(ctx context.Context) ([]callwright.Tool, error) {
	text := []byte(strings.TrimSpace(p.tools))
	if len(text) > 0 && text[0] != '[' && text[0] != '{' {
		var err error
		switch text, err = readFile(ctx, p.tools); {
		case errors.Is(err, errInterrupted):
			return nil, err
		case err != nil:
			return nil, misuseError{err}
		}
	}
	tools, err := interop.ReadTools(text)
	if err != nil {
		return nil, fmt.Errorf("--tools: %w", err)
	}
	return tools, nil
}

// awaitTerminal prints a message that the command reads standard input, if that is a terminal.
func awaitTerminal(a *app, what string) {
	if paint.IsTerminal(a.std.in) && paint.IsTerminal(a.std.err) {
		fmt.Fprintf(a.std.err, "callwright: reading %s from the terminal, until Ctrl-D\n", what)
	}
}

// readAnswer reads the model's response from standard input, up to maxAnswer bytes.
func readAnswer(ctx context.Context, a *app) (string, error) {
	awaitTerminal(a, "the answer")
	text, err := io.ReadAll(io.LimitReader(a.input(ctx), maxAnswer+1))
	if len(text) > maxAnswer {
		return "", fmt.Errorf("the answer is longer than %d MiB", maxAnswer>>20)
	}
	return string(text), err
}

// A parseJob is a text to parse, with the settings. A line of a batch is the JSON of a parseJob.
type parseJob struct {
	ID      json.RawMessage `json:"id"`
	Text    *string         `json:"text"`
	Chunks  []string        `json:"chunks"`
	Tools   json.RawMessage `json:"tools"`
	Model   string          `json:"model"`
	Dialect string          `json:"dialect"`
	Context struct {
		ReasoningPrimed bool            `json:"reasoning_primed"`
		ToolChoice      json.RawMessage `json:"tool_choice"` // only "none" has an effect
	} `json:"context"`
	NativeCalls []struct {
		ID        string          `json:"id"`
		Name      string          `json:"name"`
		Arguments json.RawMessage `json:"arguments"` // a string that contains JSON, or a JSON value
	} `json:"native_calls"`

	tools  []callwright.Tool // used if Tools is empty
	policy callwright.Policy
	marks  *dialect.Marks
}

// A parsedCall is a call in the output of parse, and a parsed the whole output for one text.
type parsedCall struct {
	Name      string          `json:"name"`
	Arguments json.RawMessage `json:"arguments"`

	source string // the text from which the call was parsed
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
	tools := j.tools
	if len(j.Tools) > 0 {
		var err error
		if tools, err = interop.ReadTools(j.Tools); err != nil {
			return nil, err
		}
	}
	o := reliable.ExtractOptions{Policy: j.policy, Dialect: j.Dialect, Model: callwright.ModelID(j.Model), Marks: j.marks,
		ReasoningPrimed: j.Context.ReasoningPrimed}
	if string(j.Context.ToolChoice) == `"none"` {
		o.Choice.Mode = callwright.ChoiceNone
	}
	extractor, err := reliable.NewExtractor(tools, o)
	if err != nil {
		return nil, err
	}
	x := extractor.ExtractBatches(j.answer())
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

// answer converts the input to the batches of a response: the text, whole or in chunks, and then the native calls.
func (j *parseJob) answer() []callwright.Batch {
	var batches []callwright.Batch
	for _, piece := range j.Chunks {
		batches = append(batches, callwright.Batch{Events: []callwright.Event{callwright.TextDelta{Text: piece}}})
	}
	var out []callwright.Event
	if j.Text != nil {
		out = append(out, callwright.TextDelta{Text: *j.Text})
	}
	for i, c := range j.NativeCalls {
		id := c.ID
		if id == "" {
			id = fmt.Sprintf("call_%d", i)
		}
		out = append(out, callwright.CallBegin{Index: i, ID: id, Name: c.Name},
			callwright.CallDelta{Index: i, Text: argumentsText(c.Arguments)}, callwright.CallEnd{Index: i})
	}
	out = append(out, callwright.End{}) // the finish reason is unknown
	return append(batches, callwright.Batch{Events: out, More: true})
}

// argumentsText returns the arguments of a native call as text: the content of a JSON string, or the JSON itself.
func argumentsText(v json.RawMessage) string {
	if s, ok := jsonx.String(v); ok {
		return s
	}
	return string(v)
}
