package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/cmd/callwright/internal/completion"
	"github.com/callwright/callwright/cmd/callwright/internal/saved"
	"github.com/callwright/callwright/cmd/callwright/internal/state"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/reliable"
	"github.com/spf13/cobra"
)

func newDoctor(a *app) *cobra.Command {
	var d doctorCommand
	c := &cobra.Command{
		Use:   "doctor [--wire NAME] [--to NAME] [--model MODEL] [--out FILE | --json] FILE",
		Short: "Repair a saved conversation that providers refuse",
		Long: "Doctor reads a saved conversation in the form of any API: the body of a request, or only its list of messages, " +
			"contents or items. It also reads the flat form of programs that use no API. It reports each part that a provider would " +
			"refuse, with its place and its replacement, and writes the repaired conversation. The gateway repairs the history of " +
			"every request in the same way. The input file is not changed. A conversation without findings is written byte for " +
			"byte.\n\n" +
			"The API is recognised by the shape of the conversation. --wire names it, and --to translates the conversation into the " +
			"form of another API. By default the rules of the API's own maker decide which parts are refused. --model selects the " +
			"rules of another model. With - the conversation is read from standard input.\n\n" +
			"The repaired conversation goes to standard output and the findings to standard error. With --out the conversation goes " +
			"to a file, and the findings to standard output.",
		Example: "  callwright doctor --out repaired.json conversation.json\n" +
			"  callwright doctor --to anthropic --json conversation.json\n" +
			"  callwright doctor --model mistral/mistral-large-latest - < a.json > b.json",
		Args: oneArg, ValidArgsFunction: files("json"),
		RunE: func(c *cobra.Command, args []string) error { return d.run(c.Context(), a, args[0]) },
	}
	c.Flags().StringVar(&d.wire, "wire", "", "the API of the conversation, by `NAME`: "+strings.Join(conversationNames(), ", "))
	c.Flags().StringVar(&d.to, "to", "", "write the conversation in the form of the API `NAME`")
	c.Flags().StringVar(&d.model, "model", "", "the `MODEL` that will continue the conversation, as provider/name")
	c.Flags().StringVar(&d.out, "out", "", "write the repaired conversation to `FILE`")
	c.Flags().BoolVar(&d.asJSON, "json", false, "print one JSON object")
	c.MarkFlagsMutuallyExclusive("out", "json")
	completion.Words(c, "wire", conversationNames())
	completion.Words(c, "to", conversationNames())
	completeFiles(c, "out", "json")
	completion.Of(c, "model", a.models(new(string)))
	return c
}

type doctorCommand struct {
	wire, to, model, out string
	asJSON               bool
}

func (d *doctorCommand) run(ctx context.Context, a *app, file string) error {
	if err := d.check(); err != nil {
		return misuseError{err}
	}
	if d.out != "" && sameFile(d.out, file) {
		return misuseError{errors.New("--out names the input file: name another file")}
	}
	text, err := readInput(ctx, a, file, "the conversation")
	switch {
	case errors.Is(err, errInterrupted):
		return err
	case err != nil:
		return misuseError{err}
	}
	found, err := d.examine(text)
	if err != nil {
		return state.SettingError(inputName(file), err)
	}
	return d.write(a, found)
}

// check returns an error if the value of --wire or --to is unknown.
func (d *doctorCommand) check() error {
	for _, name := range []string{d.wire, d.to} {
		if name != "" && !slices.Contains(conversationNames(), name) {
			return unknownName("wire", name, conversationNames(), "expected "+strings.Join(conversationNames(), ", "))
		}
	}
	return nil
}

// An examined is a repaired conversation. wire and to are the formats before and after the repair, and findings are the
// repaired faults.
type examined struct {
	wire, to     callwright.WireName
	findings     []callwright.Note
	conversation []byte
}

// examine parses and repairs a saved conversation.
func (d *doctorCommand) examine(text []byte) (*examined, error) {
	c, err := saved.Read(text, callwright.WireName(d.wire))
	if err != nil {
		return nil, err
	}
	to := c.Wire
	if d.to != "" {
		to = callwright.WireName(d.to)
	}
	req := *c.Request
	if d.model != "" {
		_, name := callwright.ModelID(d.model).Split()
		req.Model = callwright.ModelID(name)
	}
	mended, err := reliable.FitHistory(&req, saved.EncoderOf(to), d.caps(c, to),
		reliable.FitOptions{Place: c.Place, OtherModel: d.otherModel(c)})
	if err != nil {
		return nil, err
	}
	findings := mended.Findings
	if c.Alone {
		findings = slices.DeleteFunc(findings, func(n callwright.Note) bool { return strings.HasPrefix(n.Rule, "params.") })
	}
	return &examined{wire: c.Wire, to: to, findings: findings, conversation: c.Like(mended.Body, to)}, nil
}

// otherModel reports whether --model differs from the model that the conversation names.
func (d *doctorCommand) otherModel(c *saved.Conversation) bool {
	_, name := callwright.ModelID(d.model).Split()
	return d.model != "" && c.Model != "" && string(c.Model) != name && string(c.Model) != d.model
}

// caps returns the capabilities for which the conversation is repaired: those of --model, or else of the conversation's
// model at the provider that defines the API.
func (d *doctorCommand) caps(c *saved.Conversation, to callwright.WireName) caps.Caps {
	if d.model != "" {
		provider, name := callwright.ModelID(d.model).Split()
		return caps.ShippedFor(provider, name).Over(caps.ShippedForWire(string(to)))
	}
	model := c.Model
	if to != c.Wire {
		model = "" // the model belongs to another API
	}
	known := caps.ShippedByMaker(string(to), string(model))
	known.History.Prefill = "" // a conversation may end with a response
	if c.Alone {
		known.History.ToolsForCalls = false // the file has no tools, but the request may
	}
	return known
}

func (d *doctorCommand) write(a *app, found *examined) error {
	if d.asJSON {
		return found.write(a.std.out)
	}
	conversation := found.conversation
	if len(conversation) == 0 || conversation[len(conversation)-1] != '\n' && len(found.findings) > 0 {
		conversation = append(conversation[:len(conversation):len(conversation)], '\n')
	}
	if d.out == "" {
		printFindings(a, a.std.err, found.findings)
		_, err := a.std.out.Write(conversation)
		return err
	}
	if err := os.WriteFile(d.out, conversation, 0o600); err != nil {
		return fmt.Errorf("--out: %w", err)
	}
	printFindings(a, a.std.out, found.findings)
	return nil
}

// sameFile reports whether two names refer to the same existing file.
func sameFile(a, b string) bool {
	x, errX := os.Stat(a)
	y, errY := os.Stat(b)
	return errX == nil && errY == nil && os.SameFile(x, y)
}

// diagnosis returns the JSON output of doctor. findings and conversation are raw JSON and keep their bytes.
func diagnosis(from, to callwright.WireName, findings, conversation []byte) []byte {
	var out jsonx.List
	out.Set("wire", jsonx.AppendQuote(nil, from))
	out.Set("to", jsonx.AppendQuote(nil, to))
	out.Set("findings", findings)
	out.Set("conversation", conversation)
	return out.Append(nil)
}
