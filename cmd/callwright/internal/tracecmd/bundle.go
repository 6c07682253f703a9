package tracecmd

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/cmd/callwright/internal/bundle"
	"github.com/callwright/callwright/cmd/callwright/internal/launch"
	"github.com/callwright/callwright/cmd/callwright/internal/paint"
	"github.com/callwright/callwright/internal/atomicfile"
	"github.com/callwright/callwright/internal/config"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/internal/outcome"
	"github.com/callwright/callwright/internal/trace"
	"github.com/spf13/cobra"
)

// NewBundle returns the command that writes the evidence bundle of a request.
func NewBundle(in Input) *cobra.Command {
	k := bundling{in: in, from: listing{in: in}}
	c := &cobra.Command{
		DisableFlagsInUseLine: true,

		Use:   "bundle [ID] [--dir DIR] [--config FILE] [--url URL] [--key KEY] [--out FILE] [--case FILE] [--json]",
		Short: "Write everything known about a request to an archive, for an issue",
		Long: "Bundle writes an archive for an issue, with everything known about one request except secrets: the requests and " +
			"answers of the client and the providers, the versions of the programs, the facts about the model with their sources, " +
			"the settings of the model, and the report. A text names the side that broke the request: the model, the engine that " +
			"runs it, the provider, the client or callwright. It can also be uncertain. The archive also has the smallest case with " +
			"the same finding, as case.txtar. callwright replay replays it without the trace, the configuration or the network.\n\n" +
			"Without an ID the latest failed or healed request of the trace is used. The trace is that of --dir, or that of the " +
			"configuration, in its folder or on NATS. With --url a running gateway reads it. The key for the gateway is --key or " +
			"CALLWRIGHT_KEY, and needs the verb ui. A trace without contents is not sufficient.\n\n" +
			"Secrets are found by the forms of keys, by names beside them, and by the values in the configuration. Read the files " +
			"before you publish them.",
		Example: "  callwright trace bundle --dir traces/ rep_0199c0de5a7f\n" +
			"  callwright trace bundle --url http://127.0.0.1:8787 rep_0199c0de5a7f",
		Args:              cobra.ArbitraryArgs,
		ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(c *cobra.Command, args []string) error {
			switch {
			case len(args) > 1:
				return in.Misuse(fmt.Errorf("expected the ID of one request, got %d: callwright trace lists the IDs", len(args)))
			case len(args) == 0 && k.url != "":
				return in.Misuse(errors.New("expected an ID with --url: the log and the header Callwright-Report of the answer have it"))
			}
			return k.run(c.Context(), strings.Join(args, ""))
		},
	}
	in.ConfigFlag(c, &k.from.config)
	c.Flags().StringVar(&k.from.dir, "dir", "",
		"the folder `DIR` or the file of the trace; without it the trace of the configuration, in its folder or on NATS")
	c.Flags().StringVar(&k.url, "url", "", "get the bundle from the gateway at this `URL`")
	c.Flags().StringVar(&k.key, "key", "", "send this `KEY` to the gateway")
	c.Flags().StringVar(&k.out, "out", "", "write the archive to this `FILE`; without it to callwright-ID.zip in this folder")
	c.Flags().StringVar(&k.caseFile, "case", "", "also write the smallest case to this `FILE`, for callwright replay")
	c.Flags().BoolVar(&k.asJSON, "json", false, "print one JSON object")
	c.MarkFlagsMutuallyExclusive("dir", "url")
	return c
}

type bundling struct {
	in            Input
	from          listing
	url, key, out string
	caseFile      string
	asJSON        bool
}

func (k *bundling) run(ctx context.Context, id string) error {
	archive, err := k.archive(ctx, id)
	if err != nil {
		return err
	}
	summary, err := bundle.ReadSummary(archive)
	if err != nil {
		return err
	}
	name := cmp.Or(k.out, (&bundle.Bundle{ID: summary.ID}).FileName())
	if err := atomicfile.ReplacePath(name, archive, 0o600); err != nil {
		return k.in.Misuse(err)
	}
	if err := k.writeCase(archive, &summary); err != nil {
		return err
	}
	if k.asJSON {
		return jsonx.WriteLine(k.in.Out, struct {
			File string `json:"file"`
			bundle.Summary
		}{name, summary})
	}
	out := paint.New(k.in.Out, k.in.Env)
	out.Println(paint.Visible(filepath.ToSlash(name)))
	for _, line := range summary.Lines() {
		out.Println("  " + paint.Visible(line))
	}
	return nil
}

// writeCase writes the case of the bundle to the file of --case, if it is set.
func (k *bundling) writeCase(archive []byte, s *bundle.Summary) error {
	if k.caseFile == "" {
		return nil
	}
	text, err := bundle.ReadFile(archive, bundle.CaseName)
	if err == nil && text == nil {
		err = fmt.Errorf("there is no case: %s", s.Replay.Why)
	}
	if err != nil {
		return err
	}
	if err := atomicfile.ReplacePath(k.caseFile, text, 0o600); err != nil {
		return k.in.Misuse(err)
	}
	return nil
}

// latest returns the id of the latest request that failed or was healed.
func (k *bundling) latest(ctx context.Context, r trace.LogReader) (string, error) {
	var found []trace.Summary
	for _, o := range []outcome.Outcome{outcome.Failed, outcome.Healed} {
		list, err := r.List(ctx, trace.Query{Outcome: o, Limit: 1})
		if err != nil {
			return "", err
		}
		found = append(found, list...)
	}
	if len(found) == 0 {
		return "", fmt.Errorf("%s has no failed or healed request: name another one by its ID; callwright trace lists the IDs", k.from.dir)
	}
	return slices.MaxFunc(found, func(a, b trace.Summary) int { return a.Time.Compare(b.Time) }).ID, nil
}

// archive creates the bundle, or fetches it from the gateway at --url.
func (k *bundling) archive(ctx context.Context, id string) ([]byte, error) {
	if k.url != "" {
		key := k.key
		if key == "" {
			key, _ = k.in.Env(launch.KeyVariable)
		}
		g, err := launch.GatewayAt(k.url, key)
		if err != nil {
			return nil, k.in.Misuse(err)
		}
		return g.Bundle(ctx, id)
	}
	if k.key != "" {
		return nil, k.in.Misuse(errors.New("--key needs --url: the key is for a gateway"))
	}
	reader, done, err := k.from.open(ctx)
	if err != nil {
		return nil, err
	}
	defer done()
	if id == "" {
		if id, err = k.latest(ctx, reader); err != nil {
			return nil, err
		}
	}
	entries, err := reader.Entries(ctx, id)
	if callwright.KindOf(err) == callwright.KindNotFound {
		return nil, fmt.Errorf("%s has no request with the id %q", k.from.dir, id)
	}
	if err != nil {
		return nil, err
	}
	conf, err := k.configuration(ctx)
	if err != nil {
		return nil, err
	}
	b, err := bundle.Make(ctx, bundle.Input{Entries: entries, Config: conf, Credentials: conf.Credentials(k.in.Env)})
	if err != nil {
		return nil, err
	}
	return b.Zip()
}

// configuration returns the configuration of --config or of this folder. If neither exists, it returns the defaults.
func (k *bundling) configuration(ctx context.Context) (*config.Config, error) {
	if k.from.config == "" {
		if _, err := os.Stat(k.in.OwnConfig); err != nil {
			return &config.Config{}, nil
		}
	}
	conf, _, err := k.in.Config(ctx, k.from.config)
	return conf, err
}
