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

// cloud returns the cloud whose models the provider serves, "" if none, and whether requests carry cloud credentials
// instead of an API key. They do if auth names a cloud. Else they do at the default address of AWS or Google if no API
// key is configured.
func (p *Provider) cloud(env func(string) (string, bool)) (cloud provider.Cloud, authorized bool) {
	if said := p.Auth.Clouds(); len(said) > 0 {
		return said[0], true
	}
	row, _ := rowOf(p.Name)
	key, _ := env(row.Key)
	hasKey := !p.APIKey.Empty() || p.KeyCommand != nil || strings.TrimSpace(key) != ""
	return row.Cloud, row.Cloud != "" && row.Cloud != provider.Azure && p.BaseURL == "" && !hasKey
}

// spec returns the configured credentials for cloud. now returns the current time; nil means time.Now.
func (p *Provider) spec(cloud provider.Cloud, env func(string) (string, bool), now func() time.Time) cloudauth.Spec {
	s := p.Auth.Spec(joinPath("providers", p.Name), cloud, func(s provider.Secret) (string, error) { return resolveSecret(s, env) })
	s.Env, s.Now = env, now
	return s
}

// place sets the cloud of cfg, and the variables of the cloud's address (such as the region) if no base_url is
// configured.
func (p *Provider) place(cfg *provider.Config, env func(string) (string, bool)) {
	if cfg.Cloud, _ = p.cloud(env); cfg.Cloud != "" && p.BaseURL == "" {
		cfg.Vars, cfg.Missing = cloudauth.Vars(p.spec(cfg.Cloud, env, nil))
	}
}

// authorizer returns the source of credentials that replaces the API key, or nil if the provider uses an API key. The
// error names the missing setting. It sends no request. log may be nil.
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

// authorize sets the authorizer of cfg to the one of provider p, which all endpoints of p share. The caller holds the
// registry's lock.
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

// SecretProblems returns the secret files that cannot be read at present.
func (r *Registry) SecretProblems() []secretfile.Problem { return r.files.Problems() }

// A CredentialSource names the source of a provider's credentials if that is a file, a command or a cloud's
// credentials.
type CredentialSource struct {
	Provider string `json:"provider"`
	Source   string `json:"source"`
}

// CredentialSources returns the sources of the credentials of the configured providers. It omits keys in variables and
// in the configuration itself, and credentials with invalid settings, of which [Config.Warnings] tells. It reads
// variables and files, and sends no request.
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

// auth reports errors in the auth settings of provider p, whose path is path. It returns false if it found one.
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
