package keyscmd

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/callwright/callwright/cmd/callwright/internal/paint"
	"github.com/callwright/callwright/internal/config"
	"github.com/callwright/callwright/internal/keyapi"
	"github.com/callwright/callwright/internal/ledger"
	"github.com/spf13/cobra"
)

// Input contains the dependencies of the command callwright keys.
type Input struct {
	Out, Err io.Writer
	Env      func(name string) (value string, ok bool)
	// Misuse wraps the error of an invalid command line, so that the exit status is 2.
	Misuse func(error) error
	// ConfigFlag adds the flag --config, which stores the file name in *file.
	ConfigFlag func(c *cobra.Command, file *string)
	// Config loads a configuration file, "" for the default.
	Config func(ctx context.Context, file string) (c *config.Config, hint string, err error)
	// OneArg and NoArgs validate the number of arguments.
	OneArg, NoArgs cobra.PositionalArgs
}

// where is the last part of the description of commands that call a gateway.
const where = "The gateway is the one at --url, or else at the address of the configuration. The request uses the key of --key or CALLWRIGHT_KEY. " +
	"Without these and without --url it uses the first key of the configuration. The key needs the verb admin."

// New returns the command callwright keys with its subcommands.
func New(in Input) *cobra.Command {
	c := &cobra.Command{
		Use:   "keys",
		Short: "Make and list keys for clients, and change the keys of a running gateway",
		Long: "Keys makes and lists the keys that clients send to the gateway. It reads the keys of the configuration and of its " +
			"keys_file. With --url it uses the keys of a running gateway.",
		Example: "  callwright keys new ci\n  callwright keys list\n  callwright keys rotate ci --overlap 24h",
		Args:    in.NoArgs,
		RunE:    func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	c.AddCommand(in.newNew(), in.newList(), in.newDisable(true), in.newDisable(false), in.newRotate(), in.newDelete(), in.newUsage())
	for _, sub := range c.Commands() {
		sub.DisableFlagsInUseLine = true
	}
	return c
}

// command returns a subcommand. run receives the gateway and the name of a key, "" if the subcommand has no argument.
func (in *Input) command(use, short, long, example string, run func(ctx context.Context, r *Remote, name string) error) *cobra.Command {
	var file string
	r := &Remote{Out: in.Out, Env: in.Env}
	r.conf = func(ctx context.Context) (*config.Config, error) {
		conf, _, err := in.Config(ctx, file)
		return conf, err
	}
	named := strings.HasSuffix(use, " NAME")
	c := &cobra.Command{Use: use, Short: short, Long: long + "\n\n" + where, Example: example, Args: cobra.ArbitraryArgs,
		RunE: func(c *cobra.Command, args []string) error {
			switch {
			case named && len(args) != 1:
				return in.Misuse(fmt.Errorf("expected the name of a key, got %d arguments: %s", len(args), c.UseLine()))
			case !named && len(args) > 0:
				return in.Misuse(fmt.Errorf("expected no argument, got %q: %s", args[0], c.UseLine()))
			case named:
				return run(c.Context(), r, args[0])
			}
			return run(c.Context(), r, "")
		}}
	in.ConfigFlag(c, &file)
	r.Flags(c.Flags())
	return c
}

func (in *Input) newDisable(disabled bool) *cobra.Command {
	use, short, long, done := "disable", "Disable a key of a running gateway",
		"Disable makes a running gateway reject a key. The key's settings, usage and stored data remain.", "is disabled"
	if !disabled {
		use, short, long, done = "enable", "Enable a disabled key of a running gateway",
			"Enable makes a running gateway accept a disabled key again.", "is enabled"
	}
	return in.command(use+" [--config FILE] [--url URL] [--key KEY] NAME", short, long, "  callwright keys "+use+" ci",
		func(ctx context.Context, r *Remote, name string) error {
			_, err := r.call(ctx, http.MethodPatch, pathOf(name), []byte(`{"disabled":`+strconv.FormatBool(disabled)+`}`), nil)
			if err == nil {
				fmt.Fprintf(in.Out, "the key %s %s\n", paint.Visible(name), done)
			}
			return err
		})
}

func (in *Input) newRotate() *cobra.Command {
	var overlap string
	var asJSON bool
	c := in.command("rotate [--config FILE] [--url URL] [--key KEY] [--overlap TIME] [--json] NAME",
		"Replace the secret of a key of a running gateway",
		"Rotate makes and prints a new secret for a key of a running gateway. The previous secret is accepted for the time of --overlap, "+
			"so that clients can be changed one after the other.",
		"  callwright keys rotate ci --overlap 24h",
		func(ctx context.Context, r *Remote, name string) error {
			if _, err := time.ParseDuration(overlap); overlap != "" && err != nil {
				return fmt.Errorf("--overlap: expected a duration such as 24h or 30m, got %q", overlap)
			}
			body, err := json.Marshal(keyapi.RotateRequest{Overlap: overlap})
			if err != nil {
				return err
			}
			var out keyapi.NewKey
			text, err := r.call(ctx, http.MethodPost, pathOf(name)+"/rotate", body, &out)
			if err != nil {
				return err
			}
			return r.printSecret(text, &out, asJSON)
		})
	c.Flags().StringVar(&overlap, "overlap", "", "also accept the previous secret for this `TIME`, such as 24h")
	c.Flags().BoolVar(&asJSON, "json", false, "print one JSON object")
	return c
}

func (in *Input) newDelete() *cobra.Command {
	return in.command("delete [--config FILE] [--url URL] [--key KEY] NAME", "Delete a key of a running gateway",
		"Delete removes a key of a running gateway. Its usage and stored data remain under its name. To keep the settings, disable the key instead.", "  callwright keys delete ci",
		func(ctx context.Context, r *Remote, name string) error {
			_, err := r.call(ctx, http.MethodDelete, pathOf(name), nil, nil)
			if err == nil {
				fmt.Fprintf(in.Out, "the key %s is deleted\n", paint.Visible(name))
			}
			return err
		})
}

func (in *Input) newUsage() *cobra.Command {
	var by, from, to, form string
	c := in.command("usage [--config FILE] [--url URL] [--key KEY] [--by COLUMNS] [--from DAY] [--to DAY] [--format FORM]",
		"Show the usage by key, group, model and day",
		"Usage prints the usage of the last 30 days, or of the days from --from to --to, by the columns of --by.",
		"  callwright keys usage --by key,model\n  callwright keys usage --by day --from 2026-03-01 --format csv",
		func(ctx context.Context, r *Remote, _ string) error {
			v := url.Values{"by": {by}}
			for name, text := range map[string]string{"from": from, "to": to} {
				if text != "" {
					v.Set(name, text)
				}
			}
			if form == "csv" || form == "json" {
				v.Set("format", form)
				text, err := r.call(ctx, http.MethodGet, usagePath+"?"+v.Encode(), nil, nil)
				if err == nil {
					_, err = in.Out.Write(text)
				}
				return err
			}
			if form != "" {
				return in.Misuse(fmt.Errorf("--format: expected json or csv, got %q", form))
			}
			var t ledger.Table
			if _, err := r.call(ctx, http.MethodGet, usagePath+"?"+v.Encode(), nil, &t); err != nil {
				return err
			}
			return printTable(in.Out, &t)
		})
	c.Flags().StringVar(&by, "by", "key", "group the usage by these `COLUMNS`: some of key, group, model and day")
	c.Flags().StringVar(&from, "from", "", "the first `DAY`, in UTC")
	c.Flags().StringVar(&to, "to", "", "the last `DAY`, in UTC; without it today")
	c.Flags().StringVar(&form, "format", "", "print `json or csv` instead of a table")
	return c
}

// printTable prints a usage table as text.
func printTable(out io.Writer, t *ledger.Table) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	for _, c := range t.By {
		fmt.Fprintf(w, "%s\t", strings.ToUpper(string(c)))
	}
	fmt.Fprintln(w, "REQUESTS\tINPUT\tCACHED\tOUTPUT\tUSD\tUNPRICED")
	for i := range t.Rows {
		for _, c := range t.By {
			text := paint.Visible(t.Rows[i].Text(c))
			if text == "" {
				text = "-"
			}
			fmt.Fprintf(w, "%s\t", text)
		}
		printLine(w, &t.Rows[i])
	}
	if n := len(t.By); n > 0 {
		fmt.Fprint(w, "total", strings.Repeat("\t", n))
		printLine(w, &t.Total)
	}
	return w.Flush()
}

func printLine(w io.Writer, l *ledger.Line) {
	fmt.Fprintf(w, "%d\t%d\t%d\t%d\t%s\t%d\n", l.Requests, l.InputTokens, l.CachedTokens, l.OutputTokens,
		strconv.FormatFloat(l.USD, 'f', -1, 64), l.Unpriced)
}
