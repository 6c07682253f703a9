package access_test

import (
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/access"
)

func TestPrices(t *testing.T) {
	own := access.NewPrices([]access.PriceRow{
		{Models: "lab/a*", Price: access.Price{Input: 1}}, {Models: "lab/*", Price: access.Price{Input: 2}}, {Models: "lab/ab", Price: access.Price{Input: 3}},
		{Models: "anthropic/claude-haiku-4-5", Price: access.Price{Input: 4}}, {Models: "ollama/dear", Price: access.Price{Input: 5}},
	})
	for _, c := range []struct {
		prices *access.Prices
		model  callwright.ModelID
		input  float64 // -1: not known
	}{
		{nil, "openai/gpt-5", 1.25}, {nil, "openai/gpt-5-2025-08-07", 1.25}, {nil, "openai-responses/gpt-5-mini", 0.25}, {nil, "openai/gpt-5-future", -1},
		{nil, "anthropic/claude-haiku-4-5-20251001", 1}, {nil, "anthropic/claude-haiku-4-5-latest", 1}, {nil, "other/claude-haiku-4-5", -1}, {nil, "claude-haiku-4-5", -1},
		{nil, "groq/openai/gpt-oss-120b", 0.15}, {nil, "ollama/anything", 0}, {nil, "sim/native", 0}, {nil, "lab/a", -1}, {nil, "", -1}, {nil, "openai/-latest", -1},
		{own, "lab/a", 1}, {own, "lab/ab", 3}, {own, "lab/b", 2}, {own, "anthropic/claude-haiku-4-5", 4}, {own, "openai/gpt-5", 1.25}, {own, "ollama/dear", 5}, {own, "ollama/x", 0},
	} {
		switch price, ok := c.prices.Of(c.model); {
		case ok != (c.input >= 0):
			t.Errorf("%s: known %t", c.model, ok)
		case ok && price.Input != c.input:
			t.Errorf("%s: got %v", c.model, price)
		}
	}
}

func TestCost(t *testing.T) {
	p := access.Price{Input: 10, Cached: 1, Write: 12, Output: 50}
	for _, c := range []struct {
		u    callwright.Usage
		want float64
	}{
		{callwright.Usage{}, 0},
		{callwright.Usage{Input: 1e6}, 10},
		{callwright.Usage{Input: 1e6, CacheRead: 5e5, CacheWrite: 2.5e5, Output: 1e6}, 2.5 + 0.5 + 3 + 50},
		{callwright.Usage{Input: 10, CacheRead: 1e6}, 1}, // a provider that counts otherwise is not paid for it
	} {
		if got := p.Cost(c.u); got != c.want {
			t.Errorf("%+v costs %v, want %v", c.u, got, c.want)
		}
	}
}
