package replay

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"time"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/internal/companion"
	"github.com/callwright/callwright/internal/config"
	"github.com/callwright/callwright/internal/modestat"
	"github.com/callwright/callwright/internal/provider"
	"github.com/callwright/callwright/internal/remedystat"
	"github.com/callwright/callwright/internal/trace"
	"github.com/callwright/callwright/internal/wire/codecs"
)

// ask sends the request to a client with the current configuration. The client receives the recorded provider
// responses.
func (r *Replay) ask(ctx context.Context, q *request) (*record, error) {
	was, err := q.readRecord()
	if err != nil {
		return nil, err
	}
	answers, err := trace.NewTransport(q.turns)
	if err != nil {
		return nil, err
	}
	registry, err := r.registry(q, was, answers)
	if err != nil {
		return nil, err
	}
	defer registry.Close()
	for id, known := range q.facts {
		for _, f := range known {
			if (f.Key == modestat.Fact || f.Key == remedystat.Fact) && f.Source == caps.Default {
				f.Source = caps.Learned // counts have no source
			}
			if f.Source == caps.Learned || f.Source == caps.Probed || f.Source == caps.Discovered {
				_ = registry.Learn(ctx, string(id), []caps.Fact{f}) // ignore facts that this version does not support
			}
		}
	}
	model, err := modelOf(registry, q, was)
	if err != nil {
		return nil, err
	}
	if r.Around != nil {
		model = r.Around(model)
	}
	return q.put(ctx, model)
}

// modelOf returns the client of the request's model. If the request was made without a client, it returns the
// provider's model.
func modelOf(registry *config.Registry, q *request, was *record) (callwright.Model, error) {
	if was.report == nil || was.report.ID == "" { // a provider's report has no id
		return registry.Direct(string(q.entry.Model))
	}
	return registry.Resolve(string(q.entry.Model))
}

// registry returns a registry whose providers respond with the recorded responses.
func (r *Replay) registry(q *request, was *record, answers *trace.Transport) (*config.Registry, error) {
	conf, err := r.configFor(q, was)
	if err != nil {
		return nil, err
	}
	return config.NewRegistry(conf, config.Offline(), config.WithChosen(was.askedModels()), config.WithSkipped(answers.TakeSkip),
		config.WithSignatures(r.signatures), config.WithClock(func() time.Time { return r.now }),
		config.WithEnv(func(string) (string, bool) { return "", false }),
		config.WithTransport(func(name string, _ callwright.WireName, _ http.RoundTripper) http.RoundTripper {
			return answers.Of(name)
		}))
}

// configFor returns the configuration with the missing providers and the missing model of the request added.
func (r *Replay) configFor(q *request, was *record) (*config.Config, error) {
	conf := *r.Config
	conf.Providers, conf.Models = slices.Clone(conf.Providers), slices.Clone(conf.Models)
	for i := range q.turns {
		if q.turns[i].Kind != trace.KindReceived {
			continue
		}
		got, err := q.turns[i].ProviderAnswer()
		if err != nil {
			return nil, err
		}
		if !hasProvider(&conf, got.Provider, got.Wire) {
			p := config.Provider{Name: got.Provider, Wire: got.Wire}
			if p.Name != config.SimulatorName {
				p.BaseURL = config.NowhereURL // no request is sent: responses come from the trace
			}
			conf.Providers = append(conf.Providers, p)
		}
	}
	name := string(q.entry.Model)
	if slices.ContainsFunc(conf.Models, func(m config.Model) bool { return m.Name == name }) {
		return &conf, nil
	}
	if p, rest := q.entry.Model.Split(); rest != "" && hasProvider(&conf, p, "") {
		return &conf, nil
	}
	if models := was.askedModels(); len(models) > 0 && models[0] != q.entry.Model {
		conf.Models = append(conf.Models, config.Model{Name: name, Model: models[0],
			Settings: config.Settings{Fallbacks: config.FallbacksTo(models[1:]...)}})
	}
	return &conf, nil
}

// hasProvider reports whether the configuration or the built-in table has a provider that uses the wire spoken ("" for
// any).
func hasProvider(conf *config.Config, name string, spoken callwright.WireName) bool {
	if slices.ContainsFunc(conf.Providers, func(p config.Provider) bool { return p.Name == name }) {
		return true
	}
	return slices.ContainsFunc(provider.Rows(), func(row provider.Row) bool {
		return row.Name == name && row.Base != "" && (spoken == "" || row.Wire == spoken)
	})
}

