package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/cmd/callwright/internal/completion"
	"github.com/callwright/callwright/cmd/callwright/internal/state"
	"github.com/callwright/callwright/internal/config"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/internal/modestat"
	"github.com/callwright/callwright/internal/wire"
	"github.com/callwright/callwright/internal/wire/codecs"
	"github.com/callwright/callwright/reliable"
	"github.com/spf13/cobra"
)

// maxRequest is the maximum size in bytes of input files, such as the request to explain.
const maxRequest = 64 << 20

func newExplain(a *app) *cobra.Command {
	var e explainCommand
	c := &cobra.Command{
		Use:   "explain [--config FILE] [--model MODEL] [--wire NAME] [--json] REQUEST.json",
		Short: "Show the provider requests for a request, without sending them",
		Long: "Explain reads the body of a client's request and prints its fallback chain: the models and modes that would be tried, " +
			"in this order. For each it prints the changes with their reasons, and the exact body of the provider request. Nothing " +
			"is sent, and no key is needed.\n\n" +
			"The API of the request is recognised by its shape; --wire names it. If the body does not name the model, as in " +
			"Gemini's API, --model names it. With - the request is read from standard input.",
		Example: "  callwright explain --model groq/llama-3.3-70b-versatile request.json\n" +
			"  echo '{\"messages\": [{\"role\": \"user\", \"content\": \"Hello\"}]}' |\n    callwright explain --model sim/native -",
		Args: oneArg, ValidArgsFunction: files("json"),
		RunE: func(c *cobra.Command, args []string) error { return e.run(c.Context(), a, args[0]) },
	}
	configFlag(c, &e.config)
	c.Flags().StringVar(&e.model, "model", "", "use this `MODEL` instead of the one in the request")
	c.Flags().StringVar(&e.wire, "wire", "", "the API of the request, by `NAME`: "+codecs.Names())
	c.Flags().BoolVar(&e.asJSON, "json", false, "print one JSON object")
	completion.Of(c, "model", a.models(&e.config))
	completion.Words(c, "wire", wireNames())
	return c
}

type explainCommand struct {
	config, model, wire string
	asJSON              bool
}

func (e *explainCommand) run(ctx context.Context, a *app, file string) error {
	req, err := e.request(ctx, a, file)
	if err != nil {
		return err
	}
	conf, _, err := a.config(ctx, e.config)
	if err != nil {
		return err
	}
	registry, err := config.NewRegistry(conf, config.WithEnv(a.env), config.WithoutKeys())
	if err != nil {
		return err
	}
	defer registry.Close()
	client, err := registry.Resolve(string(req.Model))
	if err != nil {
		return err
	}
	out, err := client.Explain(ctx, req)
	if err != nil {
		return err
	}
	if e.asJSON {
		return jsonx.WriteLine(a.std.out, out)
	}
	printExplanation(a.std.out, out)
	return nil
}

// request reads and decodes the client request that callwright explain explains.
func (e *explainCommand) request(ctx context.Context, a *app, file string) (*callwright.Request, error) {
	body, err := readInput(ctx, a, file, "the request")
	switch {
	case errors.Is(err, errInterrupted):
		return nil, err
	case err != nil:
		return nil, misuseError{err}
	}
	codec, err := e.codec(body)
	if err != nil {
		return nil, err
	}
	if body, err = e.addModel(body, codec); err != nil {
		return nil, err
	}
	req, err := codec.DecodeRequest(body)
	if err != nil {
		return nil, state.SettingError(inputName(file), err)
	}
	if e.model != "" {
		req.Model = callwright.ModelID(e.model)
	}
	if req.Model == "" {
		return nil, errNoModel
	}
	return req, nil
}

var errNoModel = misuseError{errors.New("the request names no model: name one with --model")}

