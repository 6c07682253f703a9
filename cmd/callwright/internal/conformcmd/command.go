// Package conformcmd implements callwright conformance, which checks whether a server conforms to the API that it
// offers.
package conformcmd

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/callwright/callwright/cmd/callwright/internal/completion"
	"github.com/callwright/callwright/cmd/callwright/internal/pagefile"
	"github.com/callwright/callwright/cmd/callwright/internal/paint"
	"github.com/callwright/callwright/internal/config"
	"github.com/callwright/callwright/internal/conformance"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/spf13/cobra"
)

// An Input contains the dependencies of the command.
type Input struct {
	Out, Err    io.Writer
	Env         func(name string) (value string, ok bool)
	Misuse      func(error) error // wraps the error of an invalid command line
	ConfigFlag  func(c *cobra.Command, file *string)
	OfferModels func(file *string) cobra.CompletionFunc
	OneArg      cobra.PositionalArgs
	Config      func(ctx context.Context, file string) (c *config.Config, hint string, err error)
	Registry    func(ctx context.Context, c *config.Config) (r *config.Registry, done func(), err error)
}

// every is the value of --api that selects all APIs of a server.
const every = "all"

// New returns the command callwright conformance.
func New(in Input) *cobra.Command {
	k := command{in: in}
	c := &cobra.Command{
		Use: "conformance [--api NAME] [--model NAME] [--only AREA,...] [--key-env NAME] [--header 'NAME: VALUE'] [--timeout TIME] [--tries N] [--max-tokens N] " +
			"[--concurrency N] [--page FILE] [--junit FILE] [--json] [--config FILE] BASE_URL|MODEL",
		Short: "Check whether a server conforms to its API",
		Long: "Conformance sends small requests to a server over the API of OpenAI (Chat Completions or Responses), Anthropic, Gemini " +
			"or Ollama. It checks the answers against the documentation of that API: calls whole and streamed, ids, finish reasons, " +
			"tool choice, tool results, truncated calls, large integers, text, schemas, reasoning, token usage, errors and stream " +
			"events. It prints a line for each check, and a score for each area. For a failed check it also prints the request as a " +
			"curl command, the answer, the page of the documentation, and the effect on clients.\n\n" +
			"Protocol checks depend only on the server. Model checks need a model that calls tools as instructed. Each model check " +
			"is tried several times. It counts as not tested if the model does something else. The maximum number of requests is " +
			"printed first.\n\n" +
			"The argument is the address of a server, or a model of the configuration. Without --api the first API that the server " +
			"answers is checked, and the others are named.\n\n" +
			"The exit status is 0 if no check failed. It is 1 if a check failed or the server could not be tested.",
		Example: "  callwright conformance http://127.0.0.1:8080/v1\n  callwright conformance --api all --junit results.xml http://127.0.0.1:11434\n" +
			"  callwright conformance --key-env XAI_API_KEY https://api.x.ai/v1\n  callwright conformance sim/native",
		Args: in.OneArg, ValidArgsFunction: in.OfferModels(&k.config),
		RunE: func(c *cobra.Command, args []string) error { return k.run(c.Context(), args[0]) },
	}
	in.ConfigFlag(c, &k.config)
	f := c.Flags()
	f.StringVar(&k.api, "api", "", "check this API, `NAME`: "+strings.Join(conformance.APIs(), ", ")+
		"; all checks every API that the server answers")
	f.StringVar(&k.model, "model", "", "use the model `NAME` of the server; without it, the first model that the server lists")
	f.StringSliceVar(&k.only, "only", nil, "run only the checks of these `AREA`s: "+strings.Join(conformance.Areas(), ", "))
	f.StringVar(&k.keyEnv, "key-env", "", "send the key in the environment variable `NAME`")
	f.StringArrayVar(&k.headers, "header", nil, "send the header `'NAME: VALUE'`; a value env:VARIABLE is read from the environment")
	f.DurationVar(&k.timeout, "timeout", 2*time.Minute, "wait at most this `TIME` for one answer")
	f.IntVar(&k.tries, "tries", 3, "try a model check `N` times")
	f.IntVar(&k.tokens, "max-tokens", 1024, "limit answers to `N` tokens")
	f.IntVar(&k.concurrency, "concurrency", 2, fmt.Sprintf("send `N` requests at a time, at most %d", maxConcurrency))
	f.StringVar(&k.page, "page", "", "write the results to `FILE`, as a page for a browser")
	f.StringVar(&k.junit, "junit", "", "write the results to `FILE`, as a JUnit report")
	f.BoolVar(&k.asJSON, "json", false, "print one JSON object")
	completion.Words(c, "api", append(conformance.APIs(), every))
	completion.Words(c, "only", conformance.Areas())
	return c
}

type command struct {
	in                              Input
	config, api, model, page, junit string
	keyEnv                          string
	only, headers                   []string
	timeout                         time.Duration
	tries, tokens, concurrency      int
	asJSON                          bool
}

