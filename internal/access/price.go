package access

import (
	"math"
	"slices"
	"strings"

	"github.com/callwright/callwright"
)

// A Price is the price of a million tokens of a model, in US dollars.
type Price struct {
	Input  float64
	Cached float64 // read out of a prompt cache
	Write  float64 // written to one
	Output float64
}

// NanosPerUSD is the number of billionths in a US dollar, in which money is counted.
const NanosPerUSD = 1e9

// NanosOf returns an amount of US dollars in billionths, rounded and bounded.
func NanosOf(usd float64) int64 { return int64(math.Min(math.Round(usd*NanosPerUSD), math.MaxInt64/2)) }

// Cost is the cost of a usage's tokens, in US dollars.
func (p Price) Cost(u callwright.Usage) float64 {
	plain := max(u.Input-u.CacheRead-u.CacheWrite, 0)
	return (float64(plain)*p.Input + float64(u.CacheRead)*p.Cached + float64(u.CacheWrite)*p.Write + float64(u.Output)*p.Output) / 1e6
}

// most is the most that tokens of input, and tokens beyond that of which it is not known whether they are input or
// output, cost in US dollars.
func (p Price) most(input, beyond int64) float64 {
	dearest := max(p.Input, p.Write)
	return (float64(input)*dearest + float64(beyond)*max(dearest, p.Output)) / 1e6
}

// A PriceRow is the price of the models that a pattern fits. Asterisks stand for any characters.
type PriceRow struct {
	Models string // as provider/model
	Price
}

// Prices are the prices of models. The nil Prices has the built-in ones.
type Prices struct {
	exact    map[string]Price
	patterns []PriceRow
}

// NewPrices returns prices over those that are built in. A row for one model wins over patterns, and of patterns the
// first that fits.
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

// Of returns the price of a model, provider/model. ok is false where it is not known.
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

// Price is the price of a model. ok is false where it is not known.
func (g *Gate) Price(m callwright.ModelID) (price Price, ok bool) { return g.ring.Load().prices.Of(m) }

// Cost is the cost of a usage's tokens by the gate's prices, in US dollars. known is false where the price is not
// known.
func (g *Gate) Cost(m callwright.ModelID, u callwright.Usage) (usd float64, known bool) {
	p, known := g.ring.Load().prices.Of(m)
	return p.Cost(u), known
}

// shippedPrice is the built-in price. Servers on the own machine cost nothing, and the snapshot of a model has the
// price of the model.
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

// withoutDate returns the name of a model without the date of a snapshot at its end: -2025-08-07, -20250807 or -latest.
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
