package keyscmd

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/callwright/callwright/cmd/callwright/internal/paint"
	"github.com/callwright/callwright/internal/access"
	"github.com/callwright/callwright/internal/config"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/spf13/cobra"
)

func (in *Input) newNew() *cobra.Command {
	var asJSON bool
	remote := Remote{Out: in.Out, Env: in.Env}
	var settings Settings
	c := &cobra.Command{
		Use:   "new [--json] [--url URL] [--key KEY] [--group NAME] [--models NAMES] [--providers PROVIDERS] [--verbs VERBS] [--expires TIME] [--label NAME=TEXT] [--requests-per-minute N] [--tokens-per-minute N] [--usd DOLLARS] [--per PERIOD] NAME",
		Short: "Make a random key",
		Long: "New prints a random key and its entry for the configuration. The entry contains a hash of the key. The key itself is " +
			"only printed, and stored nowhere. To replace a key, move the hash of the old key to previous until its clients have " +
			"the new one.\n\n" +
			"With --url the running gateway there makes the key, with the settings of the other flags, and accepts it at once. The " +
			"key of the request needs the verb admin.",
		Example: "  callwright keys new ci\n  callwright keys new ci --url https://gateway.example --models fast",
		Args:    in.OneArg,
		RunE: func(c *cobra.Command, args []string) error {
			if remote.URL == "" {
				if flag := settings.ChangedFlag(c.Flags()); flag != "" {
					return in.Misuse(fmt.Errorf("--%s needs a running gateway: name it with --url, or add the setting to the entry in the configuration", flag))
				}
				if err := access.CheckName(args[0]); err != nil {
					return in.Misuse(err)
				}
				return printNewKey(in.Out, args[0], asJSON)
			}
			text, err := settings.Body(args[0])
			if err != nil {
				return in.Misuse(err)
			}
			return remote.Create(c.Context(), text, asJSON)
		},
	}
	remote.Flags(c.Flags())
	settings.Flags(c.Flags())
	c.Flags().BoolVar(&asJSON, "json", false, "print one JSON object")
	return c
}

func printNewKey(out io.Writer, name string, asJSON bool) error {
	key := access.NewKey()
	hash := access.HashOf(key).String()
	if asJSON {
		return jsonx.WriteLine(out, map[string]any{"key": key, "entry": map[string]string{"name": name, "key": hash}})
	}
	text, err := json.Marshal(name) // a JSON string is also a YAML string
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "%s\n\nThe key is shown only once. Add this entry to keys in the configuration, or to its keys_file:\n\n  - name: %s\n    key: %s\n", key, text, hash)
	return nil
}

func (in *Input) newList() *cobra.Command {
	var file string
	var asJSON bool
	remote := Remote{Out: in.Out, Env: in.Env}
	c := &cobra.Command{
		Use:   "list [--config FILE] [--url URL] [--key KEY] [--json]",
		Short: "List the keys, without their secrets",
		Long: "List prints the keys in the configuration and in its keys_file: their names, permissions and limits. It does not print " +
			"the secrets.\n\n" +
			"With --url it lists all keys of the running gateway there, including those that were made while it ran. The key of the " +
			"request needs the verb admin.",
		Example: "  callwright keys list\n  callwright keys list --json\n  callwright keys list --url https://gateway.example",
		Args:    in.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			if remote.URL != "" {
				return remote.List(c.Context(), asJSON)
			}
			return in.listFile(c.Context(), file, asJSON)
		},
	}
	in.ConfigFlag(c, &file)
	remote.Flags(c.Flags())
	c.Flags().BoolVar(&asJSON, "json", false, "print one JSON object per line")
	return c
}

// A listedKey describes an access key without its secret.
type listedKey struct {
	Name      string        `json:"name"`
	Models    []string      `json:"models,omitempty"`
	Providers []string      `json:"providers,omitempty"`
	Verbs     []access.Verb `json:"verbs,omitempty"`
	Expires   *time.Time    `json:"expires,omitempty"`
	Previous  bool          `json:"previous,omitempty"` // the previous secret is still accepted
	Limits    []listedLimit `json:"limits,omitempty"`
}

