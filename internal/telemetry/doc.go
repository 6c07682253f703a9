// Package telemetry reports the work of a gateway to monitoring systems: metrics for Prometheus, and an OpenTelemetry
// span for each request, sent to a collector by OTLP.
//
// Metrics and Spans are observers of a gateway (gateway.Config.Observers). They do not delay requests: metrics are
// counted in memory, and spans that the collector does not accept in time are dropped and counted. They contain no
// messages of users and models, unless SpansConfig.Content is set.
package telemetry
