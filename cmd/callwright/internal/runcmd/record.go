package runcmd

import (
	"time"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/agent"
	"github.com/callwright/callwright/internal/config"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/internal/trace"
)

// A Trace is where a run is recorded; without a Writer nothing is.
type Trace struct {
	Writer  *trace.Writer
	Options []config.Option // of the registry whose models are recorded
	Close   func() error    // writes what waits and returns its first error, also when it is called again
}

// resolver finds models by their names, whose answers are recorded where anything is.
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

// add records the events of a run about its tools. Requests to the model are recorded where they are made.
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
	_ = t.Writer.Append(e) // the writer keeps its first error
}

// jsonOf is a value as JSON, or why it cannot be written.
func jsonOf(v any) []byte {
	b, err := jsonx.Marshal(v)
	if err != nil {
		return jsonx.AppendQuote(nil, err.Error())
	}
	return b
}
