package conformance

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync/atomic"
	"time"
)

// reach finds the URL at which the API answers a greeting. It returns a client for that URL and the answer.
func reach(ctx context.Context, o Options, f *form) (*client, *answer, error) {
	variants := f.urls(newBase(o.URL), o.Model, false)
	var tried []string
	var sent atomic.Int64
	for i := range variants {
		c := newClient(o, f, i)
		c.sent = &sent
		a := c.send(ctx, &request{messages: []message{user(greeting)}})
		if a.isGood() {
			return c, a, nil
		}
		if ctx.Err() != nil {
			return nil, nil, context.Cause(ctx)
		}
		tried = append(tried, variants[i]+": "+a.problem())
		if a.status != http.StatusNotFound && a.status != http.StatusMethodNotAllowed && a.status != 0 {
			break
		}
	}
	return nil, nil, fmt.Errorf("%w over %s: %s", errNoAnswer, f.title, strings.Join(tried, "; "))
}

// isAnswer reports whether a body is a response of an API, or an error in its format.
func isAnswer(f *form, status int, body []byte) bool {
	t, err := parse(bytes.TrimSpace(body))
	if err != nil {
		return false
	}
	if status/100 != 2 {
		if f.name == Chat && t.at("type").text() == "error" {
			return false // Anthropic's error object also has a member type
		}
		return f.refusal(t) == "" && (status != http.StatusNotFound || strings.Contains(string(body), "model"))
	}
	switch f.name {
	case Chat:
		return t.at("choices").isList()
	case Responses:
		return t.at("output").isList()
	case Anthropic:
		return t.at("content").isList()
	case Gemini:
		return t.at("candidates").isList()
	default:
		return t.at("message").isObject() && t.at("done").isBool()
	}
}

// A Found is the result of Find: the APIs and models of a server.
type Found struct {
	APIs   []string // in the order of [APIs]
	Models []string // models listed by the server
}

// FindRequests returns the maximum number of requests of Find.
func FindRequests() int {
	n := len(listPaths) * len(keyForms)
	for _, f := range forms {
		n += len(f.urls(newBase("http://host/path"), "", false))
	}
	return n
}

// listPaths are the candidate paths of the model list, relative to the given URL or to its root.
var listPaths = []struct {
	given bool
	path  string
}{{true, "/models"}, {false, "/v1/models"}, {false, "/v1beta/models"}, {false, "/api/tags"}}

// Find requests the model list of a server, and then a short answer over each API in wanted, or all APIs if wanted is
// empty. If o.Model is empty, it uses the first listed model.
func Find(ctx context.Context, o Options, wanted ...string) (Found, error) {
	o = o.withDefaults()
	var found Found
	var problems []string
	found.Models, problems = listModels(ctx, o)
	if ctx.Err() != nil {
		return found, context.Cause(ctx)
	}
	if o.Model == "" {
		if len(found.Models) == 0 {
			return found, fmt.Errorf("%s lists no models: name one with --model: %s", o.URL, strings.Join(problems, "; "))
		}
		o.Model = found.Models[0]
	}
	var tried []string
	for _, f := range forms {
		if len(wanted) > 0 && !slices.Contains(wanted, f.name) {
			continue
		}
		for i, address := range f.urls(newBase(o.URL), o.Model, false) {
			a := newClient(o, f, i).send(ctx, &request{messages: []message{user(greeting)}, most: fewTokens})
			if ctx.Err() != nil {
				return found, context.Cause(ctx)
			}
			if isAnswer(f, a.status, a.body) {
				found.APIs = append(found.APIs, f.name)
				break
			}
			why := fmt.Sprint(a.status)
			if a.status == 0 {
				why = a.problem()
			}
			tried = append(tried, address+": "+why)
		}
	}
	if len(found.APIs) == 0 {
		return found, fmt.Errorf("no API answers below %s: %s", o.URL, strings.Join(tried, "; "))
	}
	return found, nil
}

// fewTokens is the token limit of short answers, the minimum that the Responses API accepts.
const fewTokens = 16

// listModels returns the first model list that is not empty, and the problem with each URL tried before.
func listModels(ctx context.Context, o Options) (names, problems []string) {
	b := newBase(o.URL)
	var tried []string
	for _, at := range listPaths {
		address := b.root + at.path
		if at.given {
			address = b.given + at.path
		}
		if slices.Contains(tried, address) {
			continue
		}
		tried = append(tried, address)
		names, why := fetchModels(ctx, o, address)
		if len(names) > 0 || ctx.Err() != nil {
			return names, problems
		}
		problems = append(problems, address+": "+why)
	}
	return nil, problems
}

// keyForms are APIs that send their key in different headers.
var keyForms = []*form{&chatForm, &anthropicForm, &geminiForm}

// fetchModels reads a model list in the format of any API. It sends the key in the header of o.API or, if that is
// empty, tries the header of each API until the server accepts it. why is the reason if there is no list.
func fetchModels(ctx context.Context, o Options, address string) (names []string, why string) {
	tried := keyForms
	if f := formOf(o.API); f != nil {
		tried = []*form{f}
	} else if o.Key == "" || o.KeyHeader != "" {
		tried = keyForms[:1]
	}
	for _, f := range tried {
		got := newClient(o, f, 0).get(ctx, address)
		list, err := parse(bytes.TrimSpace(got.body))
		problem := got.problem()
		switch {
		case problem == "" && err != nil:
			problem = "the list is not JSON"
		case problem == "":
			for _, of := range forms {
				if names = of.models(list); len(names) > 0 {
					return names, ""
				}
			}
			problem = "the list names no model"
		}
		if why == "" {
			why = problem
		}
		if got.status != http.StatusBadRequest && got.status != http.StatusUnauthorized && got.status != http.StatusForbidden {
			break
		}
	}
	return nil, why
}

// get sends a GET request.
func (c *client) get(ctx context.Context, address string) *answer {
	got := &answer{request: &request{}}
	ctx, cancel := context.WithTimeoutCause(ctx, c.o.Timeout, fmt.Errorf("no complete answer within %s", c.o.Timeout))
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		got.err = err
		return got
	}
	c.setHeaders(req, false)
	req.Header.Del("Content-Type")
	got.curl = c.curl(req, "")
	resp, err := c.do(req)
	if err != nil {
		got.err = plainError(ctx, err)
		return got
	}
	defer func() { _ = resp.Body.Close() }()
	got.status, got.header = resp.StatusCode, resp.Header
	if got.body, _, err = readPaced(resp.Body, time.Now()); err != nil {
		got.err = plainError(ctx, err)
	}
	return got
}

// models reads the model list in the format of the API. why is the reason if there is no list. got is the response of
// the server.
func (c *client) models(ctx context.Context, address string) (names []string, why string, got *answer) {
	got = c.get(ctx, address)
	if why = got.problem(); why != "" {
		return nil, why, got
	}
	list, err := parse(bytes.TrimSpace(got.body))
	if err != nil {
		return nil, "the list is not JSON", got
	}
	if names = c.form.models(list); len(names) == 0 {
		return nil, "the list names no model in the form of the API", got
	}
	return names, "", got
}
