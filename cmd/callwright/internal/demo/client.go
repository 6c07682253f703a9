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

// A toolClient is a program with one tool that calls a model through the gateway over one API.
type toolClient struct {
	http   *http.Client
	base   string
	wire   callwright.WireName
	model  callwright.Model
	stream bool
	last   *reportHeader
	// answered, if not nil, is called after every response.
	answered func()
}

// newClient returns a client that calls a model through the gateway over the given API.
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

// A reportHeader is an http.RoundTripper that stores the report id of the last response.
type reportHeader struct {
	next http.RoundTripper
	id   string
}

// RoundTrip sends a request and stores the report id of its response.
func (h *reportHeader) RoundTrip(req *http.Request) (*http.Response, error) {
	h.id = ""
	resp, err := h.next.RoundTrip(req)
	if err == nil {
		h.id = reportID(resp.Header)
	}
	return resp, err
}

// A Received contains the responses that a client received in a tool loop.
type Received struct {
	Turns []Turn   `json:"turns"`
	Error *Failure `json:"error,omitempty"`
}

// A Turn is one response that the client received.
type Turn struct {
	Text   string            `json:"text,omitempty"`
	Calls  []Call            `json:"calls,omitempty"`
	Finish callwright.Finish `json:"finish"`
	// Notes are the changes that the client's codec made to decode the response. A response that conforms to the API has
	// none.
	Notes []callwright.Note `json:"notes,omitempty"`
}

// A Call is a tool call in the client's API, with the result of running it.
type Call struct {
	ID        string `json:"id"`
	Name      string `json:"name"`
	Arguments string `json:"arguments"`
	Result    string `json:"result,omitempty"`
	Error     string `json:"error,omitempty"`
}

// A Failure is an error in the client's API. Status is the HTTP status, 200 for an error inside a stream.
type Failure struct {
	Status  int    `json:"status"`
	Code    string `json:"code"`
	Message string `json:"message"`
}

// Error returns the status, the code and the message.
func (f *Failure) Error() string { return fmt.Sprintf("%d %s: %s", f.Status, f.Code, f.Message) }

// maxTurns is the maximum number of responses in a tool loop.
const maxTurns = 4

// run sends the question, runs the calls of the response, sends their results, and repeats this until a response has no
// calls. It also returns the ids of the gateway's reports.
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

// ask requests one response. An error from the gateway is a *Failure. report is the id of the gateway's report.
func (c *toolClient) ask(ctx context.Context, question string, turns []Turn) (turn Turn, report string, err error) {
	var resp *callwright.Response
	if c.stream {
		resp, turn.Notes, err = c.readStream(ctx, c.request(question, turns))
	} else {
		resp, err = c.model.Generate(ctx, c.request(question, turns))
	}
	if e, ok := errors.AsType[*callwright.Error](err); ok && e.Code != "" { // the client's own errors have no code
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

// readStream reads a streamed response to its end, and the notes of the client's codec.
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

// request returns the request with the question and the given turns as its history.
func (c *toolClient) request(question string, turns []Turn) *callwright.Request {
	req := &callwright.Request{Messages: []callwright.Message{callwright.UserText(question)}}
	req.Tools = []callwright.Tool{{Name: toolName, Description: toolDoc, Schema: json.RawMessage(toolSchema)}}
	req.Params.Stream = c.stream
	if c.wire == callwright.WireAnthropic { // the API requires an output limit
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

// reportID returns the id of the gateway's report from the headers of a response.
func reportID(h http.Header) string {
	for part := range strings.SplitSeq(h.Get("Callwright-Report"), ";") {
		if id, ok := strings.CutPrefix(strings.TrimSpace(part), "id="); ok {
			return id
		}
	}
	return ""
}

// report fetches the gateway's report with the given id.
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

// The tool of the clients.
const (
	toolName   = "get_weather"
	toolDoc    = "Current weather in a city, or a forecast"
	toolSchema = simulate.WeatherSchema
	maxOutput  = "1024"
)

var weatherIn = map[string]string{"Oslo": "12 degrees and rain in Oslo", "Paris": "19 degrees and sun in Paris"}

// run runs a call of the tool. Arguments of wrong types are an error.
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
			err = fmt.Errorf("there is no weather for %q", args.City)
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

// outcome returns the result or the error of a call for the model.
func (c *Call) outcome() string { return c.Result + c.Error }
