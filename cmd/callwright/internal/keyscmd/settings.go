package keyscmd

import (
	"encoding/json"
	"fmt"

	"github.com/callwright/callwright/internal/access"
	"github.com/callwright/callwright/internal/keyapi"
	"github.com/callwright/callwright/internal/keyring"
	"github.com/spf13/pflag"
)

// Settings are the settings of a new key, as values of flags.
type Settings struct {
	group, expires, per      string
	models, providers, verbs []string
	labels                   map[string]string
	requests, tokens         int64
	usd                      float64
	flags                    *pflag.FlagSet
}

// settingNames are the names of the flags for settings of a new key.
var settingNames = []string{"group", "models", "providers", "verbs", "expires", "label", "requests-per-minute",
	"tokens-per-minute", "usd", "per"}

// Flags adds a flag for each setting to f.
func (s *Settings) Flags(f *pflag.FlagSet) {
	s.flags = f
	f.StringVar(&s.group, "group", "", "add the key to the group `NAME`")
	f.StringSliceVar(&s.models, "models", nil, "allow only models of these `NAMES` or patterns")
	f.StringSliceVar(&s.providers, "providers", nil, "allow only models of these `PROVIDERS`")
	f.StringSliceVar(&s.verbs, "verbs", nil,
		"allow these `VERBS`, such as generate,list,admin; the first key of a gateway needs admin")
	f.StringVar(&s.expires, "expires", "", "let the key expire at this `TIME`, such as 2027-01-31T12:00:00Z, or after a day, such as 2027-01-31")
	f.StringToStringVar(&s.labels, "label", nil, "a label of your own, as `NAME=TEXT`")
	f.Lookup("label").DefValue = "" // no default in the help instead of []
	f.Int64Var(&s.requests, "requests-per-minute", 0, "allow `N` requests to models in any 60 seconds")
	f.Int64Var(&s.tokens, "tokens-per-minute", 0, "allow `N` tokens in any 60 seconds")
	f.Float64Var(&s.usd, "usd", 0, "allow a cost of this many US `DOLLARS`")
	f.StringVar(&s.per, "per", "", "the period of --usd: `day or month`")
}

// ChangedFlag returns the name of one of these flags that is set on the command line, "" if there is none.
func (s *Settings) ChangedFlag(f *pflag.FlagSet) string {
	for _, name := range settingNames {
		if f.Changed(name) {
			return name
		}
	}
	return ""
}

// Body returns the request body of the key API to create a key with the given name. An invalid flag is an error.
func (s *Settings) Body(name string) ([]byte, error) {
	for _, limit := range []string{"requests-per-minute", "tokens-per-minute", "usd"} {
		if v := s.flags.Lookup(limit); v.Changed && (v.Value.String() == "0" || v.Value.String()[0] == '-') {
			return nil, fmt.Errorf("--%s: expected more than 0, got %s: omit the flag for no limit", limit, v.Value)
		}
	}
	in := keyapi.KeyRequest{Name: name, Settings: keyring.Settings{
		Labels: s.labels, Group: s.group, Models: s.models, Providers: s.providers,
		Bounds: keyring.Bounds{Requests: s.requests, Tokens: s.tokens},
	}}
	for _, v := range s.verbs {
		in.Verbs = append(in.Verbs, access.Verb(v))
	}
	if s.usd != 0 || s.per != "" {
		in.Spend = &keyring.Spend{USD: s.usd, Per: access.Period(s.per)}
	}
	if s.expires != "" {
		at, err := access.ParseExpires(s.expires)
		if err != nil {
			return nil, fmt.Errorf("--expires: %w", err)
		}
		in.Expires = &at
	}
	return json.Marshal(&in)
}