// addModel adds the model of --model to a request body that names none. Gemini bodies do not change, because the model
// is in the URL.
func (e *explainCommand) addModel(body []byte, codec wire.Codec) ([]byte, error) {
	if codec.Name() == callwright.WireGemini {
		return body, nil
	}
	members, err := jsonx.ParseObject(body)
	if err != nil || jsonx.Valid(body) != nil {
		return body, nil //nolint:nilerr // the codec reports the error
	}
	model, _ := members.Get("model")
	if name, isText := jsonx.String(model); !jsonx.IsNull(model) && (!isText || name != "") {
		return body, nil
	}
	if e.model == "" {
		return nil, errNoModel
	}
	members.Set("model", jsonx.AppendQuote(nil, e.model))
	return members.Append(nil), nil
}

// inputName returns the name of an input file for errors; "-" is standard input.
func inputName(file string) string {
	if file == "-" {
		return "standard input"
	}
	return file
}

// readInput reads a file of at most maxRequest bytes, or standard input if file is "-". Errors call the input subject.
func readInput(ctx context.Context, a *app, file, subject string) ([]byte, error) {
	if file != "-" {
		return readFile(ctx, file)
	}
	awaitTerminal(a, subject)
	body, err := io.ReadAll(io.LimitReader(a.input(ctx), maxRequest+1))
	if len(body) > maxRequest {
		return nil, fmt.Errorf("%s is longer than %d MiB", subject, maxRequest>>20)
	}
	return body, err
}

// codec returns the codec of --wire or, without the flag, of the detected API of the body.
func (e *explainCommand) codec(body []byte) (wire.Codec, error) {
	name := callwright.WireName(e.wire)
	if name == "" {
		name = codecs.Detect(body)
	}
	if c, ok := codecs.Of(name); ok {
		return c, nil
	}
	return nil, misuseError{unknownName("wire", string(name), wireNames(), "expected "+codecs.Names())}
}

func printExplanation(w io.Writer, ex *reliable.Explanation) {
	fmt.Fprintf(w, "model        %s\nfingerprint  %s\n", ex.Model, ex.Fingerprint)
	printNotes(w, "", ex.Notes)
	for i, st := range ex.Chain {
		fmt.Fprintf(w, "\n%d. %s, %s", i+1, st.Model, st.Mode)
		if st.Dialect != "" {
			fmt.Fprintf(w, " in %s", st.Dialect)
		}
		fmt.Fprintf(w, " (%s)\n", st.Why)
		if st.Success != "" {
			fmt.Fprintf(w, "   calls right in this mode: %s\n", st.Success)
		}
		printFacts(w, ex.Chain[:i], &st)
		for _, sent := range slices.Sorted(maps.Keys(st.Names)) {
			fmt.Fprintf(w, "   name  %s is sent as %s\n", st.Names[sent], sent)
		}
		printNotes(w, "   ", st.Notes)
		if st.Error != "" {
			fmt.Fprintf(w, "   error: %s\n", st.Error)
			continue
		}
		fmt.Fprintf(w, "   %s %s\n", st.Method, st.URL)
		var body bytes.Buffer
		if json.Indent(&body, bytes.TrimSpace(st.Body), "   ", "  ") == nil {
			fmt.Fprintf(w, "   %s\n", body.Bytes())
		}
	}
}

// printFacts prints the known facts about the model of a step. If an earlier step has the same facts, it prints that
// step's number instead.
func printFacts(w io.Writer, above []reliable.Step, st *reliable.Step) {
	same := slices.IndexFunc(above, func(s reliable.Step) bool { return s.Model == st.Model && maps.Equal(s.Facts, st.Facts) })
	if same >= 0 && len(st.Facts) > 0 {
		fmt.Fprintf(w, "   facts as in step %d\n", same+1)
		return
	}
	for _, key := range slices.Sorted(maps.Keys(st.Facts)) {
		if key != modestat.Fact { // each step has its own part of this fact
			fmt.Fprintf(w, "   fact  %s: %s\n", key, st.Facts[key])
		}
	}
}

func printNotes(w io.Writer, margin string, notes []callwright.Note) {
	for _, n := range notes {
		fmt.Fprintf(w, "%snote  %s%s\n", margin, n.Rule, noteDetail(n))
	}
}
