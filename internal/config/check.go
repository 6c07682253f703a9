package config

import (
	"errors"
	"fmt"
	"net/url"
	"reflect"
	"slices"
	"strings"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/dialect"
	"github.com/callwright/callwright/internal/config/internal/rulename"
	"github.com/callwright/callwright/internal/provider"
	"github.com/callwright/callwright/internal/secretfile"
	"github.com/callwright/callwright/internal/spelling"
)

// A checker reports the errors in a decoded configuration that decoding does not find. It adds them to the errors of d.
type checker struct {
	c *Config
	d *decoder
}

func newChecker(c *Config, d *decoder) *checker { return &checker{c: c, d: d} }

func (k *checker) fail(path, format string, args ...any) {
	k.d.errs = append(k.d.errs, k.error(path, format, args...))
}

func (k *checker) warn(path, format string, args ...any) {
	k.d.warnings = append(k.d.warnings, k.error(path, format, args...))
}

func (k *checker) error(path, format string, args ...any) *Error {
	p, said := k.d.places[path]
	for at := path; !said && strings.Contains(at, "."); { // an absent key has the position of its parent
		at = at[:strings.LastIndexByte(at, '.')]
		p, said = k.d.places[at]
	}
	return &Error{Line: p.line, Column: p.column, Path: path, Message: fmt.Sprintf(format, args...)}
}

// bad reports whether decoding found an error at path or below it. Checks then report no further errors there.
func (k *checker) bad(path string) bool {
	return slices.ContainsFunc(k.d.errs, func(e *Error) bool {
		rest, below := strings.CutPrefix(e.Path, path)
		return below && (rest == "" || rest[0] == '.' || rest[0] == '[')
	})
}

func (k *checker) check() {
	c := k.c
	if !k.bad("listen") && !k.bad("keys") {
		if err := c.admits(c.address()); err != nil {
			k.fail("listen", "%v", err)
		}
	}
	k.keys()
	k.keyGroups()
	k.budget()
	k.files()
	k.pages()
	k.passthrough()
	k.hostedTools()
	k.operation()
	k.alerts()
	k.transforms("", &c.TransformSettings)
	k.state()
	k.retention()
	k.traces()
	for i := range c.Providers {
		k.provider(&c.Providers[i])
	}
	for i := range c.Models {
		k.model(&c.Models[i])
	}
	k.callRules()
	k.agent()
}

// pages reports invalid host names in hosts and invalid web origins in origins.
func (k *checker) pages() {
	for i, host := range k.c.Hosts {
		if path := fmt.Sprintf("hosts[%d]", i); !k.bad(path) && (host == "" || strings.ContainsAny(host, "/*: ")) {
			k.fail(path, "expected a host name without scheme and port, got %q", host)
		}
	}
	for i, origin := range k.c.Origins {
		scheme, host, ok := strings.Cut(origin, "://")
		if path := fmt.Sprintf("origins[%d]", i); !k.bad(path) &&
			(!ok || scheme == "" || host == "" || strings.ContainsAny(host, "/ ") || strings.Count(origin, "*") > 1) {
			k.fail(path, "expected an origin such as https://app.example.com, with at most one asterisk, got %q", origin)
		}
	}
}

// secret reports whether a secret can be resolved. It warns of a variable that is not set and of a file that cannot be
// read.
func (k *checker) secret(path string, s provider.Secret) bool {
	if name, ok := strings.CutPrefix(s.Reveal(), "env:"); ok {
		if v, set := k.d.env(name); !set || v == "" {
			k.warn(path, "%s is not set: export %s=...", name, name)
			return false
		}
	}
	if file, ok := s.File(); ok {
		if _, err := secretfile.New(file, nil).Get(); err != nil {
			k.warn(path, "the file %s cannot be used: %v", file, err)
			return false
		}
	}
	return true
}

