// Package telemetry reports the work of a gateway to monitoring systems: metrics that Prometheus collects, and a span
// of OpenTelemetry for each request, sent to a collector by OTLP.
//
// Metrics and Spans are observers of a gateway (gateway.Config.Observers). Neither holds a request up: metrics are
// counted in memory, and spans that the collector does not accept in time are dropped and counted. Messages of users
// and models are in neither, unless Spans are configured to have them.
package telemetry
