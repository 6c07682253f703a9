package config

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"time"

	"github.com/callwright/callwright/internal/access"
	"github.com/callwright/callwright/internal/boundedfile"
	"github.com/callwright/callwright/internal/config/internal/namepattern"
	"github.com/callwright/callwright/internal/provider"
)

// keys reports errors in the access keys of clients, and names that two keys share.
func (k *checker) keys() {
	names := map[string]int{}
	for i := range k.c.Keys {
		path := fmt.Sprintf("keys[%d]", i)
		if k.key(path, &k.c.Keys[i]); k.bad(path) || k.c.Keys[i].Name == "" {
			continue
		}
		if first, twice := names[k.c.Keys[i].Name]; twice {
			k.fail(path, "keys[%d] already has the name %q: choose another name, or set previous to replace that key", first, k.c.Keys[i].Name)
			continue
		}
		names[k.c.Keys[i].Name] = i
	}
}

// budget reports an invalid spending limit of the whole gateway.
func (k *checker) budget() {
	_, said := k.d.places["budget"]
	if b := &k.c.Budget; said && b.Cost <= 0 && !k.bad("budget") {
		k.fail("budget", "expected cost, an amount of US dollars above 0")
	}
}

// key reports errors in the access key a, whose path is path.
func (k *checker) key(path string, a *AccessKey) {
	if k.bad(path) {
		return
	}
	at := func(name string) string { return joinPath(path, name) }
	said := func(name string) bool { _, ok := k.d.places[at(name)]; return ok }
	switch {
	case a.plain() && !said("key"):
		if a.Key.Empty() {
			k.fail(path, "expected a key, got nothing")
		}
		k.secret(path, a.Key)
		k.watch(a.Key)
		return
	case a.Key.Empty():
		k.fail(path, "expected key: create one with callwright keys new NAME")
	case a.Name == "":
		k.fail(path, "expected name, the name of the key in logs and limits")
	}
	if err := access.CheckName(a.Name); a.Name != "" && err != nil {
		k.fail(at("name"), "%v", err)
	}
	for name, s := range map[string]string{"key": a.Key.Reveal(), "previous": a.Previous.Reveal()} {
		if _, err := access.ReadKey(s); s != "" && err != nil {
			k.fail(at(name), "%v", err)
		}
	}
	k.conversation(at("conversation"), &a.Conversation)
	k.secret(at("key"), a.Key)
	k.secret(at("previous"), a.Previous)
	k.watch(a.Key, a.Previous)
	for name, empty := range map[string]bool{"models": len(a.Models) == 0, "providers": len(a.Providers) == 0, "verbs": len(a.Verbs) == 0} {
		if said(name) && empty {
			k.fail(at(name), "expected at least one, got none: leave %s out for all", name)
		}
	}
	k.limits(path, a.Requests, a.Tokens, a.Spend.USD)
	k.modelLimits(at("limits"), a.Limits)
	k.groupOf(at("group"), a)
	if !a.Expires.IsZero() && !a.Expires.After(time.Now()) {
		k.warn(at("expires"), "the key %q has expired", a.Name)
	}
	k.scope(path, a)
}

// watch adds the files that contain the secrets to the files of the configuration. The gateway reloads the
// configuration when one of them changes.
func (k *checker) watch(secrets ...provider.Secret) {
	for _, s := range secrets {
		if path, ok := s.File(); ok && !slices.Contains(k.d.files, path) {
			k.d.files = append(k.d.files, path)
		}
	}
}

// limits reports limits of a key or group that are set but not above 0.
func (k *checker) limits(path string, requests, tokens int, usd float64) {
	said := func(name string) bool { _, ok := k.d.places[joinPath(path, name)]; return ok }
	for name, zero := range map[string]bool{"requests_per_minute": requests == 0, "tokens_per_minute": tokens == 0} {
		if said(name) && zero {
			k.fail(joinPath(path, name), "expected a number from 1: leave it out for no limit")
		}
	}
	if said("spend") && usd <= 0 {
		k.fail(joinPath(path, "spend"), "expected usd, a number above 0: leave spend out for no limit")
	}
}

// scope reports unknown providers in the scope of a key, and warns of model patterns that match no model.
func (k *checker) scope(path string, a *AccessKey) {
	for i, p := range a.Providers {
		if all := k.c.providerNames(); !slices.Contains(all, p) && !k.bad("providers") {
			k.fail(fmt.Sprintf("%s[%d]", joinPath(path, "providers"), i), "%v", unknown("provider", p, all))
		}
	}
	for i, m := range a.Models {
		if !k.fitsSomething(m) {
			k.warn(fmt.Sprintf("%s[%d]", joinPath(path, "models"), i), "%q matches no model: expected %s", m, k.c.describeNames())
		}
	}
}

// fitsSomething reports whether an existing or possible model name matches pattern. Any model of a configured provider
// is possible.
func (k *checker) fitsSomething(pattern string) bool {
	if slices.ContainsFunc(k.c.modelNames(), func(name string) bool { return access.Fits(pattern, name) }) {
		return true
	}
	head, wild := pattern, false
	if i := strings.IndexByte(pattern, '*'); i >= 0 {
		head, wild = pattern[:i], true
	}
	for _, name := range k.c.providerNames() {
		if strings.HasPrefix(head, name+"/") || wild && strings.HasPrefix(name+"/", head) {
			return true
		}
	}
	return slices.ContainsFunc(k.c.Models,
		func(m Model) bool { return m.pattern() && (m.Name == pattern || namepattern.Matches(m.Name, pattern)) })
}

// other reports err, the error of reading another file. path is the key that names the file.
func (k *checker) other(path string, file Path, err error) {
	list, ok := errors.AsType[Errors](err)
	if !ok && err != nil {
		k.warn(path, "%s: %v", file, err) // for example, a variable is not set on this machine
	}
	for _, e := range list {
		e.File = string(file)
		k.d.errs = append(k.d.errs, e)
	}
}

// files reports errors in keys_file and prices_file if they exist on this machine.
func (k *checker) files() {
	for _, f := range []struct {
		path string
		file Path
		read func(text []byte) error
	}{
		{"keys_file", k.c.KeysFile, func(text []byte) error { _, err := k.c.ParseKeys(text, k.d.env); return err }},
		{"prices_file", k.c.PricesFile, func(text []byte) error { _, err := ParsePrices(text, k.d.env); return err }},
	} {
		if f.file == "" || k.bad(f.path) {
			continue
		}
		text, err := boundedfile.Read(string(f.file), maxSize)
		switch {
		case errors.Is(err, fs.ErrNotExist), errors.Is(err, fs.ErrPermission):
			k.warn(f.path, "%v", err)
		case err != nil:
			k.fail(f.path, "%v", err)
		default:
			k.other(f.path, f.file, f.read(text))
		}
	}
}