// request returns the original request. If its body was recorded, it is decoded by the codec of its wire.
func (q *request) request() (*callwright.Request, error) {
	req, err := q.entry.Request()
	if err != nil {
		return nil, err
	}
	if q.entry.Body != nil {
		codec, ok := codecs.Of(q.entry.Wire)
		if !ok {
			return nil, fmt.Errorf("the request has the unknown API %q", q.entry.Wire)
		}
		came, err := codec.DecodeRequest(q.entry.Body)
		if err != nil {
			return nil, err
		}
		came.Model, came.Params.Stream = req.Model, req.Params.Stream // may be in the URL instead of the body
		if told, err := q.findToldNotes(); err != nil {
			return nil, err
		} else if told != nil { // the gateway added the last message
			came.Messages = req.Messages
			companion.Change(came, func(c *companion.Companion) { c.Notes = told })
		}
		req = came
	}
	companion.Change(req, func(c *companion.Companion) {
		c.ReportID, c.Key, c.Group = q.entry.ID, q.entry.Key, q.entry.Group // call rules can match the key and its group
	})
	return req, nil
}

// findToldNotes returns the recorded notes with the rule plan.told: lines that the gateway added for the model.
func (q *request) findToldNotes() (out []callwright.Note, err error) {
	was, err := q.readRecord()
	if err != nil || was.report == nil {
		return nil, err
	}
	for _, n := range was.report.Notes {
		if n.Rule == "plan.told" {
			out = append(out, n)
		}
	}
	return out, nil
}

// put sends the request to a model and returns the record of the result.
func (q *request) put(ctx context.Context, m callwright.Model) (*record, error) {
	req, err := q.request()
	if err != nil {
		return nil, err
	}
	var file bytes.Buffer
	w := trace.NewWriter(&file, trace.WithMaxAnswer(trace.MaxLine))
	m = trace.Record(m, w)
	if q.outcome.Streamed {
		_, _ = callwright.Collect(m.Stream(ctx, req)) // the response is recorded
	} else {
		_, _ = m.Generate(ctx, req)
	}
	if err := w.Err(); err != nil {
		return nil, err
	}
	b := newCollector()
	var entries []trace.Entry
	for e, err := range trace.Read(&file) {
		if err != nil {
			return nil, err
		}
		entries = append(entries, e)
		again, err := b.take(e)
		if err != nil {
			return nil, err
		}
		if again != nil {
			rec, err := again.readRecord()
			if err == nil {
				rec.entries = entries
			}
			return rec, err
		}
	}
	return nil, errors.New("it has no result")
}

// decode decodes the bytes of a recorded response with the current codec of its wire.
func decode(ctx context.Context, q *request, was *record) (*record, error) {
	raw := was.resp.Raw
	codec, ok := codecs.Of(raw.Wire)
	if !ok {
		return nil, fmt.Errorf("the answer has the unknown API %q", raw.Wire)
	}
	kind := "application/json"
	if q.outcome.Streamed {
		kind = codec.NewStreamEncoder(&callwright.Request{}).ContentType()
	}
	got := trace.Received{Status: http.StatusOK, Header: http.Header{"Content-Type": {kind}}, Body: raw.Bytes}
	p, err := provider.New(provider.Config{Name: "replay", Wire: raw.Wire, BaseURL: config.NowhereURL, MaxRetries: new(int),
		Transport: givesOne{got}})
	if err != nil {
		return nil, err
	}
	defer p.Close()
	_, name := q.entry.Model.Split()
	now, err := q.put(ctx, p.Model(cmp.Or(name, string(q.entry.Model), "model")))
	if err != nil {
		return nil, err
	}
	// Compare only the results of codecs.
	for _, rec := range []*record{was, now} {
		rec.sent, rec.report = nil, nil
		if rec.resp != nil {
			bare := *rec.resp
			bare.Report, bare.NeedsMoreWork, bare.Confidence = nil, nil, 0
			rec.resp = &bare
		}
	}
	return now, nil
}

// givesOne is an http.RoundTripper that returns the same response to every request.
type givesOne struct{ answer trace.Received }

func (g givesOne) RoundTrip(req *http.Request) (*http.Response, error) { return g.answer.Response(req) }

// play returns the result of passing the recorded response through a model, without a codec.
func play(ctx context.Context, q *request) (*record, error) {
	p, err := trace.NewPlayer([]trace.Entry{q.entry, q.outcome})
	if err != nil {
		return nil, err
	}
	now, err := q.put(ctx, p)
	if err != nil {
		return nil, err
	}
	was, err := q.readRecord()
	if err == nil {
		now.sent = was.sent // no request is sent
	}
	return now, err
}
