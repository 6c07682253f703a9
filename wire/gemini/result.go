package gemini

import (
	"bytes"
	"slices"

	callwright "github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/jsonx"
)

// resultKeys are the members of a functionResponse that are decoded.
var resultKeys = []string{"id", "name", "response", "parts"}

// result decodes what a tool gave.
func (p *parts) result(v, in []byte) {
	response := plain("response").in(in)
	r := callwright.Result{Name: jsonx.Alias(plain("name").in(in))}
	var said string
	said, r.IsError = outcomeOf(response)
	if said != "" {
		r.Parts = append(r.Parts, callwright.Text{Text: said})
	}
	shown := parts{}
	for part := range jsonx.Elements(plain("parts").in(in)) {
		shown.add(part)
	}
	r.Parts = append(r.Parts, shown.list...)
	r.Extra = extraOf(v, spellings(functionResponse))
	rest := extraOf(in, resultKeys)
	if response != nil && !bytes.Equal(jsonx.Compact(nil, response), outcome(said, r.IsError)) {
		rest = keep(rest, "response", response)
	}
	if rest.JSON != nil {
		r.Extra = keep(r.Extra, functionResponse.camel, rest.JSON)
	}
	if len(p.results) > 0 {
		r.CallID, p.results = p.results[0], p.results[1:]
	}
	p.list = append(p.list, r)
}

// The members of a response by which it says how the call went.
const (
	outputKey = "output"
	errorKey  = "error"
)

// envelopes are the members in which clients put what a tool gave, where they stand alone or beside the tool's name.
var envelopes = []string{outputKey, errorKey, "result", "content"}

// outcomeOf is what a response says, as text: a string as it is, other values as JSON. A response that is no envelope says
// itself.
func outcomeOf(response []byte) (said string, failed bool) {
	var in []byte
	members, key := 0, ""
	for k, v := range jsonx.Members(response) {
		if k.Is("name") && jsonx.IsText(v) {
			continue
		}
		envelope := slices.IndexFunc(envelopes, k.Is)
		switch {
		case envelope >= 0 && jsonx.IsNull(v):
			continue
		case envelope >= 0:
			in, key = v, envelopes[envelope]
		}
		members++
	}
	switch {
	case members != 1 || in == nil:
		in = response
	case key == errorKey:
		failed = true
	}
	switch {
	case jsonx.IsText(in):
		return jsonx.Alias(in), failed
	case members == 0, jsonx.IsNull(in):
		return "", failed
	}
	return string(jsonx.Compact(nil, in)), failed
}

// outcome is the response that says how a call went.
func outcome(said string, failed bool) []byte {
	key := outputKey
	if failed {
		key = errorKey
	}
	w := newWriter(nil)
	w.Open("", '{')
	w.Text(key, said)
	w.Close('}')
	return w.Buf
}

// response is the response to send for a result: as it came, where it still says the same.
func response(r callwright.Result) []byte {
	said := callwright.TextOf(r.Parts)
	if came, ok := jsonx.Find(ownMember(r.Extra, functionResponse.camel), "response"); ok {
		if was, failed := outcomeOf(came); was == said && failed == r.IsError {
			return came
		}
	}
	return outcome(said, r.IsError)
}

// media are the parts of a result that are not text.
func media(list []callwright.Part) []callwright.Part {
	var out []callwright.Part
	for _, p := range list {
		if _, is := p.(callwright.Text); !is {
			out = append(out, p)
		}
	}
	return out
}