// maxConcurrency is the maximum number of concurrent requests; the command is no load test.
const maxConcurrency = 8

func (k *command) run(ctx context.Context, target string) error {
	if err := k.check(); err != nil {
		return k.in.Misuse(err)
	}
	o, done, err := k.target(ctx, target)
	if err != nil {
		return err
	}
	defer done()
	page, err := pagefile.Open(k.page)
	if err != nil {
		return err
	}
	defer page.Close()
	junit, err := pagefile.Open(k.junit)
	if err != nil {
		return err
	}
	defer junit.Close()
	apis, o, err := k.find(ctx, o)
	if err != nil {
		return err
	}
	cards, err := k.cards(ctx, o, apis)
	if err != nil {
		return err
	}
	if err := errors.Join(k.show(cards), page.Write(func(w io.Writer) error { return writePage(w, cards) }),
		junit.Write(func(w io.Writer) error { return writeJUnit(w, cards) })); err != nil {
		return err
	}
	return verdict(cards)
}

// check returns an error for an invalid value of a command-line flag.
func (k *command) check() error {
	switch {
	case k.api != "" && k.api != every && !slices.Contains(conformance.APIs(), k.api):
		return fmt.Errorf("--api %q: expected %s or %s", k.api, strings.Join(conformance.APIs(), ", "), every)
	case k.tries < 1 || k.tries > 10:
		return fmt.Errorf("--tries %d: expected a number from 1 to 10", k.tries)
	case k.tokens < 64:
		return fmt.Errorf("--max-tokens %d: expected 64 or more", k.tokens)
	case k.concurrency < 1 || k.concurrency > maxConcurrency:
		return fmt.Errorf("--concurrency %d: expected a number from 1 to %d", k.concurrency, maxConcurrency)
	case k.timeout <= 0:
		return fmt.Errorf("--timeout %s: expected a positive time such as 30s", k.timeout)
	}
	for _, area := range k.only {
		if !slices.Contains(conformance.Areas(), area) {
			return fmt.Errorf("--only %q: the areas are %s", area, strings.Join(conformance.Areas(), ", "))
		}
	}
	return nil
}

// find returns the APIs to check, and o with the model to use. It queries the server for missing values.
func (k *command) find(ctx context.Context, o conformance.Options) ([]string, conformance.Options, error) {
	if o.API != "" && o.Model != "" {
		return []string{o.API}, o, nil
	}
	fmt.Fprintf(k.in.Err, "at most %d requests detect the APIs of the server\n", conformance.FindRequests())
	var wanted []string
	if o.API != "" {
		wanted = []string{o.API}
	}
	found, err := conformance.Find(ctx, o, wanted...)
	if err != nil {
		return nil, o, err
	}
	if o.Model == "" {
		o.Model = found.Models[0]
	}
	if k.api == every || len(found.APIs) == 1 {
		return found.APIs, o, nil
	}
	fmt.Fprintf(k.in.Err, "the server answers the APIs %s: %s is checked; --api selects another one or all\n",
		strings.Join(found.APIs, ", "), found.APIs[0])
	return found.APIs[:1], o, nil
}

// cards checks the APIs one after the other and returns a result card for each.
func (k *command) cards(ctx context.Context, o conformance.Options, apis []string) ([]*conformance.Card, error) {
	var cards []*conformance.Card
	for _, api := range apis {
		o.API = api
		fmt.Fprintf(k.in.Err, "%s: at most %d requests of at most %d tokens of output each\n", conformance.Title(api),
			conformance.MaxRequests(o), k.tokens)
		progress := paint.New(k.in.Err, k.in.Env)
		if paint.IsTerminal(k.in.Err) {
			n := 0
			o.Progress = func(c conformance.Check) {
				n++
				progress.Update(fmt.Sprintf("%d checks: %s", n, c.Name))
			}
		}
		card, err := conformance.Run(ctx, o)
		progress.Clear()
		if err != nil {
			return nil, err
		}
		cards = append(cards, card)
	}
	return cards, nil
}

// show prints the result cards as text or JSON.
func (k *command) show(cards []*conformance.Card) error {
	if k.asJSON {
		return jsonx.WriteLine(k.in.Out, map[string]any{"cards": cards})
	}
	p := paint.New(k.in.Out, k.in.Env)
	for i, card := range cards {
		if i > 0 {
			p.Println()
		}
		printCard(p, card)
	}
	return nil
}

// verdict returns an error with the number of failed checks, nil if none failed.
func verdict(cards []*conformance.Card) error {
	failed, all := 0, 0
	for _, card := range cards {
		failed, all = failed+card.Count(conformance.Failed), all+len(card.Checks)
	}
	if failed == 0 {
		return nil
	}
	return fmt.Errorf("%d of %d checks failed", failed, all)
}
