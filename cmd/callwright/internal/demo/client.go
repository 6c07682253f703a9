package demo

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/simulate"
	"github.com/callwright/callwright/sse"
)

// A toolClient is a program with a tool: it speaks its API as the API's documentation says and knows nothing of the
// gateway but its address.
type toolClient struct {
	http   *http.Client
	base   string
	api    api
	model  string
	stream bool
	// answered, if not nil, is called after every answer.
	answered func()
}

// An api is a client's side of an API.
type api interface {
	path() string
	header() http.Header
	// request is the body that asks for the next turn.
	request(model string, stream bool, question string, turns []Turn) any
	// whole reads a whole answer.
	whole(body []byte) (Turn, error)
	// event reads one event of a stream into t and reports whether it was the last.
	event(t *Turn, data []byte) (last bool, err error)
	// failure reads an error.
	failure(body []byte) *Failure
	// finishes gives the finish reasons of a turn with calls and of one without.
	finishes() (calls, ends string)
}

// A Received is what a client got.
type Received struct {
	Turns []Turn   `json:"turns"`
	Error *Failure `json:"error,omitempty"`
}

// A Turn is one answer.
type Turn struct {
	Text   string `json:"text,omitempty"`
	Calls  []Call `json:"calls,omitempty"`
	Finish string `json:"finish"`
}

// A Call is a call as the client's API shows it, and what running it gave.
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
	body, err := json.Marshal(c.api.request(c.model, c.stream, question, turns))
	if err != nil {
		return turn, "", err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, c.base+c.api.path(), bytes.NewReader(body))
	if err != nil {
		return turn, "", err
	}
	req.Header = c.api.header()
	req.Header.Set("Content-Type", "application/json")
	resp, err := c.http.Do(req)
	if err != nil {
		return turn, "", err
	}
	defer resp.Body.Close()
	report = reportID(resp.Header)
	if resp.StatusCode == http.StatusOK && c.stream {
		turn, err = c.readStream(resp.Body)
		return turn, report, err
	}
	answer, err := io.ReadAll(resp.Body)
	if err != nil {
		return turn, report, err
	}
	if resp.StatusCode != http.StatusOK {
		f := c.api.failure(answer)
		f.Status = resp.StatusCode
		return turn, report, f
	}
	turn, err = c.api.whole(answer)
	return turn, report, err
}

// readStream reads a streamed turn to its end. One that ends without its last event is an error.
func (c *toolClient) readStream(body io.Reader) (t Turn, err error) {
	done := false
	for r := sse.NewReader(body); ; {
		ev, err := r.Next()
		switch {
		case errors.Is(err, io.EOF) && done:
			return t, nil
		case err != nil:
			return t, fmt.Errorf("the stream broke off without an error of the API: %w", err)
		case ev.Data == nil:
			continue
		}
		last, err := c.api.event(&t, ev.Data)
		if err != nil {
			return t, err
		}
		done = done || last
	}
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
	maxOutput  = 1024
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

// outcome returns what the model is told of a call.
func (c *Call) outcome() string { return c.Result + c.Error }
