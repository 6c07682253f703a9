package provider

import (
	"cmp"
	"context"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/companion"
	"github.com/callwright/callwright/internal/provider/internal/balance"
	"github.com/callwright/callwright/internal/session"
)

// MaxTargets is the maximum number of pairs of an API key and a host of a provider. MaxWeight is the maximum weight of
// a key or host.
const (
	MaxTargets = balance.MaxTargets
	MaxWeight  = balance.MaxWeight
)

// A WeightedKey is one of several API keys of a provider. A weight of 0 or less means 1.
type WeightedKey struct {
	Key    Secret // the key, "env:NAME" or "file:NAME"
	Weight int
}

// A WeightedURL is one of several base addresses of a provider. A weight of 0 or less means 1.
type WeightedURL struct {
	URL    string
	Weight int
}

// Targets is the state of keys, hosts and models that Providers can share: cooldowns and numbers of requests in flight.
type Targets = balance.Table

// A TargetCooldown is the cooldown of a key or host. Gateways send it to one another.
type TargetCooldown = balance.Cooldown

// A TargetState is the state of a target, a pair of an API key and a host.
type TargetState = balance.State

// targets are the API keys and hosts of a provider.
type targets struct {
	set   *balance.Set
	aside *balance.Model // for requests other than model requests
	keys  []targetKey
	hosts []*url.URL
}

// several reports whether the provider has more than one key or host.
func (t *targets) several() bool { return len(t.keys)*len(t.hosts) > 1 }

// A targetKey is an API key and its place in the configuration.
type targetKey struct {
	name     string // for messages
	place    string // setting of the key, such as api_key[1]
	variable string // environment variable of the key; "" for none
	weight   int
	secret   Secret
	header   func() http.Header // a function, so that printing does not print the header; the header must not be modified
}

// findKeys returns the API keys of a Config that are available. It returns an error if none is.
func (c *Config) findKeys(row Row) (keys []targetKey, err *callwright.Error) {
	if len(c.Keys) < 2 {
		one := *c
		if len(c.Keys) == 1 {
			one.APIKey = c.Keys[0].Key
		}
		key, err := one.findKey(row)
		return []targetKey{{place: "api_key", variable: one.keyVariable(row), secret: key}}, err
	}
	for i, k := range c.Keys {
		one := *c
		one.APIKey, one.Keys = k.Key, nil
		secret, failed := one.findKey(row)
		if failed != nil {
			err = cmp.Or(err, failed)
			continue
		}
		variable := one.keyVariable(row)
		keys = append(keys, targetKey{
			name: keyName(variable, i), place: fmt.Sprintf("api_key[%d]", i), variable: variable, weight: k.Weight, secret: secret,
		})
	}
	if len(keys) > 0 {
		err = nil
	}
	return keys, err
}

// A SingleTargetConfig is the Config for one key and one host of a Config with several. Name is the name of the key or
// the setting of the host.
type SingleTargetConfig struct {
	Name   string
	Config Config
}

// Parts returns a SingleTargetConfig for each key with the first host, and for each further host with the first key. It
// returns nil for a Config with one key and one host.
func (c *Config) Parts() (out []SingleTargetConfig) {
	if len(c.Keys) < 2 && len(c.Hosts) < 2 {
		return nil
	}
	part := func(name string, change func(*Config)) {
		one := *c
		one.Keys, one.Hosts, one.Targets = nil, nil, nil
		change(&one)
		out = append(out, SingleTargetConfig{name, one})
	}
	for i, k := range c.Keys {
		variable, _ := strings.CutPrefix(k.Key.Reveal(), "env:")
		if variable == k.Key.Reveal() {
			variable = ""
		}
		part("key "+strings.TrimPrefix(keyName(variable, i), "key "), func(one *Config) { one.APIKey = k.Key })
	}
	for i, h := range c.Hosts {
		if i > 0 || len(c.Keys) < 2 {
			part("host "+strconv.Itoa(i+1), func(one *Config) { one.BaseURL = h.URL })
		}
	}
	return out
}

// keyName returns the name of a key for people: its variable, or "key N" for index N-1.
func keyName(variable string, i int) string { return cmp.Or(variable, "key "+strconv.Itoa(i+1)) }

// newTargets returns the targets of a Config.
func (c *Config) newTargets(s *resolvedConfig) (*targets, *callwright.Error) {
	hosts := c.Hosts
	if len(hosts) == 0 {
		hosts = []WeightedURL{{URL: s.row.Base}}
	}
	if len(s.keys)*len(hosts) > MaxTargets {
		return nil, invalid("%sexpected at most %d pairs of a key and a host, got %d", c.at("api_key"), MaxTargets, len(s.keys)*len(hosts))
	}
	t := &targets{keys: s.keys}
	var byKey, byHost []balance.Entry
	for i := range t.keys {
		k := &t.keys[i]
		var err *callwright.Error
		if k.header, err = c.header(s, k.secret); err != nil {
			return nil, err
		}
		byKey = append(byKey, balance.Entry{Name: k.name, Secret: k.secret.Reveal(), Weight: k.weight, Text: c.changingText(k.secret)})
	}
	for i, h := range hosts {
		if len(hosts) == 1 {
			t.hosts, byHost = []*url.URL{s.base}, []balance.Entry{{Secret: s.row.Base}}
			break
		}
		base, err := parseBase(c.at(fmt.Sprintf("base_url[%d]", i)), h.URL)
		if err != nil {
			return nil, err
		}
		t.hosts = append(t.hosts, base)
		byHost = append(byHost, balance.Entry{Name: base.Host, Secret: h.URL, Weight: h.Weight})
	}
	for i, b := range t.hosts { // hosts that differ only in the path
		if slices.ContainsFunc(t.hosts, func(o *url.URL) bool { return o != b && o.Host == b.Host }) {
			byHost[i].Name = b.Host + b.Path
		}
	}
	table := c.Targets
	if table == nil {
		table = &Targets{}
	}
	t.set = balance.New(table, c.Name, byKey, byHost)
	t.aside = t.set.Model("")
	return t, nil
}

