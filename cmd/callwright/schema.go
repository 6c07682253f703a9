package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/callwright/callwright/cmd/callwright/internal/completion"
	"github.com/callwright/callwright/cmd/callwright/internal/paint"
	"github.com/callwright/callwright/internal/adapter"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/interop"
	"github.com/spf13/cobra"
)

func newSchema(a *app) *cobra.Command {
	var s schemaCommand
	c := &cobra.Command{
		Use:   "schema --target NAME [--json | --batch] [FILE]",
		Short: "Translate a tool's schema for a provider, and list the losses",
		Long: "Schema reads a JSON Schema, or tools in the form of any API, and prints their translation for a target: a provider, or " +
			"a server that compiles schemas to grammars. It lists each part that the target cannot express, with its place. Without " +
			"FILE it reads standard input.\n\n" +
			"With --batch each input line is a JSON object with tool, and optionally id, target and arguments. Arguments are JSON " +
			"text that satisfies the translated schema. Schema writes one line for each, in the same order. It has the arguments " +
			"translated back to the original schema, and their violations of it.",
		Example: "  callwright schema --target gemini tool.json\n" +
			"  echo '{\"type\": \"object\", \"properties\": {\"days\": {\"const\": 3}}}' |\n    callwright schema --target openai-strict\n" +
			"  callwright schema --target anthropic --batch < tools.jsonl",
		Args: atMostOneArg, ValidArgsFunction: files("json"),
		RunE: func(c *cobra.Command, args []string) error { return s.run(c.Context(), a, args) },
	}
	c.Flags().StringVar(&s.target, "target", "", "the target of the translation, by `NAME`: "+strings.Join(targetNames(), ", "))
	c.Flags().BoolVar(&s.asJSON, "json", false, "print one JSON object for each tool")
	c.Flags().BoolVar(&s.batch, "batch", false, "read and write JSON lines")
	c.AddCommand(newSchemaCheck(a))
	completion.Of(c, "target", func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
		var offers []string
		for _, t := range adapter.Targets() {
			offers = append(offers, cobra.CompletionWithDesc(string(t), t.About()))
		}
		return offers, cobra.ShellCompDirectiveNoFileComp
	})
	return c
}

type schemaCommand struct {
	target        string
	asJSON, batch bool
}

func (s *schemaCommand) run(ctx context.Context, a *app, args []string) error {
	target := adapter.Target(s.target)
	if s.target == "" && !s.batch {
		return misuseError{errors.New("expected --target NAME: " + strings.Join(targetNames(), ", "))}
	}
	if s.target != "" && !slices.Contains(adapter.Targets(), target) {
		return misuseError{unknownTarget(s.target)}
	}
	if s.batch {
		if len(args) > 0 {
			return misuseError{fmt.Errorf("--batch reads standard input: omit the file %q", args[0])}
		}
		return answerLines(ctx, a, func(line []byte) (any, error) { return translateLine(line, target) })
	}
	tools, err := s.tools(ctx, a, args)
	if err != nil {
		return err
	}
	names := make([]string, len(tools))
	for i := range tools {
		names[i] = tools[i].Name
	}
	sent := adapter.NewNames(target.ToolNames(), names)
	p := &schemaPrinter{parsePrinter: newParsePrinter(a, ""), target: target}
	for i := range tools {
		t, err := adapter.Translate(target, tools[i].Parameters)
		if err != nil {
			return toolFailed(tools[i].Name, err)
		}
		if s.asJSON {
			err = jsonx.WriteLine(a.std.out, newTranslated(t, tools[i], sent))
		} else {
			p.print(t, tools[i], sent)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func unknownTarget(name string) error {
	return unknownName("target", name, targetNames(), "the targets are "+strings.Join(targetNames(), ", "))
}

// toolFailed adds the tool's name to an error. Without a name it returns err.
func toolFailed(name string, err error) error {
	if name == "" {
		return err
	}
	return fmt.Errorf("tool %q: %w", name, err)
}

// tools reads the tools to translate. A schema alone becomes a tool without a name.
func (s *schemaCommand) tools(ctx context.Context, a *app, args []string) ([]adapter.Tool, error) {
	file := "-"
	if len(args) > 0 {
		file = args[0]
	}
	text, err := readInput(ctx, a, file, "the tools")
	switch {
	case errors.Is(err, errInterrupted):
		return nil, err
	case err != nil:
		return nil, misuseError{err}
	}
	text = jsonx.Trim([]byte(strings.TrimPrefix(string(text), "\ufeff")))
	if isSchema(text) {
		return []adapter.Tool{{Parameters: text}}, nil
	}
	read, err := interop.ReadTools(text)
	if err != nil {
		return nil, err
	}
	if len(read) == 0 {
		return nil, errors.New("expected a schema or tools, got neither")
	}
	var out []adapter.Tool
	for i := range read {
		out = append(out, adapter.Tool{Name: read[i].Name, Description: read[i].Description, Parameters: read[i].Schema})
	}
	return out, nil
}

// isSchema reports whether JSON is a schema and not a tool or a list of tools.
func isSchema(text []byte) bool {
	if jsonx.Valid(text) != nil || !jsonx.IsObject(text) {
		return string(text) == "true" || string(text) == "false"
	}
	return !interop.NamesTools(text)
}

// A schemaPrinter prints translations of tool schemas as text.
type schemaPrinter struct {
	*parsePrinter
	target adapter.Target
	rest   bool // a translation was printed before
}

func (p *schemaPrinter) print(t *adapter.Translation, tool adapter.Tool, names *adapter.Names) {
	if p.rest {
		p.Println()
	}
	p.rest = true
	sent := t.TranslateTool(tool, names)
	if tool.Name != "" {
		p.Printf("%s %s\n", p.Paint(paint.Green, "tool"), p.Paint(paint.Bold, paint.Visible(sent.Name)))
		if sent.Name != tool.Name {
			p.printWrapped("  for  ", paint.Visible(tool.Name), paint.Plain)
		}
	}
	if t.Schema == nil {
		p.Println(p.Paint(paint.Faint, "no schema: "+string(p.target)+" takes none for a tool without parameters"))
	} else {
		p.Println(p.Paint(paint.Bold, "schema"))
		p.block(pretty(json.RawMessage(t.Schema)))
	}
	if t.Words != "" {
		p.section("in the description", t.Words)
	}
	if len(t.Lost) == 0 {
		p.Println(p.Paint(paint.Faint, "nothing is lost"))
		return
	}
	p.Println(p.Paint(paint.Bold, "lost"))
	for _, l := range t.Lost {
		p.Printf("  %s at %s\n", p.Paint(paint.Bold, paint.Visible(l.Keyword)), paint.Visible(place(l.Path)))
		p.printWrapped("    why  ", l.Why, paint.Plain)
	}
}

// place returns a JSON Pointer for display: "the root" for the empty one.
func place(pointer string) string {
	if pointer == "" {
		return "the root"
	}
	return pointer
}
