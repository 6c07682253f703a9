package telemetry

import (
	"cmp"

	"github.com/callwright/callwright/internal/health"
	"github.com/prometheus/client_golang/prometheus"
)

// problems is a prometheus.Collector of the number of problems by severity and topic.
type problems struct{ list func() []health.Problem }

// Topics of problems without a Topic.
const (
	topicModel = "model"
	topicOther = "other"
)

// topics are the values of the label topic.
var topics = []string{
	string(health.TopicBreaker), string(health.TopicHealing), string(health.TopicConfiguration), string(health.TopicState),
	topicModel, topicOther,
}

var problemsDesc = prometheus.NewDesc("callwright_problems",
	"Problems of the gateway, as listed by its status, by severity and topic.", []string{"severity", "topic"}, nil)

// Describe implements prometheus.Collector.
func (problems) Describe(ch chan<- *prometheus.Desc) { ch <- problemsDesc }

// Collect implements prometheus.Collector.
func (p problems) Collect(ch chan<- prometheus.Metric) {
	type kind struct {
		severity health.Severity
		topic    string
	}
	count := map[kind]int{}
	for _, one := range p.list() {
		topic := string(one.Topic)
		if topic == "" && one.Model != "" {
			topic = topicModel
		}
		count[kind{one.Severity, cmp.Or(topic, topicOther)}]++
	}
	for _, severity := range []health.Severity{health.Broken, health.Degraded} {
		for _, topic := range topics {
			ch <- prometheus.MustNewConstMetric(problemsDesc, prometheus.GaugeValue, float64(count[kind{severity, topic}]), string(severity), topic)
		}
	}
}
