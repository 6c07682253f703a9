package promptcmd

import (
	"cmp"
	"context"
	"encoding/json"
	"strconv"
	"strings"
	"time"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/dialect"
	"github.com/callwright/callwright/internal/bfcl"
	"github.com/callwright/callwright/reliable"
)

// An Answer is a model's response to a question in a variant, with its evaluation.
type Answer struct {
	Model    callwright.ModelID `json:"model"`
	Variant  string             `json:"variant"`
	Version  int                `json:"version,omitempty"` // version of the wording
	Question string             `json:"question"`
	Category string             `json:"category"`
	Right    bool               `json:"right"`
	Clean    bool               `json:"clean"` // right, and no call needed a repair
	Text     string             `json:"text"`
	Calls    []bfcl.Call        `json:"calls"`
	Input    int                `json:"input_tokens"`
	Output   int                `json:"output_tokens"`
	Seconds  float64            `json:"seconds"`
	Error    string             `json:"error,omitempty"`
}

// An asker sends test questions to one model.
type asker struct {
	id     callwright.ModelID
	model  callwright.Model
	known  caps.Caps
	format string // dialect of text mode
	tokens int    // maximum number of output tokens
}

// newAsker returns an asker for a model, with tokens as the limit of each response.
func newAsker(ctx context.Context, id callwright.ModelID, m callwright.Model, tokens int) *asker {
	a := &asker{id: id, model: m, tokens: tokens}
	if d, ok := m.(callwright.Describer); ok {
		a.known = d.Caps(ctx)
	}
	_, name := id.Split()
	a.format = cmp.Or(a.known.Dialect, dialect.ForModel(name))
	return a
}

// ask sends a question in a variant and evaluates the response. An error means that the request failed.
func (a *asker) ask(ctx context.Context, q *Question, v Variant) (*Answer, error) {
	out := &Answer{Model: a.id, Variant: v.String(), Version: v.Version, Question: q.bfcl.ID, Category: q.bfcl.Category}
	req := &callwright.Request{Model: a.id, Messages: q.messages, Tools: q.tools}
	req.Params.MaxTokens, req.Params.Temperature = json.Number(strconv.Itoa(a.tokens)), "0"
	shaped, err := reliable.Shape(req, a.known, v.Mode, reliable.ShapeOptions{Wording: v.Wording, Dialect: a.format})
	if err != nil {
		return nil, err
	}
	if v.WithUser {
		moveToUser(shaped.Request)
	}
	began := time.Now()
	resp, err := a.model.Generate(ctx, shaped.Request)
	out.Seconds = time.Since(began).Seconds()
	if err != nil {
		return nil, err
	}
	out.Text, out.Input, out.Output = resp.Text(), resp.Usage.Input, resp.Usage.Output
	return out, a.read(out, q, shaped, resp)
}

// read extracts the calls of a response and compares them with the expected ones.
func (a *asker) read(out *Answer, q *Question, shaped *reliable.Shaped, resp *callwright.Response) error {
	x := reliable.ExtractOptions{Model: a.id, Dialect: shaped.Dialect, Names: shaped.Names}
	if shaped.Mode.InDocument() {
		resp.Parts = []callwright.Part{callwright.Text{Text: shaped.Document(resp.Text())}}
		x.Dialect = "envelope"
	}
	for i, p := range resp.Parts {
		if call, ok := p.(callwright.Call); ok {
			resp.Parts[i] = shaped.Original(call)
		}
	}
	found, err := reliable.Extract(resp.Events(), q.tools, x)
	if err != nil {
		return err
	}
	out.Calls = []bfcl.Call{}
	for _, c := range found.Calls {
		out.Calls = append(out.Calls, bfcl.Call{Name: c.Name, Arguments: c.Arguments})
	}
	out.Right = len(found.Invalid) == 0 && q.bfcl.Accepts(out.Calls, false)
	out.Clean = out.Right
	for _, n := range found.Notes {
		written := strings.TrimPrefix(n.Rule, "dialect.")
		asked := written == x.Dialect || written != n.Rule && shaped.Mode.InDocument() // the requested format is no repair
		out.Clean = out.Clean && (n.Fault == "" || n.Call == "" || asked)
	}
	return nil
}

// moveToUser moves the text of the system prompt in front of the last user message.
func moveToUser(req *callwright.Request) {
	msgs := req.Messages
	if len(msgs) == 0 || msgs[0].Role != callwright.RoleSystem {
		return
	}
	text := callwright.TextOf(msgs[0].Parts)
	out := append([]callwright.Message(nil), msgs[1:]...)
	for i := len(out) - 1; i >= 0; i-- {
		if out[i].Role == callwright.RoleUser {
			out[i].Parts = append([]callwright.Part{callwright.Text{Text: text + "\n\n"}}, out[i].Parts...)
			req.Messages = out
			return
		}
	}
}
