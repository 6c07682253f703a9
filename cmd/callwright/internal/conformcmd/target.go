package conformcmd

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"strings"

	"github.com/callwright/callwright/internal/config"
	"github.com/callwright/callwright/internal/conformance"
	"github.com/callwright/callwright/internal/provider"
	"github.com/callwright/callwright/simulate"
)

// target returns the options for the argument, which is a server URL or a model of the configuration. The caller must
// call done.
func (k *command) target(ctx context.Context, target string) (o conformance.Options, done func(), err error) {
	o = conformance.Options{
		URL: target, Model: k.model, Timeout: k.timeout, Tries: k.tries, MaxTokens: k.tokens, Concurrency: k.concurrency,
		Areas: k.only, Header: http.Header{},
	}
	done = func() {}
	if k.api != every {
		o.API = k.api
	}
	if !strings.Contains(target, "://") {
		if o, done, err = k.findModelServer(ctx, target, o); err != nil {
			return o, done, err
		}
	}
	if err := k.setKey(&o); err != nil {
		done()
		return o, done, k.in.Misuse(err)
	}
	return o, done, nil
}

// setKey sets the key and the headers of the command line in o.
func (k *command) setKey(o *conformance.Options) error {
	if k.keyEnv != "" {
		key, _ := k.in.Env(k.keyEnv)
		if key == "" {
			return fmt.Errorf("--key-env: the environment variable %s is not set", k.keyEnv)
		}
		o.Key, o.KeyVariable = key, k.keyEnv
	}
	for _, h := range k.headers {
		name, value, ok := strings.Cut(h, ":")
		if !ok || strings.TrimSpace(name) == "" {
			return fmt.Errorf("--header %q: expected 'NAME: VALUE'", h)
		}
		value, err := k.value(strings.TrimSpace(value))
		if err != nil {
			return fmt.Errorf("--header %s: %w", name, err)
		}
		o.Header.Set(strings.TrimSpace(name), value)
	}
	return nil
}

// value resolves a setting: env:NAME is the value of an environment variable, file:NAME is the trimmed content of a
// file, and any other text is itself. An unset variable is an error.
func (k *command) value(text string) (string, error) {
	if name, ok := strings.CutPrefix(text, "env:"); ok {
		value, _ := k.in.Env(name)
		if value == "" {
			return "", fmt.Errorf("the environment variable %s is not set", name)
		}
		return value, nil
	}
	if name, ok := strings.CutPrefix(text, "file:"); ok {
		value, err := os.ReadFile(name)
		return strings.TrimSpace(string(value)), err
	}
	return text, nil
}

// findModelServer returns the options for the server of a configured model. The caller must call the returned function.
func (k *command) findModelServer(ctx context.Context, name string, o conformance.Options) (conformance.Options, func(), error) {
	none := func() {}
	conf, _, err := k.in.Config(ctx, k.config)
	if err != nil {
		return o, none, err
	}
	registry, done, err := k.in.Registry(ctx, conf)
	if err != nil {
		return o, none, err
	}
	candidates, err := registry.Candidates(name)
	if err != nil {
		done()
		return o, none, err
	}
	host, model := candidates[0].Split()
	if o.Model == "" {
		o.Model = model
	}
	made, settings, err := registry.Endpoint(host)
	if err == nil {
		err = k.endpoint(&o, host, made, settings)
	}
	if err != nil {
		done()
		return o, none, err
	}
	return o, done, nil
}

// endpoint sets the URL and the key of a provider in o.
func (k *command) endpoint(o *conformance.Options, host string, made *provider.Provider, settings provider.Config) error {
	row := made.Row()
	switch {
	case host == config.SimulatorName && settings.BaseURL == "":
		o.URL, o.Transport = "http://simulator/v1", simulate.NewTransport(simulate.New(simulate.AnyTools(), simulate.OnlyKnown()))
		if o.API == "" && k.api == "" {
			o.API = string(made.Wire())
		}
		return nil
	case row.Cloud != "" || len(settings.Hosts) > 0:
		return fmt.Errorf("%s has signed requests or several addresses: expected the address of one server, such as a gateway in front of it", host)
	}
	if o.URL = settings.BaseURL; o.URL == "" {
		o.URL = row.Base
	}
	if o.URL == "" {
		return errors.New("providers." + host + ".base_url: expected an address, got none")
	}
	if o.API == "" && k.api == "" {
		o.API = string(made.Wire())
	}
	for name, value := range settings.Headers {
		value, err := k.value(value)
		if err != nil {
			return fmt.Errorf("%s: header %s: %w", host, name, err)
		}
		o.Header.Set(name, value)
	}
	return k.providerKey(o, row, settings)
}

// providerKey sets the API key of a provider in o.
func (k *command) providerKey(o *conformance.Options, row provider.Row, settings provider.Config) error {
	key, err := k.value(settings.APIKey.Reveal())
	if err != nil {
		return err
	}
	o.KeyVariable = row.Key
	if key == "" && row.Key != "" {
		key, _ = k.in.Env(row.Key)
	}
	if key == "" {
		return nil
	}
	if o.Key = key; row.Auth == provider.APIKeyHeader {
		o.KeyHeader, _ = row.Auth.Header(key)
	}
	return nil
}
