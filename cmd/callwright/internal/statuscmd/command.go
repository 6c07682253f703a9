// Package statuscmd implements callwright status, which displays the status of a running gateway.
package statuscmd

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/callwright/callwright/cmd/callwright/internal/launch"
	"github.com/callwright/callwright/internal/config"
	"github.com/callwright/callwright/internal/health"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/internal/progress"
	"github.com/spf13/cobra"
)

// Input contains the dependencies of the command callwright status.
type Input struct {
	Out io.Writer
	Env func(name string) (value string, ok bool)
	// Misuse wraps the error of an invalid command line, so that the exit status is 2.
	Misuse func(error) error
	// ConfigFlag adds the flag --config, which stores the file name in *file.
	ConfigFlag func(c *cobra.Command, file *string)
	// Config loads a configuration file, "" for the default.
	Config func(ctx context.Context, file string) (c *config.Config, hint string, err error)
}

// New returns the command callwright status.
func New(in Input) *cobra.Command {
	k := command{in: in}
	c := &cobra.Command{
		Use:   "status [--config FILE] [--url URL] [--key KEY] [--json | --ready]",
		Short: "Show the status of a running gateway",
		Long: "Status prints the version of a running gateway, its uptime, its requests by outcome, its problems with remedies, the " +
			"worst first, and its running requests with their state. The gateway is the one at --url, or else at the address of the " +
			"configuration. The request uses the key of --key or CALLWRIGHT_KEY. Without these and without --url it uses the first " +
			"key of the configuration. The key needs the verb metrics.\n\n" +
			"The exit status is 0 if there is no problem, 1 if there is one, and 2 if the status is unknown. --ready only asks " +
			"whether the gateway accepts requests, without a key. Its exit status is 0 if it does, else 1, as health checks of " +
			"containers expect.",
		Example: "  callwright status\n  callwright status --ready\n  callwright status --url https://gateway.example --json",
		Args:    cobra.ArbitraryArgs,
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) > 0 {
				return in.Misuse(fmt.Errorf("expected no argument, got %q: %s", args[0], c.UseLine()))
			}
			return k.run(c.Context())
		},
	}
	in.ConfigFlag(c, &k.config)
	c.Flags().StringVar(&k.url, "url", "", "use the gateway at this `URL`")
	c.Flags().StringVar(&k.key, "key", "", "send this `KEY`")
	c.Flags().BoolVar(&k.asJSON, "json", false, "print one JSON object")
	c.Flags().BoolVar(&k.ready, "ready", false, "only ask whether the gateway accepts requests")
	c.MarkFlagsMutuallyExclusive("json", "ready")
	return c
}

type command struct {
	in               Input
	config, url, key string
	asJSON, ready    bool
}

func (k *command) run(ctx context.Context) error {
	g, err := k.gateway(ctx)
	switch {
	case err != nil && k.ready:
		return err
	case err != nil:
		return k.in.Misuse(err)
	case k.ready:
		return k.askReady(ctx, g)
	}
	text, err := g.Status(ctx)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil {
		return k.in.Misuse(err)
	}
	var s health.Status
	if err := json.Unmarshal(text, &s); err != nil || s.State == "" {
		return k.in.Misuse(fmt.Errorf("%s: %w", g.Address, launch.ErrStranger))
	}
	if k.asJSON {
		if err := jsonx.WriteLine(k.in.Out, json.RawMessage(text)); err != nil {
			return err
		}
	} else {
		show(k.in.Out, g.Address, &s)
		if err := k.showRunning(ctx, g); err != nil {
			return k.in.Misuse(err)
		}
	}
	switch n := len(s.Problems); n {
	case 0:
		return nil
	case 1:
		return errors.New("1 problem")
	default:
		return fmt.Errorf("%d problems", n)
	}
}

// showRunning fetches and prints the requests that the gateway is answering.
func (k *command) showRunning(ctx context.Context, g *launch.Gateway) error {
	text, err := g.Running(ctx)
	if err != nil || text == nil {
		return err
	}
	var list progress.Listing
	if err := json.Unmarshal(text, &list); err != nil {
		return fmt.Errorf("%s: %w", g.Address, launch.ErrStranger)
	}
	showRunning(k.in.Out, &list)
	return nil
}

// askReady returns an error if the gateway does not accept requests.
func (k *command) askReady(ctx context.Context, g *launch.Gateway) error {
	ready, reasons, err := g.Ready(ctx)
	switch {
	case err != nil:
		return err
	case !ready:
		return fmt.Errorf("%s is not ready: %s", g.Address, strings.Join(reasons, "; "))
	}
	fmt.Fprintf(k.in.Out, "%s is ready\n", g.Address)
	return nil
}

// gateway returns the client for the gateway. It loads the configuration only if the command line lacks the URL or the
// key.
func (k *command) gateway(ctx context.Context) (*launch.Gateway, error) {
	key := k.key
	if key == "" {
		key, _ = k.in.Env(launch.KeyVariable)
	}
	if k.url != "" {
		return launch.GatewayAt(k.url, key)
	}
	conf, _, err := k.in.Config(ctx, k.config)
	if err != nil { // the gateway may run with an earlier configuration
		return nil, fmt.Errorf("%w\nthe configuration contains the address of the gateway: correct it, or name the address with --url", err)
	}
	listen, _, err := conf.Access("", k.in.Env)
	if err != nil {
		return nil, err
	}
	if key == "" {
		key = conf.PresentedKey(k.in.Env)
	}
	return launch.NewGateway(listen, key, string(conf.Server.TLS.Cert))
}