func (k *checker) provider(p *Provider) {
	path := joinPath("providers", p.Name)
	k.settings(path, &p.Settings)
	for _, next := range p.Fallbacks.Models() {
		k.reachable(path, next)
	}
	switch {
	case p.Name == "" || strings.ContainsAny(p.Name, "/* \t"):
		k.fail(path, "expected a name without slashes, asterisks and spaces, got %q", p.Name)
		return
	case k.bad(path):
		return
	case p.isSimulator():
		return
	}
	row, known := rowOf(p.Name)
	if said := p.Auth.Clouds(); len(said) > 0 { // use the table row of the cloud
		row = provider.RowOf(p.Name, p.Wire, said[0])
		known = known || row.Template != ""
	}
	switch {
	case p.BaseURL == "" && !known:
		if near := Nearest(p.Name, rowNames()); near != "" {
			k.fail(path, "unknown provider %q: did you mean %s? (any other name needs a base_url)", p.Name, near)
			return
		}
		k.fail(path, "expected base_url, because %q is not a built-in provider: built in are %s", p.Name, spelling.Or(rowNames()))
		return
	case !k.auth(path, p):
		return
	case p.BaseURL == "" && row.Base == "" && !k.hasPlace(&row):
		k.fail(path, "expected base_url: %s", row.Note)
		return
	case p.BaseURL != "" && len(p.Hosts) == 0:
		k.hideUser(p.BaseURL)
		if err := checkBase(p.BaseURL); err != nil {
			k.fail(path+".base_url", "%v", err)
			return
		}
	}
	if k.targets(path, p) && k.secrets(path+".headers", p.Headers) {
		k.build(path, p)
	}
}

// hasPlace reports whether providers with this table row need no base_url, because the template of the row's address is
// filled from other settings and variables.
func (k *checker) hasPlace(row *provider.Row) bool {
	endpoint, _ := k.d.env("AZURE_OPENAI_ENDPOINT")
	return row.Template != "" && (row.Cloud != provider.Azure || endpoint != "")
}

// build creates the provider p and reports the error if that fails. Missing credentials are a warning.
func (k *checker) build(path string, p *Provider) {
	cfg := p.endpoint(&p.Settings, k.d.env)
	a, err := p.authorizer(k.d.env, nil, nil)
	if cfg.Authorizer = a; err == nil {
		_, err = provider.New(cfg)
	}
	if err == nil {
		return
	}
	report, text := k.fail, plain(err)
	if callwright.KindOf(err) == callwright.KindAuth {
		if report = k.warn; len(p.Keys) > 0 { // each key has had a warning
			return
		}
	}
	if at, rest, ok := strings.Cut(text, ": "); ok && strings.HasPrefix(at, path+".") { // the prefix is the path of the setting
		path, text = at, rest
	}
	report(path, "%s", text)
}

// plain returns the message and the cause of a *callwright.Error, and the whole text of any other error.
func plain(err error) string {
	e, ok := errors.AsType[*callwright.Error](err)
	switch {
	case !ok:
		return err.Error()
	case e.Err != nil:
		return e.Message + ": " + e.Err.Error()
	}
	return e.Message
}

// hideUser masks the credentials of a URL, such as user:password in http://user:password@host, in the excerpts of
// errors.
func (k *checker) hideUser(base string) {
	_, rest, _ := strings.Cut(base, "//")
	if user, _, ok := strings.Cut(rest, "@"); ok {
		k.d.secrets = append(k.d.secrets, user)
	}
}

func checkBase(base string) error { return checkAddress(base, "api_key") }

// checkAddress returns an error if text is no http or https URL, or if it contains credentials. The error then names
// key, the setting for credentials.
func checkAddress(text, key string) error {
	u, err := url.Parse(text)
	switch {
	case err != nil, u.Scheme != "http" && u.Scheme != "https", u.Host == "":
		return fmt.Errorf("expected an address with http:// or https:// and a host")
	case u.User != nil:
		return fmt.Errorf("expected an address without credentials: move them to %s", key)
	}
	return nil
}

func rowNames() []string {
	var names []string
	for _, r := range provider.Rows() {
		names = append(names, r.Name)
	}
	return names
}

