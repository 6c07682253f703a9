// Package telemetry tells monitoring systems what a gateway does: figures that Prometheus collects, and a span of OpenTelemetry for
// each request, sent to a collector by OTLP.
//
// Metrics and Spans are observers of a gateway (gateway.Config.Observers). Neither holds a request up: figures are counted in memory, and
// spans that the collector does not take in time are dropped and counted. What users and models say is in neither, unless Spans are told to
// have it.
package telemetry
