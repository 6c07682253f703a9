package demo

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/provider"
	"github.com/callwright/callwright/simulate"
)

// A toolClient is a program with a tool. It asks the gateway as it would ask a provider, over the API of its wire.
type toolClient struct {
	http   *http.Client
	base   string
	wire   callwright.WireName
	model  callwright.Model
	stream bool
	last   *reportHeader
	// answered, if not nil, is called after every answer.
	answered func()
}

// newClient returns a client of the gateway that asks a model over one API.
func (l *lab) newClient(wire callwright.WireName, model string, stream bool) (*toolClient, error) {
	base, noRetry := l.base, 0
	if wire == callwright.WireOpenAI {
		base += "/v1"
	}
	last := &reportHeader{next: l.pool}
	p, err := provider.New(provider.Config{Name: "gateway", Wire: wire, BaseURL: base, Transport: last, MaxRetries: &noRetry})
	if err != nil {
		return nil, err
	}
	return &toolClient{http: l.client, base: l.base, wire: wire, model: p.Model(model), stream: stream, last: last}, nil
}

// A reportHeader keeps the id of the report of the last answer.
type reportHeader struct {
	next http.RoundTripper
	id   string
}

// RoundTrip sends a request.
func (h *reportHeader) RoundTrip(req *http.Request) (*http.Response, error) {
	h.id = ""
	resp, err := h.next.RoundTrip(req)
	if err == nil {
		h.id = reportID(resp.Header)
	}
	return resp, err
}

// A Received is the answer that a client got.
type Received struct {
	Turns []Turn   `json:"turns"`
	Error *Failure `json:"error,omitempty"`
}

// A Turn is one answer.
type Turn struct {
	Text   string            `json:"text,omitempty"`
	Calls  []Call            `json:"calls,omitempty"`
	Finish callwright.Finish `json:"finish"`
	// Notes are the changes that the codec made to read the answer. An answer in the form of its API has none.
	Notes []callwright.Note `json:"notes,omitempty"`
}

// A Call is a call as the client's API shows it, and its result.
type Call struct {
	ID        string `json:"id"`
	Name      string `json:"name"`
	Arguments string `json:"arguments"`
	Result    string `json:"result,omitempty"`
	Error     string `json:"error,omitempty"`
}

// A Failure is an error as the client's API shows it. Status is 200 for one inside a stream.
type Failure struct {
	Status  int    `json:"status"`
	Code    string `json:"code"`
	Message string `json:"message"`
}

// Error implements error.
func (f *Failure) Error() string { return fmt.Sprintf("%d %s: %s", f.Status, f.Code, f.Message) }

// maxTurns bounds the tool loop.
const maxTurns = 4

// run asks the question, runs the calls that come, gives their results back, and so on until an answer has no calls. It
// returns the ids of the gateway's reports too.
func (c *toolClient) run(ctx context.Context, question string) (got Received, reports []string, err error) {
	for len(got.Turns) < maxTurns {
		turn, report, err := c.ask(ctx, question, got.Turns)
		if c.answered != nil {
			c.answered()
		}
		if report != "" {
			reports = append(reports, report)
		}
		if errors.As(err, &got.Error) {
			return got, reports, nil
		}
		if err != nil {
			return got, reports, err
		}
		for i := range turn.Calls {
			turn.Calls[i].run()
		}
		got.Turns = append(got.Turns, turn)
		if len(turn.Calls) == 0 {
			break
		}
	}
	return got, reports, nil
}

// ask gets one turn. An error that the gateway reported is a *Failure.
func (c *toolClient) ask(ctx context.Context, question string, turns []Turn) (turn Turn, report string, err error) {
	var resp *callwright.Response
	if c.stream {
		resp, turn.Notes, err = c.readStream(ctx, c.request(question, turns))
	} else {
		resp, err = c.model.Generate(ctx, c.request(question, turns))
	}
	if e, ok := errors.AsType[*callwright.Error](err); ok && e.Code != "" { // an error without a code is the client's own
		err = &Failure{Status: cmp.Or(e.Status, http.StatusOK), Code: string(e.Kind), Message: e.Message}
	}
	if err != nil {
		return turn, c.last.id, err
	}
	turn.Text, turn.Finish = callwright.TextOf(resp.Parts), resp.Finish
	for _, call := range callwright.CallsOf(resp.Parts) {
		turn.Calls = append(turn.Calls, Call{ID: call.ID, Name: call.Name, Arguments: string(call.Arguments)})
	}
	if resp.Report != nil {
		turn.Notes = append(turn.Notes, resp.Report.Notes...)
	}
	return turn, c.last.id, nil
}

