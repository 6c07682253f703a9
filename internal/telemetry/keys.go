package telemetry

import (
	"context"
	"time"

	"github.com/callwright/callwright/internal/access"
	"github.com/prometheus/client_golang/prometheus"
)

// mostKeys is the maximum number of keys with their own label: those with the most usage. All other keys share one
// label.
const mostKeys = 100

// keysTime is the maximum time for reading the usage of the keys.
const keysTime = 3 * time.Second

// keys is a prometheus.Collector of the usage of the gateway's keys.
type keys struct {
	busiest func(ctx context.Context, most int) (list []access.Usage, others access.Total)
	total   func(ctx context.Context) []access.Limit // limits of all keys together; nil for none
}

const labelKey = "key"

var (
	keyRequestsDesc = prometheus.NewDesc("callwright_key_requests_total", "Requests of a key at this gateway since its start.",
		[]string{labelKey}, nil)
	keyTokensDesc = prometheus.NewDesc("callwright_key_tokens_total",
		"Tokens of a key at this gateway since its start: input, of it cached, and output.", []string{labelKey, "type"}, nil)
	keySpendDesc = prometheus.NewDesc("callwright_key_spend_usd_total",
		"Cost in US dollars of a key at this gateway since its start, for models with a known price.", []string{labelKey}, nil)
	keyLimitDesc = prometheus.NewDesc("callwright_key_limit_used_ratio",
		"Used share of a limit in the current window, at all gateways that count together. "+
			"The limit is of a key or a group, or of all keys if both labels are empty; models is the pattern of a limit by model.",
		[]string{labelKey, "group", "limit", "per", "models"}, nil)
)

// Describe implements prometheus.Collector.
func (keys) Describe(ch chan<- *prometheus.Desc) {
	for _, d := range []*prometheus.Desc{keyRequestsDesc, keyTokensDesc, keySpendDesc, keyLimitDesc} {
		ch <- d
	}
}

// A limitKey has the labels of a limit.
type limitKey struct{ key, group, what, per, models string }

// Collect implements prometheus.Collector.
func (k keys) Collect(ch chan<- prometheus.Metric) {
	ctx, cancel := context.WithTimeout(context.Background(), keysTime)
	defer cancel()
	list, others := k.busiest(ctx, mostKeys)
	totals, limits := map[string]*access.Total{}, map[limitKey]float64{}
	count := func(label string, t *access.Total) { // several long names may have the same label
		sum := totals[label]
		if sum == nil {
			sum = &access.Total{}
			totals[label] = sum
		}
		sum.Requests += t.Requests
		sum.InputTokens += t.InputTokens
		sum.CachedTokens += t.CachedTokens
		sum.OutputTokens += t.OutputTokens
		sum.USD += t.USD
	}
	use := func(key, group string, list []access.Limit) {
		for _, l := range list {
			if l.Limit > 0 {
				at := limitKey{key, group, l.What, string(l.Per), labelValue(l.Models)}
				limits[at] = max(limits[at], l.Used/l.Limit)
			}
		}
	}
	for i := range list {
		u := &list[i]
		count(labelValue(u.Key), &u.Total)
		use(labelValue(u.Key), "", u.Limits)
		if u.Group != nil {
			use("", labelValue(u.Group.Group), u.Group.Limits)
		}
	}
	if k.total != nil {
		use("", "", k.total(ctx))
	}
	if others.Requests > 0 {
		count(otherName, &others)
	}
	for label, t := range totals {
		collectTotal(ch, label, t)
	}
	for at, ratio := range limits {
		ch <- prometheus.MustNewConstMetric(keyLimitDesc, prometheus.GaugeValue, ratio, at.key, at.group, at.what, at.per, at.models)
	}
}

// collectTotal sends the metrics of t with the label key. key is "" for all callers of a gateway that requires no key.
func collectTotal(ch chan<- prometheus.Metric, key string, t *access.Total) {
	add := func(d *prometheus.Desc, v float64, labels ...string) {
		ch <- prometheus.MustNewConstMetric(d, prometheus.CounterValue, v, append([]string{key}, labels...)...)
	}
	add(keyRequestsDesc, float64(t.Requests))
	add(keyTokensDesc, float64(t.InputTokens), "input")
	add(keyTokensDesc, float64(t.CachedTokens), "cached")
	add(keyTokensDesc, float64(t.OutputTokens), "output")
	add(keySpendDesc, t.USD)
}
