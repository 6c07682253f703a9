package telemetry

import (
	"github.com/callwright/callwright/internal/health"
	"github.com/prometheus/client_golang/prometheus"
)

// targets is a prometheus.Collector of the keys and hosts of providers that have several. The number of label values is
// bounded by the configuration.
type targets struct{ list func() []health.Target }

var (
	targetLabels = []string{labelProvider, "key", "host"}
	targetsDesc  = prometheus.NewDesc("callwright_target_requests_total",
		"Requests to a target (key and host) of a provider with several targets: "+
			"sent, and of these limited, refused for the key, or failed at the host.", append(targetLabels[:3:3], "what"), nil)
	inFlightDesc = prometheus.NewDesc("callwright_target_in_flight", "Requests in flight to a target (key and host).", targetLabels, nil)
	coolingDesc  = prometheus.NewDesc("callwright_target_cooling",
		"1 for a target (key and host) in a cooldown, else 0.", targetLabels, nil)
	coolingModels = prometheus.NewDesc("callwright_target_limited_models",
		"Models in a cooldown at a target (key and host).", targetLabels, nil)
)

// Describe implements prometheus.Collector.
func (t targets) Describe(ch chan<- *prometheus.Desc) {
	for _, d := range []*prometheus.Desc{targetsDesc, inFlightDesc, coolingDesc, coolingModels} {
		ch <- d
	}
}

// Collect implements prometheus.Collector.
func (t targets) Collect(ch chan<- prometheus.Metric) {
	for _, one := range t.list() {
		labels := []string{labelValue(one.Provider), labelValue(one.Key), labelValue(one.Host)}
		gauge := func(d *prometheus.Desc, n float64) {
			ch <- prometheus.MustNewConstMetric(d, prometheus.GaugeValue, n, labels...)
		}
		cooling := 0.0
		if one.State == health.TargetCooling {
			cooling = 1
		}
		gauge(inFlightDesc, float64(one.InFlight))
		gauge(coolingDesc, cooling)
		gauge(coolingModels, float64(len(one.Limited)))
		for _, c := range []struct {
			what string
			n    int64
		}{{"sent", one.Requests.Sent}, {"limited", one.Requests.Limited}, {"refused", one.Requests.Refused}, {"failed", one.Requests.Failed}} {
			ch <- prometheus.MustNewConstMetric(targetsDesc, prometheus.CounterValue, float64(c.n), append(labels[:3:3], c.what)...)
		}
	}
}