func (k *checker) model(m *Model) {
	path := joinPath("models", m.Name)
	k.settings(path, &m.Settings)
	k.group(path, m)
	switch {
	case m.Name == "":
		k.fail(path, "expected a name")
	case k.bad(path) && m.targetName() == "", k.bad(path + ".model"), k.bad(path + ".any"): // an error is reported already
	case m.general() && !m.pattern():
		k.byName(path, m)
	case m.pattern():
		if m.Model != "" {
			k.reachable(path+".model", m.Model)
		}
		k.fallbacks(path, m)
	default:
		k.checkChain(path, m)
	}
}

// byName checks an entry of models with settings for all models of one name. An entry without settings is reported as
// an alias that lacks its model. A name that is in no built-in table is only a warning.
func (k *checker) byName(path string, m *Model) {
	missing := fmt.Errorf("expected model, the provider/name for the alias %q", m.Name)
	switch {
	case reflect.ValueOf(m.Settings).IsZero() && !m.anyProvider:
		k.fail(path, "%v", missing)
	case m.anyProvider && k.c.hasProvider(m.Name):
	case len(caps.ShippedFor("", m.Name).Sources) == 0:
		k.warn(path, "applies to every model with the name %s: for an alias, set model to its provider/name", m.Name)
	}
	k.fallbacks(path, m)
}

// hasProvider reports whether the part of name before the first slash is a configured provider.
func (c *Config) hasProvider(name string) bool {
	first, _, _ := strings.Cut(name, "/")
	_, ok := c.provider(first)
	return ok
}

// checkChain checks an entry of models and all models of its fallback chain. It reports names that cannot be resolved.
func (k *checker) checkChain(path string, m *Model) {
	if _, err := k.c.find(m.Name); err != nil {
		place := path
		if _, said := k.d.places[path+".model"]; said {
			place += ".model"
		}
		k.fail(place, "%v", err)
		k.fallbacks(path, m)
		return
	}
	candidates, err := k.c.chain(m.Name)
	if err != nil {
		k.fail(path+".fallbacks", "%v", err)
	}
	for _, f := range candidates {
		if _, configured := k.c.provider(f.provider.Name); !configured {
			if _, err := provider.New(f.provider.endpoint(&f.settings, k.d.env)); err != nil {
				k.warn(path, "%s", plain(err))
			}
		}
	}
}

// fallbacks reports unknown names in the fallbacks of an entry.
func (k *checker) fallbacks(path string, m *Model) {
	if path += ".fallbacks"; k.bad(path) {
		return
	}
	for _, next := range m.Fallbacks.Models() {
		if next != "" { // bounds reports an empty name
			k.reachable(path, next)
		}
	}
}

// reachable reports a name that is neither a model, an alias nor a group.
func (k *checker) reachable(path string, name callwright.ModelID) {
	if _, err := k.c.find(string(name)); err != nil {
		k.fail(path, "%v", err)
	}
}

func (k *checker) settings(path string, s *Settings) {
	if s.Dialect != "" {
		if f, ok := dialect.Lookup(s.Dialect); !ok || !f.Renders() {
			k.fail(path+".dialect", "%v", unknown("dialect", s.Dialect, rulename.Dialects()))
		}
	}
	if s.Dialect != "" && s.ToolFormat != nil {
		k.fail(path+".tool_format", "dialect already sets a format: remove dialect or tool_format")
	}
	for id := range s.Rules {
		if !rulename.Exists(id) && !slices.Contains(k.c.describedRules(), id) {
			if near := Nearest(id, rulename.Names()); near != "" {
				k.fail(joinPath(path+".rules", id), "unknown rule %q: did you mean %s?", id, near)
				continue
			}
			k.fail(joinPath(path+".rules", id), "unknown rule %q: expected an id of a rule in notes, such as json.trailing_comma", id)
		}
	}
	k.bounds(path, s)
	k.transforms(path, &s.TransformSettings)
}
