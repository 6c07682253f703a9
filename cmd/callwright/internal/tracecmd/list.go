package tracecmd

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/cmd/callwright/internal/completion"
	"github.com/callwright/callwright/cmd/callwright/internal/paint"
	"github.com/callwright/callwright/cmd/callwright/internal/traceview"
	"github.com/callwright/callwright/internal/config"
	"github.com/callwright/callwright/internal/errorkind"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/internal/outcome"
	"github.com/callwright/callwright/internal/trace"
	"github.com/spf13/cobra"
)

// New returns the command callwright trace, which lists requests or shows one.
func New(in Input) *cobra.Command {
	t := listing{in: in}
	c := &cobra.Command{
		Use: "trace [[--id] ID] [--dir DIR] [--config FILE] [--key NAME] [--session S] [--tool T]... [--error KIND] [--text WORDS]... [--model M] [--rule RULE]" +
			" [--outcome OUTCOME] [--since AGE] [--limit N] [--json]",
		Short: "List the requests of a trace, or show one",
		Long: "Trace lists the requests of a trace, the latest first, with their time, model, outcome and rules of the changes. A " +
			"request must match all filters. --text searches messages, calls, notes and errors. With an ID it prints one request: " +
			"the client's request, the provider requests, the answers, the changes, and the answer for the client. The log and the " +
			"header Callwright-Report of an answer have the ID.",
		Example: "  callwright trace --dir traces/\n  callwright trace --dir traces/ --outcome failed --since 1h\n  callwright trace --dir traces/ --rule 'json.*' --json\n" +
			"  callwright trace --dir traces/ --key ada --tool get_weather --text Oslo\n" +
			"  callwright trace --dir traces/ rep_0199c0de5a7f7000a3f1c2d4e5b60718",
		ValidArgsFunction: cobra.NoFileCompletions,
		RunE:              func(c *cobra.Command, args []string) error { return t.run(c.Context(), args) },
	}
	in.ConfigFlag(c, &t.config)
	c.Flags().StringVar(&t.dir, "dir", "",
		"the folder `DIR` or the file of the trace; without it the trace of the configuration, in its folder or on NATS")
	c.Flags().StringVar(&t.id, "id", "", "show the request with this `ID`")
	c.Flags().StringVar(&t.query.Key, "key", "", "list the requests with the key of this `NAME`")
	c.Flags().StringVar(&t.query.Session, "session", "", "list the requests of this `session`; --json prints the session of each request")
	c.Flags().StringArrayVar(&t.query.Tools, "tool", nil,
		"list the requests whose answer calls this `tool`, including rejected calls; may be repeated: all must be called")
	c.Flags().StringVar((*string)(&t.query.Kind), "error", "", "list the requests that failed with an error of this `KIND`, such as timeout")
	c.Flags().StringArrayVar(&t.text, "text", nil,
		"list the requests with all of these `WORDS`, in any case; words in double quotes must be adjacent")
	c.Flags().StringVar((*string)(&t.query.Model), "model", "", "list the requests for this `model`, and those that it answered")
	c.Flags().StringVar(&t.query.Rule, "rule", "",
		"list the requests with a note of this `RULE`, such as json.quotes, or of a family, such as json.*")
	c.Flags().StringVar((*string)(&t.query.Outcome), "outcome", "", "list the requests with this `OUTCOME`: "+strings.Join(outcomes, ", "))
	c.Flags().DurationVar(&t.since, "since", 0, "list the requests of at most this `AGE`, such as 1h")
	c.Flags().IntVar(&t.query.Limit, "limit", 20, "list at most `N` requests")
	c.Flags().BoolVar(&t.asJSON, "json", false,
		"print one JSON object per line: each listed request, or each trace entry of one request")
	completion.Of(c, "model", in.OfferModels(&t.config))
	completion.Words(c, "outcome", outcomes)
	completion.Words(c, "error", kinds())
	return c
}

// outcomes are the names of the outcomes of a request, for completion.
var outcomes = outcome.Names()

