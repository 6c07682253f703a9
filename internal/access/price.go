package access

import (
	"math"
	"slices"
	"strings"

	"github.com/callwright/callwright"
)

// A Price is the price of a model in US dollars for a million tokens.
type Price struct {
	Input  float64
	Cached float64 // input read from a prompt cache
	Write  float64 // input written to a prompt cache
	Output float64
}

// NanosPerUSD is the number of units in a US dollar in which money is counted, billionths.
const NanosPerUSD = 1e9

// NanosOf returns an amount of US dollars in billionths, rounded and limited to half of the int64 range.
func NanosOf(usd float64) int64 { return int64(math.Min(math.Round(usd*NanosPerUSD), math.MaxInt64/2)) }

// Cost returns the cost of the token usage u in US dollars.
func (p Price) Cost(u callwright.Usage) float64 {
	plain := max(u.Input-u.CacheRead-u.CacheWrite, 0)
	return (float64(plain)*p.Input + float64(u.CacheRead)*p.Cached + float64(u.CacheWrite)*p.Write + float64(u.Output)*p.Output) / 1e6
}

// most returns the maximum cost in US dollars of input tokens, and of further tokens that may be input or output.
func (p Price) most(input, beyond int64) float64 {
	dearest := max(p.Input, p.Write)
	return (float64(input)*dearest + float64(beyond)*max(dearest, p.Output)) / 1e6
}

// A PriceRow is the price of the models that match a pattern, in which asterisks stand for any characters.
type PriceRow struct {
	Models string // pattern of provider/model
	Price
}

// Prices are the prices of models. The nil *Prices has the built-in prices.
type Prices struct {
	exact    map[string]Price
	patterns []PriceRow
}

// NewPrices returns prices that override the built-in ones. A row for a single model has precedence over patterns. Of
// several patterns the first that matches applies.
func NewPrices(rows []PriceRow) *Prices {
	p := &Prices{exact: map[string]Price{}}
	for _, r := range rows {
		if strings.Contains(r.Models, "*") {
			p.patterns = append(p.patterns, r)
		} else {
			p.exact[r.Models] = r.Price
		}
	}
	return p
}

// Of returns the price of a model, provider/model. ok is false if it is unknown.
func (p *Prices) Of(m callwright.ModelID) (price Price, ok bool) {
	if p != nil {
		if price, ok := p.exact[string(m)]; ok {
			return price, true
		}
		for i := range p.patterns {
			if Fits(p.patterns[i].Models, string(m)) {
				return p.patterns[i].Price, true
			}
		}
	}
	return shippedPrice(m)
}

// Price returns the price of a model. ok is false if it is unknown.
func (g *Gate) Price(m callwright.ModelID) (price Price, ok bool) { return g.ring.Load().prices.Of(m) }

// Cost returns the cost of the token usage u in US dollars by the gate's prices. known is false if the price is
// unknown.
func (g *Gate) Cost(m callwright.ModelID, u callwright.Usage) (usd float64, known bool) {
	p, known := g.ring.Load().prices.Of(m)
	return p.Cost(u), known
}

// shippedPrice returns the built-in price of a model, false if there is none. Models of local servers are free. A
// snapshot of a model has the price of the model.
func shippedPrice(m callwright.ModelID) (Price, bool) {
	provider, name := m.Split()
	if slices.Contains(free, provider) {
		return Price{}, true
	}
	if same, ok := samePrices[provider]; ok {
		provider = same
	}
	rows := shippedPrices[provider]
	if price, ok := rows[name]; ok {
		return price, true
	}
	price, ok := rows[withoutDate(name)]
	return price, ok
}

// withoutDate returns a model's name without the suffix of a snapshot: -2025-08-07, -20250807 or -latest.
func withoutDate(name string) string {
	if base, ok := strings.CutSuffix(name, "-latest"); ok {
		return base
	}
	for _, form := range []string{"-dddd-dd-dd", "-dddddddd"} {
		at := len(name) - len(form)
		if at > 0 && isForm(name[at:], form) {
			return name[:at]
		}
	}
	return name
}

func isForm(text, form string) bool {
	for i := range len(form) {
		digit := '0' <= text[i] && text[i] <= '9'
		if form[i] == 'd' && !digit || form[i] != 'd' && text[i] != form[i] {
			return false
		}
	}
	return true
}
