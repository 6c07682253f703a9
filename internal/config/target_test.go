package config_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/callwright/callwright/internal/config"
)

// TestTargets: lists of keys and addresses are read in every style, and the first of each is that of a provider with one.
func TestTargets(t *testing.T) {
	for text, want := range map[string]string{
		"lab: {base_url: 'http://g/v1', api_key: env:A}":                                                      "http://g/v1 env:A: ",
		"lab: {base_url: ['http://g/v1', 'http://h/v1'], api_key: [env:A, env:B]}":                            "http://g/v1 env:A: http://g/v1*0 http://h/v1*0 env:A*0 env:B*0",
		"lab: {base_url: [http://g:80/v1, http://h:81/v1], api_key: [env:A, plain]}":                          "http://g:80/v1 env:A: http://g:80/v1*0 http://h:81/v1*0 env:A*0 plain*0",
		"lab:\n    base_url: [http://g:80/v1, {url: http://h/v1, weight: 2}]":                                 "http://g:80/v1 : http://g:80/v1*0 http://h/v1*2",
		"lab:\n    base_url: http://g/v1\n    api_key:\n      - env:A\n      - key: env:B\n        weight: 3": "http://g/v1 env:A: env:A*0 env:B*3",
		"lab: {base_url: 'http://g/v1', api_key: [{key: env:A, weight: 9}]}":                                  "http://g/v1 env:A: env:A*9",
	} {
		c := parse(t, "providers:\n  "+text+"\n", "A=a", "B=b")
		p := c.Providers[0]
		var list []string
		for _, h := range p.Hosts {
			list = append(list, fmt.Sprintf("%s*%d", h.URL, h.Weight))
		}
		for _, k := range p.Keys {
			list = append(list, fmt.Sprintf("%s*%d", k.Key.Reveal(), k.Weight))
		}
		if d := cmp.Diff(want, p.BaseURL+" "+p.APIKey.Reveal()+": "+strings.Join(list, " ")); d != "" {
			t.Errorf("%s (-want +got)\n%s", text, d)
		}
		if w := c.Warnings(); len(w) > 0 {
			t.Errorf("%s: %v", text, w)
		}
	}
}

// TestMissingKeys: each key whose variable is not set has a warning at its place.
func TestMissingKeys(t *testing.T) {
	c, err := config.Parse([]byte("providers:\n  lab:\n    base_url: http://g/v1\n    api_key: [env:A, env:B, env:C]\n"), env("B=b"))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, w := range c.Warnings() {
		got = append(got, fmt.Sprintf("%d:%d %s: %s", w.Line, w.Column, w.Path, w.Message))
	}
	want := []string{"4:15 providers.lab.api_key[0]: A is not set: export A=...", "4:29 providers.lab.api_key[2]: C is not set: export C=..."}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("(-want +got)\n%s", d)
	}
}
