package dashboard

import (
	"context"
	"errors"
	"net/http"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/access"
	"github.com/callwright/callwright/internal/dashboard/internal/inplace"
	"github.com/callwright/callwright/internal/wire/codecs"
	"github.com/callwright/callwright/internal/wire/credential"
	"github.com/callwright/callwright/reliable"
)

// An Explainer returns the requests that would be sent to providers, without sending them. It is called concurrently,
// once per page, for keys with access.Explain.
type Explainer interface {
	Explain(ctx context.Context, req *callwright.Request) (*reliable.Explanation, error)
}

// An explainPage shows the requests that would be sent for a client's request.
type explainPage struct {
	Configured, Allowed bool
	Body, Model         string
	Problem             string
	Notes               []noteRow
	Steps               []explainedStep // nil before a request was entered
}

// An explainedStep is a request that would be sent if those of the earlier steps failed.
type explainedStep struct {
	reliable.Step
	Sent  inplace.Text
	Notes []noteRow
}

const exampleRequest = `{"model": "NAME", "messages": [{"role": "user", "content": "What is the weather in Oslo?"}],
 "tools": [{"type": "function", "function": {"name": "get_weather",
   "parameters": {"type": "object", "properties": {"city": {"type": "string"}}}}}]}`

func (s *server) explain(w http.ResponseWriter, v *visit) {
	p := &explainPage{Configured: s.Explainer != nil, Allowed: v.may(access.Explain), Body: exampleRequest}
	if v.Method == http.MethodPost && p.Configured && p.Allowed {
		p.Body, p.Model = v.PostForm.Get("body"), v.PostForm.Get("model")
		ctx, cancel := withSourceTimeout(v.Request)
		defer cancel()
		if err := s.explainInto(ctx, p); err != nil {
			p.Problem = err.Error()
		}
	}
	s.show(w, v, http.StatusOK, "explain", "Explain a request", p)
}

func (s *server) explainInto(ctx context.Context, p *explainPage) error {
	body := []byte(p.Body)
	codec, ok := codecs.Of(codecs.Detect(body))
	if !ok {
		return callwright.Errorf("", callwright.KindInvalid, "", "expected a request of one of the APIs %s", codecs.Names())
	}
	req, err := codec.DecodeRequest(body)
	if err != nil {
		return err
	}
	if p.Model != "" {
		req.Model = callwright.ModelID(p.Model)
	}
	if req.Model == "" {
		return callwright.Errorf("", callwright.KindInvalid, "", "the request has no model: enter one in the field Model")
	}
	secrets := credential.Secrets(body)
	out, err := s.Explainer.Explain(ctx, req)
	if err != nil {
		return errors.New(secrets.Text(err.Error()))
	}
	p.Notes = noteRows(secrets.Notes(out.Notes))
	p.Steps = []explainedStep{}
	for _, st := range out.Chain {
		p.Steps = append(p.Steps, explainedStep{st,
			inplace.Plain(st.Method+" "+st.URL, inplace.Pretty(credential.Hide(st.Body))), noteRows(secrets.Notes(st.Notes))})
	}
	return nil
}
