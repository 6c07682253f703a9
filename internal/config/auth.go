package config

import (
	"io"
	"log/slog"
	"strings"
	"time"

	"github.com/callwright/callwright/internal/config/internal/cloudauth"
	"github.com/callwright/callwright/internal/provider"
	"github.com/callwright/callwright/internal/secretfile"
)

// cloud returns whose models a provider has, and whether requests have its credentials: where the configuration says
// so, and at the cloud's own address where there is no key.
func (p *Provider) cloud(env func(string) (string, bool)) (cloud provider.Cloud, authorized bool) {
	if said := p.Auth.Clouds(); len(said) > 0 {
		return said[0], true
	}
	row, _ := rowOf(p.Name)
	key, _ := env(row.Key)
	hasKey := !p.APIKey.Empty() || p.KeyCommand != nil || strings.TrimSpace(key) != ""
	return row.Cloud, row.Cloud != "" && row.Cloud != provider.Azure && p.BaseURL == "" && !hasKey
}

// spec returns the configured credentials of a cloud.
func (p *Provider) spec(cloud provider.Cloud, env func(string) (string, bool), now func() time.Time) cloudauth.Spec {
	s := p.Auth.Spec(joinPath("providers", p.Name), cloud, func(s provider.Secret) (string, error) { return resolveSecret(s, env) })
	s.Env, s.Now = env, now
	return s
}

// place gives the address of a cloud's models its parts.
func (p *Provider) place(cfg *provider.Config, env func(string) (string, bool)) {
	if cfg.Cloud, _ = p.cloud(env); cfg.Cloud != "" && p.BaseURL == "" {
		cfg.Vars, cfg.Missing = cloudauth.Vars(p.spec(cfg.Cloud, env, nil))
	}
}

// authorizer makes the source of credentials of requests in place of a key, nil for a key. The error names the missing
// part; no request is made. log may be nil.
func (p *Provider) authorizer(env func(string) (string, bool), now func() time.Time, log *slog.Logger) (provider.Authorizer, error) {
	cloud, authorized := p.cloud(env)
	switch {
	case p.KeyCommand != nil:
		row := provider.RowOf(p.Name, p.Wire, cloud)
		return cloudauth.NewCommand(cloudauth.Command{Place: joinPath("providers", p.Name) + ".api_key",
			Args: p.KeyCommand.Command, Life: p.KeyCommand.ExpiresIn, Auth: row.Auth, Now: now, Log: log}), nil
	case authorized:
		return cloudauth.New(p.spec(cloud, env, now))
	}
	return nil, nil
}

// authorize gives an endpoint the authorizer of its provider. The caller holds the registry's lock.
func (r *Registry) authorize(cfg *provider.Config, p *Provider) error {
	if r.offline || p.isSimulator() {
		return nil
	}
	if a := r.authorizers[p.Name]; a != nil {
		cfg.Authorizer = a
		return nil
	}
	a, err := p.authorizer(r.env, r.now, r.log)
	if err == nil && a != nil {
		r.authorizers[p.Name], cfg.Authorizer = a, a
	}
	return err
}

// SecretProblems returns the files of secrets that cannot be read now.
func (r *Registry) SecretProblems() []secretfile.Problem { return r.files.Problems() }

// A CredentialSource is where the credentials of a provider are from, where that is no variable and no text of the
// configuration.
type CredentialSource struct {
	Provider string `json:"provider"`
	Source   string `json:"source"`
}

// CredentialSources returns where the credentials of the configured providers are from, as far as variables and files
// tell. Nothing is asked. Those that cannot be made are told as warnings.
func (c *Config) CredentialSources(env func(string) (string, bool)) []CredentialSource {
	var out []CredentialSource
	for i := range c.Providers {
		p := &c.Providers[i]
		source := ""
		if path, inFile := p.APIKey.File(); inFile {
			source = "the file " + path
		}
		if a, err := p.authorizer(env, nil, nil); err == nil && a != nil {
			source = a.Describe()
			closeAuthorizer(a)
		}
		if source != "" {
			out = append(out, CredentialSource{p.Name, source})
		}
	}
	return out
}

func closeAuthorizer(a provider.Authorizer) {
	if c, ok := a.(io.Closer); ok {
		_ = c.Close()
	}
}

// auth checks the configured credentials of a provider.
func (k *checker) auth(path string, p *Provider) bool {
	_, written := k.d.places[path+".auth"]
	faults := p.Auth.Check(written, !p.APIKey.Empty() || p.KeyCommand != nil, p.KeyCommand)
	for _, f := range faults {
		k.fail(path+"."+f.Setting, "%s", f.Text)
	}
	if a := p.Auth.Azure; a != nil {
		k.secret(path+".auth.azure.secret", a.Secret)
	}
	return len(faults) == 0
}