// kinds returns the names of error kinds, for completion.
func kinds() (out []string) {
	for _, k := range errorkind.All() {
		out = append(out, string(k))
	}
	return out
}

type listing struct {
	in              Input
	config, dir, id string
	query           trace.Query
	text            []string
	since           time.Duration
	asJSON          bool
}

func (t *listing) run(ctx context.Context, args []string) error {
	reader, done, err := t.open(ctx)
	if err != nil {
		return err
	}
	defer done()
	if len(args) == 1 && t.id != "" {
		return t.in.Misuse(errors.New("expected an ID or --id, got both"))
	}
	if id := cmp.Or(t.id, strings.Join(args, "")); id != "" {
		return t.show(ctx, reader, id)
	}
	if err := t.complete(); err != nil {
		return err
	}
	list, err := reader.List(ctx, t.query)
	if err != nil {
		return err
	}
	if len(list) == 0 && !t.asJSON {
		fmt.Fprintf(t.in.Err, "%s has no such request\n", t.dir)
	}
	out := paint.New(t.in.Out, t.in.Env)
	for i := range list {
		if t.asJSON {
			if err := jsonx.WriteLine(t.in.Out, &list[i]); err != nil {
				return err
			}
			continue
		}
		traceview.Line(out, &list[i])
	}
	return nil
}

// open opens the trace that the flags select. The caller must call done.
func (t *listing) open(ctx context.Context) (r trace.LogReader, done func(), err error) {
	if t.dir == "" {
		conf, _, err := t.in.Config(ctx, t.config)
		if err != nil {
			return nil, nil, err
		}
		if conf.Trace.NATS == config.On {
			t.dir = conf.State.NATS.Hosts()
			return t.in.openSharedTrace(ctx, conf)
		}
		t.dir = string(conf.Trace.File)
	}
	if t.dir == "" {
		return nil, nil, t.in.Misuse(errors.New("no trace is named, and the configuration has none: name one with --dir; callwright serve --trace traces/ writes one"))
	}
	if _, err := os.Stat(t.dir); err != nil {
		return nil, nil, t.in.Misuse(err)
	}
	return trace.NewFolderReader(t.dir, nil, trace.LogLimits{Age: -1}), func() {}, nil // no age limit
}

// complete validates the query and adds the values of flags that must be parsed.
func (t *listing) complete() error {
	q := &t.query
	for _, text := range t.text {
		q.Text = append(q.Text, trace.Words(text)...)
	}
	if t.since > 0 {
		q.Since = time.Now().Add(-t.since)
	}
	switch {
	case q.Outcome != "" && !slices.Contains(outcomes, string(q.Outcome)):
		return t.in.Misuse(fmt.Errorf("--outcome: expected one of %s, got %q", strings.Join(outcomes, ", "), q.Outcome))
	case q.Kind != "" && !slices.Contains(errorkind.All(), q.Kind):
		return t.in.Misuse(fmt.Errorf("--error: expected one of %s, got %q", strings.Join(kinds(), ", "), q.Kind))
	case q.Limit < 1 || q.Limit > trace.MostListed:
		return t.in.Misuse(fmt.Errorf("--limit: expected 1 to %d, got %d", trace.MostListed, q.Limit))
	case t.since < 0:
		return t.in.Misuse(fmt.Errorf("--since: expected a time such as 1h, got %v", t.since))
	}
	return nil
}

// show prints one request: the request, the exchanged bytes, the response, and the changes.
func (t *listing) show(ctx context.Context, r trace.LogReader, id string) error {
	entries, err := r.Entries(ctx, id)
	if callwright.KindOf(err) == callwright.KindNotFound {
		return fmt.Errorf("%s has no request with the id %q", t.dir, id)
	}
	if err != nil {
		return err
	}
	if t.asJSON {
		for i := range entries {
			line, err := entries[i].Line()
			if err != nil {
				return err
			}
			if _, err := t.in.Out.Write(line); err != nil {
				return err
			}
		}
		return nil
	}
	traceview.Request(paint.New(t.in.Out, t.in.Env), entries)
	return nil
}
