package conformance_test

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/callwright/callwright/internal/conformance"
	"github.com/google/go-cmp/cmp"
)

// check runs all checks on a server with a breakage.
func check(t *testing.T, api string, b *breakage, options ...func(*conformance.Options)) *conformance.Card {
	t.Helper()
	o := conformance.Options{API: api, URL: "http://lab", Model: "native", Key: "k", Tries: 1, Concurrency: 1, Transport: newServer(api, b)}
	for _, set := range options {
		set(&o)
	}
	card, err := conformance.Run(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	if most := conformance.MaxRequests(o); card.Requests > most {
		t.Errorf("%d requests, expected at most %d", card.Requests, most)
	}
	return card
}

func failures(card *conformance.Card) []string {
	var out []string
	for _, c := range card.Checks {
		if c.Result == conformance.Failed {
			out = append(out, c.Name)
		}
	}
	return out
}

// explain shows the failures of a card.
func explain(card *conformance.Card) string {
	var b strings.Builder
	for _, c := range card.Checks {
		if c.Result == conformance.Failed {
			fmt.Fprintf(&b, "%s: %s\n  %.500s\n  %.700s\n", c.Name, c.Why, c.Sent, c.Got)
		}
	}
	return b.String()
}

// Each check finds its breakage, and a breakage is found by no other check.
func TestBrokenServers(t *testing.T) {
	for _, api := range conformance.APIs() {
		for _, row := range conformance.Table(api) {
			if row.Name == "stream_silence" { // TestSilence
				continue
			}
			found := 0
			for i, b := range breakages[row.Name] {
				if b.on != nil && !slices.Contains(b.on, api) {
					continue
				}
				found++
				t.Run(fmt.Sprintf("%s/%s/%d", api, row.Name, i), func(t *testing.T) {
					card := check(t, api, &b.breakage)
					want := append([]string{row.Name}, b.more...)
					got := failures(card)
					slices.Sort(want)
					slices.Sort(got)
					if diff := cmp.Diff(want, got); diff != "" {
						t.Errorf("%s\n%s", diff, explain(card))
					}
				})
			}
			if found == 0 {
				t.Errorf("%s: no server breaks %s", api, row.Name)
			}
		}
	}
}

// A server that does nothing wrong passes all that its model can show.
func TestRightServers(t *testing.T) {
	for _, api := range conformance.APIs() {
		t.Run(api, func(t *testing.T) {
			card := check(t, api, &breakage{})
			if len(failures(card)) > 0 {
				t.Error(explain(card))
			}
			for _, c := range card.Checks {
				open := api == chat && c.Name == "reasoning_form"
				if c.Result == conformance.NotTested && !open {
					t.Errorf("%s is not tested: %s", c.Name, c.Why)
				}
			}
		})
	}
}

// A server that does something unusual fails no check.
func TestOddServers(t *testing.T) {
	for name, list := range oddities {
		for i, b := range list {
			for _, api := range b.on {
				t.Run(fmt.Sprintf("%s/%s/%d", api, name, i), func(t *testing.T) {
					if card := check(t, api, &b.breakage); len(failures(card)) > 0 {
						t.Error(explain(card))
					}
				})
			}
		}
	}
}

var _ http.RoundTripper = (*server)(nil)