// changingText returns a function that returns the present text of a key in a file. It returns nil for any other key,
// which does not change.
func (c *Config) changingText(key Secret) func() string {
	path, inFile := key.File()
	if !inFile {
		return nil
	}
	return c.Files.Of(path).Text
}

// Targets returns the state of each pair of a key and a host, or nil if the provider has one pair.
func (p *Provider) Targets() []TargetState {
	if !p.targets.several() {
		return nil
	}
	return p.targets.set.States()
}

// affinity returns a hash of a request's conversation: of the client's session name or else of the first user message.
// Requests with the same hash prefer the same target. It returns 0, for no preference, if the request has neither, or
// if it has no session name and begins a conversation with a message that was sent before.
func (t *targets) affinity(req *callwright.Request) uint64 {
	if name := session.ClientName(companion.Of(req).Header, req); name != "" {
		return balance.Affinity(name)
	}
	history, err := req.History()
	if err != nil {
		return 0 // the encoder says so
	}
	name := session.OfMessages(history)
	if name == "" {
		return 0
	}
	a := balance.Affinity(name)
	answered := slices.ContainsFunc(history, func(m callwright.Message) bool { return m.Role == callwright.RoleAssistant })
	if !answered && t.set.IsRepeated(a) {
		return 0
	}
	return a
}

// isSilence reports whether err is a timeout of the phase called name.
func isSilence(err *callwright.Error, name string) bool {
	quiet, ok := err.Err.(silence)
	return ok && quiet.name == name
}

// at returns a copy of the request template proto for host number host. For host 0 it returns proto itself.
func (t *targets) at(proto *http.Request, host int) *http.Request {
	if host == 0 {
		return proto
	}
	from, to := t.hosts[0], t.hosts[host]
	u := *proto.URL
	u.Scheme, u.Host = to.Scheme, to.Host
	u.Path = withBase(u.Path, from.Path, to.Path)
	if u.RawPath != "" {
		u.RawPath = withBase(u.RawPath, from.EscapedPath(), to.EscapedPath())
	}
	if rest, ok := strings.CutPrefix(u.RawQuery, from.RawQuery); ok && from.RawQuery != to.RawQuery {
		u.RawQuery = strings.Trim(to.RawQuery+"&"+strings.TrimPrefix(rest, "&"), "&")
	}
	out := *proto
	out.URL, out.Host = &u, to.Host
	return &out
}

// withBase returns path with its prefix from, the path of a base address, replaced by to. If path lacks this prefix, as
// a path beside /v1 does, withBase omits /v1 from both bases.
func withBase(path, from, to string) string {
	if rest, ok := strings.CutPrefix(path, from); ok {
		return to + rest
	}
	rest, _ := strings.CutPrefix(path, strings.TrimSuffix(from, "/v1"))
	return strings.TrimSuffix(to, "/v1") + rest
}

// prototypeAt returns the request template proto for host number host, from r.elsewhere if proto is a template of r.
func (r *Remote) prototypeAt(proto *http.Request, host int) *http.Request {
	switch {
	case host == 0:
		return proto
	case proto == r.wholePrototype:
		return r.elsewhere[host].whole
	case proto == r.streamPrototype:
		return r.elsewhere[host].stream
	}
	return r.p.targets.at(proto, host)
}

// A prototypePair has the templates of requests to a host, for complete and for streamed responses.
type prototypePair struct{ whole, stream *http.Request }

// addTargets sets limits, the cooldowns of the model. If the provider has several keys or hosts, it also sets
// elsewhere, the request templates for each host.
func (r *Remote) addTargets() {
	t := r.p.targets
	r.limits = t.set.Model(r.name)
	if !t.several() {
		return
	}
	for h := range t.hosts {
		r.elsewhere = append(r.elsewhere, prototypePair{t.at(r.wholePrototype, h), t.at(r.streamPrototype, h)})
	}
}

// sendAny sends a request other than a model request, without retries. If a target fails, it tries the next target.
func (r *Remote) sendAny(ctx context.Context, proto *http.Request, body *encoded) (*response, *callwright.Error) {
	w := r.p.targets.set.Begin(r.p.targets.aside, 0)
	var err *callwright.Error
	for {
		to, skip := w.Next(true)
		switch {
		case to == nil && err != nil:
			return nil, err
		case to == nil:
			return nil, &callwright.Error{Kind: skip.Kind, Message: SkipMessage(skip.Kind, skip.Left), RetryAfter: skip.Left}
		}
		if !r.p.targets.several() {
			to = nil
		}
		var a *response
		if a, _, err = r.send(ctx, proto, body, &r.p.firstByte, to); err == nil {
			w.End(balance.Result{NotForModel: true})
			return a, nil
		}
		result := resultOf(err)
		result.NotForModel = true
		if w.End(result); result.FailedPart <= balance.Unknown || result.FailedPart == balance.WholeModel {
			return nil, err
		}
	}
}

// nothingListensAt is nothingListens for host number host.
func (p *Provider) nothingListensAt(host int) string {
	if len(p.targets.hosts) == 1 {
		return p.nothingListens()
	}
	return p.cfg.at(fmt.Sprintf("base_url[%d]", host)) + "nothing listens at its address: start the server, or correct the address"
}

// isUnheard reports whether message is a result of nothingListensAt.
func (p *Provider) isUnheard(message string) bool {
	for h := range p.targets.hosts {
		if message == p.nothingListensAt(h) {
			return true
		}
	}
	return false
}
