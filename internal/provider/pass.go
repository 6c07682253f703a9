package provider

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/internal/wire"
)

// A Passage is a type of requests, such as embeddings, that are forwarded to a provider without conversion. Only the
// model's name and the credentials are replaced, and the response is returned byte for byte.
type Passage struct {
	// Name is the name of the passage in a configuration. Several passages may share a name.
	Name string
	// Wire is the API to which the requests belong.
	Wire callwright.WireName
	// Path is the path of the requests. It is empty for a passage with a Verb: there the path ends with the model's name,
	// a colon and the verb, as in models/NAME:embedContent.
	Path, Verb string
}

// passages are all passages. Paths of OpenAI's API begin with /v1, which the base address already contains.
var passages = []Passage{
	{Name: "embeddings", Wire: callwright.WireOpenAI, Path: "/v1/embeddings"},
	{Name: "embeddings", Wire: callwright.WireGemini, Verb: "embedContent"},
	{Name: "embeddings", Wire: callwright.WireGemini, Verb: "batchEmbedContents"},
	{Name: "embeddings", Wire: callwright.WireOllama, Path: "/api/embed"},
	{Name: "embeddings", Wire: callwright.WireOllama, Path: "/api/embeddings"},
	{Name: "rerank", Wire: callwright.WireOpenAI, Path: "/v1/rerank"},
	{Name: "completions", Wire: callwright.WireOpenAI, Path: "/v1/completions"},
	{Name: "moderations", Wire: callwright.WireOpenAI, Path: "/v1/moderations"},
	{Name: "images", Wire: callwright.WireOpenAI, Path: "/v1/images/generations"},
	{Name: "images", Wire: callwright.WireOpenAI, Path: "/v1/images/edits"},
	{Name: "images", Wire: callwright.WireOpenAI, Path: "/v1/images/variations"},
	{Name: "images", Wire: callwright.WireGemini, Verb: "predict"},
	{Name: "audio", Wire: callwright.WireOpenAI, Path: "/v1/audio/speech"},
	{Name: "audio", Wire: callwright.WireOpenAI, Path: "/v1/audio/transcriptions"},
	{Name: "audio", Wire: callwright.WireOpenAI, Path: "/v1/audio/translations"},
}

// GeneratePassage returns the passage of Ollama's /api/generate, for requests that cannot be expressed as a chat.
func GeneratePassage() *Passage {
	return &Passage{Name: "generate", Wire: callwright.WireOllama, Path: "/api/generate"}
}

// Passages returns all passages. The caller may modify the list.
func Passages() []Passage { return slices.Clone(passages) }

// PassageNames returns the distinct names of the passages.
func PassageNames() []string {
	var names []string
	for i := range passages {
		if !slices.Contains(names, passages[i].Name) {
			names = append(names, passages[i].Name)
		}
	}
	return names
}

// target returns the path of the passage's requests, relative to the base address of a provider. to is the provider's
// API, and name is the model. The path is "" if that API lacks the passage.
func (p *Passage) target(to callwright.WireName, name string) string {
	switch {
	case p.Verb != "" && to == p.Wire:
		return "/v1beta/models/" + url.PathEscape(name) + ":" + p.Verb
	case p.Verb != "":
		return ""
	case p.Wire == callwright.WireOpenAI && (to == callwright.WireOpenAI || to == callwright.WireResponses):
		return strings.TrimPrefix(p.Path, "/v1")
	case to == p.Wire, p.Wire == callwright.WireOpenAI && to == callwright.WireOllama: // Ollama also has OpenAI's API, below its base address
		return p.Path
	}
	return ""
}

const opPass = "provider.pass"

// Passes reports whether requests of the passage can be forwarded to the model's provider, by its API. The provider may
// still lack the endpoint.
func (r *Remote) Passes(p *Passage) bool { return p.target(r.p.Wire(), r.name) != "" }

// A Passed is the response to a forwarded request, while it is received. The caller must close Body.
type Passed struct {
	ContentType string
	Length      int64 // size of the body in bytes; -1 if unknown
	Body        io.ReadCloser
}

