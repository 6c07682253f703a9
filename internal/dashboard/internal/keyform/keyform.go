// Package keyform reads and fills HTML forms for keys and groups of keys.
package keyform

import (
	"encoding/json"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/access"
	"github.com/callwright/callwright/internal/keyring"
)

// A Form has the values of the form fields.
type Form struct {
	Group, Models, Providers, Expires string
	Verbs                             map[access.Verb]bool
	Requests, Tokens, USD             string
	Per                               access.Period
}

// Of returns settings as form values.
func Of(k *keyring.Settings) Form {
	f := Form{Group: k.Group, Models: strings.Join(k.Models, ", "), Providers: strings.Join(k.Providers, ", "),
		Verbs: map[access.Verb]bool{}, Per: access.Month}
	for _, v := range k.Verbs {
		f.Verbs[v] = true
	}
	if k.Expires != nil {
		f.Expires = k.Expires.UTC().Format(time.RFC3339)
	}
	if k.Requests > 0 {
		f.Requests = strconv.FormatInt(k.Requests, 10)
	}
	if k.Tokens > 0 {
		f.Tokens = strconv.FormatInt(k.Tokens, 10)
	}
	if m := k.Spend; m != nil && m.USD > 0 {
		f.USD = strconv.FormatFloat(m.USD, 'f', -1, 64)
		if m.Per != "" {
			f.Per = m.Per
		}
	}
	return f
}

// listOf splits a comma-separated field; nil for an empty one.
func listOf(text string) (out []string) {
	for one := range strings.SplitSeq(text, ",") {
		if one = strings.TrimSpace(one); one != "" {
			out = append(out, one)
		}
	}
	return out
}

// Settings parses the form of a key. Errors are of KindInvalid.
func Settings(form url.Values) (k keyring.Settings, err error) {
	k = keyring.Settings{Group: form.Get("group"), Models: listOf(form.Get("models")), Providers: listOf(form.Get("providers"))}
	for _, v := range form["verbs"] {
		k.Verbs = append(k.Verbs, access.Verb(v))
	}
	if text := strings.TrimSpace(form.Get("expires")); text != "" {
		at, err := access.ParseExpires(text)
		if err != nil {
			return k, callwright.Errorf("", callwright.KindInvalid, "", "expires: %v", err)
		}
		k.Expires = &at
	}
	k.Bounds, err = boundsOf(form)
	return k, err
}

// Bounds parses the form of a group. It returns the limits, and the JSON Merge Patch that sets them.
func Bounds(form url.Values) (b keyring.Bounds, patch []byte, err error) {
	if b, err = boundsOf(form); err != nil {
		return b, nil, err
	}
	patch, err = json.Marshal(boundsPatch(&b, map[string]any{}))
	return b, patch, err
}

// boundsOf parses the limits in a form.
func boundsOf(form url.Values) (b keyring.Bounds, err error) {
	for _, f := range []struct {
		name string
		to   *int64
	}{{"requests", &b.Requests}, {"tokens", &b.Tokens}} {
		text := strings.TrimSpace(form.Get(f.name))
		if text == "" {
			continue
		}
		if *f.to, err = strconv.ParseInt(text, 10, 64); err != nil {
			return b, callwright.Errorf("", callwright.KindInvalid, "", "%s a minute: expected a number, got %q", f.name, callwright.Excerpt(text))
		}
	}
	if text := strings.TrimSpace(form.Get("usd")); text != "" {
		b.Spend = &keyring.Spend{Per: access.Period(form.Get("per"))}
		if b.Spend.USD, err = strconv.ParseFloat(text, 64); err != nil {
			return b, callwright.Errorf("", callwright.KindInvalid, "", "spend: expected US dollars, got %q", callwright.Excerpt(text))
		}
	}
	return b, nil
}

// Patch returns the JSON Merge Patch for the form of a key. Settings without a form field are not changed.
func Patch(form url.Values) ([]byte, error) {
	k, err := Settings(form)
	if err != nil {
		return nil, err
	}
	patch := map[string]any{"group": nil, "models": nil, "providers": nil, "verbs": nil, "expires": nil}
	if k.Group != "" {
		patch["group"] = k.Group
	}
	if k.Models != nil {
		patch["models"] = k.Models
	}
	if k.Providers != nil {
		patch["providers"] = k.Providers
	}
	if k.Verbs != nil {
		patch["verbs"] = k.Verbs
	}
	if k.Expires != nil {
		patch["expires"] = k.Expires
	}
	return json.Marshal(boundsPatch(&k.Bounds, patch))
}

// boundsPatch adds limits to a JSON Merge Patch and returns it.
func boundsPatch(b *keyring.Bounds, patch map[string]any) map[string]any {
	patch["requests_per_minute"], patch["tokens_per_minute"], patch["spend"] = nil, nil, nil
	if b.Requests != 0 {
		patch["requests_per_minute"] = b.Requests
	}
	if b.Tokens != 0 {
		patch["tokens_per_minute"] = b.Tokens
	}
	if b.Spend != nil {
		patch["spend"] = b.Spend
	}
	return patch
}
