package tracecmd

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/cmd/callwright/internal/bundle"
	"github.com/callwright/callwright/cmd/callwright/internal/launch"
	"github.com/callwright/callwright/cmd/callwright/internal/paint"
	"github.com/callwright/callwright/internal/atomicfile"
	"github.com/callwright/callwright/internal/config"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/spf13/cobra"
)

// NewBundle makes the command that writes the evidence bundle of a request.
func NewBundle(in Input) *cobra.Command {
	k := bundling{in: in, from: listing{in: in}}
	c := &cobra.Command{
		DisableFlagsInUseLine: true,

		Use:   "bundle ID [--dir DIR] [--config FILE] [--url URL] [--key KEY] [--out FILE] [--json]",
		Short: "Write all that is known of a request, for an issue",
		Long: "Bundle writes an archive with all that is known of one request, without secrets: what the client and each provider sent and got, the versions of the\n" +
			"programs, the facts about the model with their sources, the settings that hold for it, the report, and a text for an issue that says which side broke\n" +
			"the request: the model, the engine that runs it, the provider, the client or callwright, or that it is not certain. The smallest case that comes to\n" +
			"the same finding is in it, too, as case.txtar: callwright replay reads it without the trace, the configuration and the network.\n\n" +
			"The request is read from the trace in --dir, from that of the configuration, on NATS where that keeps it, or by a running gateway, at --url. A key for\n" +
			"that is --key or CALLWRIGHT_KEY, and needs the verb ui. A trace that was recorded without what was said has too little.\n\n" +
			"Secrets are found by the forms of keys, by the names beside them, and by what the configuration has. Read the files before you publish them.",
		Example: "  callwright trace bundle --dir traces/ rep_0199c0de5a7f\n" +
			"  callwright trace bundle --url http://127.0.0.1:8787 rep_0199c0de5a7f",
		Args:              cobra.ArbitraryArgs,
		ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) != 1 {
				return in.Misuse(fmt.Errorf("expected the ID of one request, got %d: callwright trace lists them", len(args)))
			}
			return k.run(c.Context(), args[0])
		},
	}
	in.ConfigFlag(c, &k.from.config)
	c.Flags().StringVar(&k.from.dir, "dir", "", "the folder `DIR` or the file of the trace; without it the trace of the configuration, on NATS where that keeps it")
	c.Flags().StringVar(&k.url, "url", "", "ask the gateway at this `URL` for the bundle")
	c.Flags().StringVar(&k.key, "key", "", "present this `KEY` to the gateway")
	c.Flags().StringVar(&k.out, "out", "", "write the archive to this `FILE`; without it to callwright-ID.zip in this folder")
	c.Flags().BoolVar(&k.asJSON, "json", false, "print one JSON object")
	c.MarkFlagsMutuallyExclusive("dir", "url")
	return c
}

type bundling struct {
	in            Input
	from          listing
	url, key, out string
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

// archive makes the archive, or has a gateway make it.
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
		return nil, k.in.Misuse(errors.New("expected --url with --key: it is for a gateway"))
	}
	reader, done, err := k.from.open(ctx)
	if err != nil {
		return nil, err
	}
	defer done()
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

// configuration is the one that is named, or that of this folder; without either the settings that hold without any.
func (k *bundling) configuration(ctx context.Context) (*config.Config, error) {
	if k.from.config == "" {
		if _, err := os.Stat(k.in.OwnConfig); err != nil {
			return &config.Config{}, nil
		}
	}
	conf, _, err := k.in.Config(ctx, k.from.config)
	return conf, err
}