// Pass forwards a request of a passage to the provider, with the model's name replaced in the body. contentType is the
// type of the body: JSON or multipart/form-data. The request is retried like any other until a response header with a
// 2xx status arrives. Reading the response body fails if the provider sends nothing for too long, and beyond MaxAnswer
// bytes.
func (r *Remote) Pass(ctx context.Context, p *Passage, contentType string, body []byte) (*Passed, error) {
	path := p.target(r.p.Wire(), r.name)
	if path == "" {
		return nil, r.seal(&callwright.Error{Op: opPass, Kind: callwright.KindUnsupported, Feature: callwright.Feature(p.Name),
			Message: "the provider has the API " + string(r.p.Wire()) + ", which lacks such requests"})
	}
	body, err := p.rename(contentType, body, r.name)
	if err != nil {
		return nil, r.seal(err)
	}
	proto := r.p.prototype(r.p.join(r.p.row.Path.Of(path), ""), "*/*")
	if contentType != "" {
		proto.Header.Set("Content-Type", contentType)
	}
	t := &tries{r: r, began: time.Now()}
	t.over(nil)
	if err := t.admit(ctx); err != nil {
		return nil, err
	}
	for t.sent = body; ; {
		t.n++
		a, force, err := r.pass(ctx, proto, body, t)
		if err == nil {
			return &Passed{ContentType: a.Header.Get("Content-Type"), Length: a.ContentLength,
				Body: &passedBody{r: r, ctx: ctx, a: a, left: r.p.maxAnswer, tries: t}}, nil
		}
		if err = t.again(ctx, err, force); err != nil {
			return nil, err
		}
	}
}

// pass makes one try. force reports whether the provider demands a retry.
func (r *Remote) pass(ctx context.Context, proto *http.Request, body []byte, t *tries) (a *response, force bool, err *callwright.Error) {
	done, err := r.allow(ctx)
	if err != nil {
		return nil, false, err
	}
	defer func() { done(t.outcome(err)) }()
	if a, force, err = r.send(ctx, proto, newEncoded(body, nil), &r.p.firstByte, t.target()); err == nil {
		t.route.NoteAnswer()
	}
	return a, force, err
}

// rename returns body with the model's name replaced, if the body contains one.
func (p *Passage) rename(contentType string, body []byte, name string) ([]byte, *callwright.Error) {
	if from, to, form, err := formField(contentType, body, "model"); form {
		if err != nil || from < 0 {
			return body, err
		}
		return slices.Concat(body[:from], []byte(name), body[to:]), nil
	}
	if p.Verb == "" {
		return replaceText(body, name, "model"), nil
	}
	name = "models/" + name
	requests, _ := jsonx.Find(body, "requests")
	if !jsonx.IsArray(requests) {
		return replaceText(body, name, "model"), nil
	}
	w := []byte{'['}
	for e := range jsonx.Elements(requests) {
		if len(w) > 1 {
			w = append(w, ',')
		}
		w = append(w, replaceText(e, name, "model")...)
	}
	start, end := jsonx.Span(body, requests)
	return slices.Concat(body[:start], w, []byte{']'}, body[end:]), nil
}

// replaceText returns a JSON object with the value at path replaced by a string. It returns body unchanged if the path
// does not exist.
func replaceText(body []byte, value string, path ...string) []byte {
	if _, ok := jsonx.Lookup(body, path...); !ok {
		return body
	}
	return wire.ApplyEdits(body, []callwright.Edit{{Path: path, Value: json.RawMessage(jsonx.AppendQuote(nil, value))}})
}

// passedBody is the body of a forwarded response.
type passedBody struct {
	r    *Remote
	ctx  context.Context
	a    *response
	left int64

	tries *tries
}

// Read reads from the body. Its errors are io.EOF or *callwright.Error.
func (b *passedBody) Read(p []byte) (int, error) {
	if b.left <= 0 {
		return 0, b.r.seal(tooLong(b.r.p.maxAnswer))
	}
	n, err := b.a.reader().Read(p[:min(int64(len(p)), b.left)])
	b.left -= int64(n)
	if err != nil && err != io.EOF {
		return n, b.r.seal(b.r.p.transportError(b.ctx, b.a.watch, err, true))
	}
	return n, err
}

// Close closes the response and releases its target.
func (b *passedBody) Close() error {
	b.a.close()
	b.tries.leave()
	return nil
}