// readStream reads a streamed answer to its end, and the notes of the client's own codec.
func (c *toolClient) readStream(ctx context.Context, req *callwright.Request) (*callwright.Response, []callwright.Note, error) {
	var all callwright.Collector
	var notes []callwright.Note
	for b, err := range callwright.Batches(ctx, c.model, req) {
		if err != nil {
			return nil, nil, err
		}
		notes = append(notes, b.Notes...)
		all.AddBatch(b)
	}
	return all.Response(), notes, nil
}

// request returns the request for the turn that follows some turns.
func (c *toolClient) request(question string, turns []Turn) *callwright.Request {
	req := &callwright.Request{Messages: []callwright.Message{callwright.UserText(question)}}
	req.Tools = []callwright.Tool{{Name: toolName, Description: toolDoc, Schema: json.RawMessage(toolSchema)}}
	req.Params.Stream = c.stream
	if c.wire == callwright.WireAnthropic { // its clients must give a limit
		req.Params.MaxTokens = maxOutput
	}
	for _, t := range turns {
		said, results := callwright.AssistantText(t.Text), callwright.Message{Role: callwright.RoleTool}
		if t.Text == "" {
			said.Parts = nil
		}
		for _, c := range t.Calls {
			call := callwright.Call{ID: c.ID, Name: c.Name, Arguments: json.RawMessage(c.Arguments)}
			result := callwright.Result{CallID: c.ID, Name: c.Name,
				Parts: []callwright.Part{callwright.Text{Text: c.outcome()}}, IsError: c.Error != ""}
			said.Parts, results.Parts = append(said.Parts, call), append(results.Parts, result)
		}
		req.Messages = append(req.Messages, said, results)
	}
	return req
}

// reportID returns the id of the gateway's report on an answer.
func reportID(h http.Header) string {
	for part := range strings.SplitSeq(h.Get("Callwright-Report"), ";") {
		if id, ok := strings.CutPrefix(strings.TrimSpace(part), "id="); ok {
			return id
		}
	}
	return ""
}

// report asks the gateway for a report.
func (c *toolClient) report(ctx context.Context, id string) (rep callwright.Report, err error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, c.base+"/callwright/reports/"+id, nil)
	if err != nil {
		return rep, err
	}
	resp, err := c.http.Do(req)
	if err != nil {
		return rep, err
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return rep, fmt.Errorf("report %s: %s", id, resp.Status)
	}
	return rep, json.NewDecoder(resp.Body).Decode(&rep)
}

// The tool.
const (
	toolName   = "get_weather"
	toolDoc    = "Current weather in a city, or a forecast"
	toolSchema = simulate.WeatherSchema
	maxOutput  = "1024"
)

var weatherIn = map[string]string{"Oslo": "12 degrees and rain in Oslo", "Paris": "19 degrees and sun in Paris"}

// run runs a call of the tool. Arguments that do not fit its types exactly are an error.
func (c *Call) run() {
	var args struct {
		City   string
		Days   *int64
		Hourly *bool
		Fields []string
		Place  *struct{ Country string }
		Units  *string
	}
	d := json.NewDecoder(strings.NewReader(c.Arguments))
	d.DisallowUnknownFields()
	result, known := "", false
	err := d.Decode(&args)
	if err == nil {
		if result, known = weatherIn[args.City]; !known {
			err = fmt.Errorf("no weather is known of %q", args.City)
		}
	}
	if c.Name != toolName {
		err = fmt.Errorf("there is no tool %q", c.Name)
	}
	if err != nil {
		c.Error = err.Error()
		return
	}
	c.Result = result
}

// outcome returns the result of a call for the model.
func (c *Call) outcome() string { return c.Result + c.Error }
