package runcmd

import (
	"time"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/agent"
	"github.com/callwright/callwright/internal/config"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/internal/trace"
)

// A Trace records a run. If Writer is nil, nothing is recorded.
type Trace struct {
	Writer  *trace.Writer
	Options []config.Option // for the registry of the recorded models
	Close   func() error    // writes pending entries; may be called repeatedly
}

// resolver returns a function that resolves model names. The requests to its models are recorded.
func (t Trace) resolver(registry *config.Registry) func(name string) (callwright.Model, error) {
	return func(name string) (callwright.Model, error) {
		client, err := registry.Resolve(name)
		if err != nil {
			return nil, err
		}
		if t.Writer == nil {
			return client, nil
		}
		return trace.Record(client, t.Writer, trace.WithModelName(callwright.ModelID(name))), nil
	}
}

// add records the events about tools. The requests to the model are recorded by the models of resolver.
func (t Trace) add(ev agent.Event) {
	if t.Writer == nil {
		return
	}
	e := trace.Entry{ID: ev.Call}
	switch ev.Kind {
	case agent.EventCall:
		e.Kind, e.Data = trace.KindCall, jsonOf(struct {
			Name      string `json:"name"`
			Arguments any    `json:"arguments"`
		}{ev.Name, ev.Arguments})
	case agent.EventResult:
		e.Kind, e.Data = trace.KindResult, jsonOf(ev.Result)
		e.Duration = time.Duration(ev.MS * float64(time.Millisecond))
	default:
		return
	}
	_ = t.Writer.Append(e) // the writer stores its first error
}

// jsonOf returns a value as JSON. If it cannot be encoded, the result is the error as a JSON string.
func jsonOf(v any) []byte {
	b, err := jsonx.Marshal(v)
	if err != nil {
		return jsonx.AppendQuote(nil, err.Error())
	}
	return b
}