// A listedLimit is one limit of an access key, such as requests per minute.
type listedLimit struct {
	Models string        `json:"models,omitempty"` // a pattern of model names; empty for all
	What   string        `json:"what"`             // requests, tokens or usd
	Limit  float64       `json:"limit"`
	Per    access.Period `json:"per"`
}

// String returns the limit as text, such as "5 requests a minute".
func (l listedLimit) String() string {
	text := strconv.FormatFloat(l.Limit, 'f', -1, 64) + " " + access.UnitOf(l.What) + " a " + string(l.Per)
	if l.Models != "" {
		text += " for " + l.Models
	}
	return text
}

// appendLimits appends the limits that are greater than 0.
func appendLimits(out []listedLimit, models string, requests, tokens int64, usd float64, per access.Period) []listedLimit {
	for _, l := range []listedLimit{
		{models, "requests", float64(requests), access.Minute}, {models, "tokens", float64(tokens), access.Minute},
		{models, "usd", usd, cmp.Or(per, access.Month)},
	} {
		if l.Limit > 0 {
			out = append(out, l)
		}
	}
	return out
}

func (in *Input) listFile(ctx context.Context, file string, asJSON bool) error {
	conf, _, err := in.Config(ctx, file)
	if err != nil {
		return err
	}
	keys, err := conf.AllKeys()
	if err != nil {
		return fmt.Errorf("keys_file: %w", err)
	}
	rows := [][]string{{"NAME", "MODELS", "PROVIDERS", "VERBS", "EXPIRES", "LIMITS"}}
	for i := range keys {
		k := newListedKey(i, &keys[i])
		if !asJSON {
			rows = append(rows, k.row())
			continue
		}
		if err := jsonx.WriteLine(in.Out, k); err != nil {
			return err
		}
	}
	switch {
	case asJSON:
		return nil
	case len(keys) == 0:
		fmt.Fprintln(in.Err, "the configuration has no keys: its gateway accepts every program on this machine; --url URL lists the keys of a running gateway")
		return nil
	}
	return printRows(in.Out, rows)
}

func newListedKey(i int, k *config.AccessKey) listedKey {
	out := listedKey{Name: k.Name, Models: k.Models, Providers: k.Providers, Verbs: k.Verbs, Previous: !k.Previous.Empty()}
	if k.Name == "" {
		out.Name, out.Verbs = "key "+strconv.Itoa(i+1), access.Verbs()
	}
	if !k.Expires.IsZero() {
		out.Expires = &k.Expires
	}
	out.Limits = appendLimits(nil, "", int64(k.Requests), int64(k.Tokens), k.Spend.USD, k.Spend.Per)
	for i := range k.Limits {
		l := &k.Limits[i]
		out.Limits = appendLimits(out.Limits, l.Models, int64(l.Requests), int64(l.Tokens), l.Spend.USD, l.Spend.Per)
	}
	return out
}

// row returns the key as the cells of a row in the printed table.
func (k *listedKey) row() []string {
	var verbs []string
	for _, v := range k.Verbs {
		verbs = append(verbs, string(v))
	}
	expires := ""
	if k.Expires != nil {
		expires = k.Expires.UTC().Format(time.RFC3339)
	}
	return []string{paint.Visible(k.Name), joinOrDash(k.Models), joinOrDash(k.Providers), joinOrDash(verbs),
		dash(expires), joinOrDash(textsOf(k.Limits))}
}

// textsOf returns each limit as text, such as "5 requests a minute".
func textsOf(limits []listedLimit) []string {
	var out []string
	for _, l := range limits {
		out = append(out, l.String())
	}
	return out
}

// joinOrDash joins texts with commas. It returns "-" for an empty list.
func joinOrDash(list []string) string { return dash(paint.Visible(strings.Join(list, ", "))) }

// dash returns text, or "-" if it is empty.
func dash(text string) string { return cmp.Or(text, "-") }
