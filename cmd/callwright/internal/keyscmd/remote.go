// Package keyscmd implements the command keys, which creates and lists keys, and changes keys of a running gateway.
package keyscmd

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/callwright/callwright/cmd/callwright/internal/launch"
	"github.com/callwright/callwright/cmd/callwright/internal/paint"
	"github.com/callwright/callwright/internal/config"
	"github.com/callwright/callwright/internal/keyapi"
	"github.com/callwright/callwright/internal/keyring"
	"github.com/spf13/pflag"
)

// A Remote is a client for the key API of a gateway.
type Remote struct {
	Out io.Writer
	Env func(name string) (value string, ok bool)

	URL, Key string // from the command line
	conf     func(ctx context.Context) (*config.Config, error)
}

// Flags adds the flags --url and --key.
func (r *Remote) Flags(f *pflag.FlagSet) {
	f.StringVar(&r.URL, "url", "", "use the gateway at this `URL`")
	f.StringVar(&r.Key, "key", "", "send this `KEY`; without it the key in CALLWRIGHT_KEY")
}

// gateway returns the gateway of the command line or, without one, of the configuration.
func (r *Remote) gateway(ctx context.Context) (*launch.Gateway, error) {
	key := r.Key
	if key == "" {
		key, _ = r.Env(launch.KeyVariable)
	}
	if r.URL != "" || r.conf == nil {
		return launch.GatewayAt(r.URL, key)
	}
	conf, err := r.conf(ctx)
	if err != nil {
		return nil, fmt.Errorf("%w\nthe configuration contains the address of the gateway: correct it, or name the address with --url", err)
	}
	listen, _, err := conf.Access("", r.Env)
	if err != nil {
		return nil, err
	}
	if key == "" {
		key = conf.PresentedKey(r.Env)
	}
	return launch.NewGateway(listen, key, string(conf.Server.TLS.Cert))
}

// call sends a request to the gateway, returns the response body, and decodes it into out unless out is nil.
func (r *Remote) call(ctx context.Context, method, path string, body []byte, out any) ([]byte, error) {
	g, err := r.gateway(ctx)
	if err != nil {
		return nil, err
	}
	text, err := g.Call(ctx, method, path, body)
	if err != nil || out == nil {
		return text, err
	}
	if err := json.Unmarshal(text, out); err != nil {
		return nil, fmt.Errorf("the answer of %s cannot be read: %w", g.Address, err)
	}
	return text, nil
}

const (
	keysPath  = "/callwright/keys"
	usagePath = "/callwright/usage"
)

func pathOf(name string) string { return keysPath + "/" + url.PathEscape(name) }

// printJSON prints a JSON response as one line.
func (r *Remote) printJSON(text []byte) error {
	var line bytes.Buffer
	if err := json.Compact(&line, text); err != nil {
		return err
	}
	line.WriteByte('\n')
	_, err := line.WriteTo(r.Out)
	return err
}

// Create creates a key in the gateway and prints its secret. body is the request of the key API.
func (r *Remote) Create(ctx context.Context, body []byte, asJSON bool) error {
	var out keyapi.NewKey
	text, err := r.call(ctx, http.MethodPost, keysPath, body, &out)
	if err != nil {
		return err
	}
	return r.printSecret(text, &out, asJSON)
}

func (r *Remote) printSecret(text []byte, k *keyapi.NewKey, asJSON bool) error {
	if asJSON {
		return r.printJSON(text)
	}
	fmt.Fprintf(r.Out, "%s\n\nThis is the secret of the key %s. It is shown only once.\n", paint.Visible(k.Secret), paint.Visible(k.Key.Name))
	if k.Key.PreviousUntil != nil {
		fmt.Fprintf(r.Out, "The previous secret is accepted until %s.\n", k.Key.PreviousUntil.Format(time.RFC3339))
	}
	return nil
}

// List prints all access keys of the gateway.
func (r *Remote) List(ctx context.Context, asJSON bool) error {
	var list keyapi.KeyList
	if _, err := r.call(ctx, http.MethodGet, keysPath, nil, &list); err != nil {
		return err
	}
	if asJSON {
		for i := range list.Keys {
			text, err := json.Marshal(&list.Keys[i])
			if err != nil {
				return err
			}
			if err := r.printJSON(text); err != nil {
				return err
			}
		}
		return nil
	}
	rows := [][]string{{"NAME", "SOURCE", "STATE", "GROUP", "MODELS", "VERBS", "EXPIRES", "LIMITS"}}
	for i := range list.Keys {
		k := &list.Keys[i]
		state, expires := "enabled", ""
		if k.Disabled {
			state = "disabled"
		}
		if k.Expires != nil {
			expires = k.Expires.UTC().Format(time.RFC3339)
		}
		var verbs []string
		for _, v := range k.Verbs {
			verbs = append(verbs, string(v))
		}
		row := []string{k.Name, string(k.Source), state, k.Group, strings.Join(k.Models, ", "), strings.Join(verbs, ", "),
			expires, strings.Join(textsOf(limitsOf(&k.Settings)), ", ")}
		for i := range row {
			row[i] = dash(paint.Visible(row[i]))
		}
		rows = append(rows, row)
	}
	return printRows(r.Out, rows)
}

// printRows prints rows in aligned columns.
func printRows(out io.Writer, rows [][]string) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	for _, row := range rows {
		fmt.Fprintln(w, strings.Join(row, "\t"))
	}
	return w.Flush()
}

// limitsOf returns the limits in the settings of a key.
func limitsOf(s *keyring.Settings) []listedLimit {
	add := func(out []listedLimit, models string, b *keyring.Bounds) []listedLimit {
		spend := keyring.Spend{}
		if b.Spend != nil {
			spend = *b.Spend
		}
		return appendLimits(out, models, b.Requests, b.Tokens, spend.USD, spend.Per)
	}
	out := add(nil, "", &s.Bounds)
	for i := range s.Limits {
		out = add(out, s.Limits[i].Models, &s.Limits[i].Bounds)
	}
	return out
}
