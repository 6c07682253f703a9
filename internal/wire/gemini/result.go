package gemini

import (
	"slices"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/jsonx"
)

// The members of a functionResponse part and of its functionResponse that are decoded.
var (
	responseOnlyKeys = spellings(functionResponse)
	resultKeys       = []string{"id", "name", "response", "parts"}
)

// result decodes a functionResponse. Extra keeps its response unless this codec would encode it in the same way.
func (p *parts) result(v []byte, m partMembers) {
	var response, shown []byte
	r := callwright.Result{}
	other := false
	for k, in := range jsonx.Members(m.response) {
		switch {
		case k.Is("name"):
			r.Name = jsonx.TextOf(in)
		case k.Is("response"):
			response = in
		case k.Is("parts"):
			shown = in
		default:
			other = other || !k.Is("id")
		}
	}
	said, failed, plain := outcomeOf(response)
	r.IsError = failed
	if said != "" {
		r.Parts = append(r.Parts, callwright.Text{Text: said})
	}
	in := parts{list: r.Parts}
	for part := range elements(shown) {
		in.add(part)
	}
	r.Parts = in.list
	if m.other {
		r.Extra = own.ExtraOf(v, responseOnlyKeys)
	}
	var rest callwright.Extra
	if other {
		rest = own.ExtraOf(m.response, resultKeys)
	}
	if !plain {
		rest = own.Keep(rest, "response", response)
	}
	if rest.JSON != nil {
		r.Extra = own.Keep(r.Extra, functionResponse.camel, rest.JSON)
	}
	if len(p.results) > 0 {
		r.CallID, p.results = p.results[0], p.results[1:]
	}
	p.list = append(p.list, r)
}

// The members of a response with the output and with the error message.
const (
	outputKey = "output"
	errorKey  = "error"
)

// envelopes are members of a response in which clients wrap the output of a tool, alone or beside the member name.
var envelopes = []string{outputKey, errorKey, "result", "content"}

// outcomeOf returns the output in a response: a string unquoted, any other value as JSON. If the only member beside
// name is in envelopes, its value is the output, otherwise the whole response. failed reports that this member is
// error. plain reports that this codec would encode the output as the same response.
func outcomeOf(response []byte) (said string, failed, plain bool) {
	var in []byte
	members, all, key := 0, 0, ""
	for k, v := range jsonx.Members(response) {
		all++
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
		return jsonx.TextOf(in), failed, all == 1 && (failed || key == outputKey)
	case members == 0, jsonx.IsNull(in):
		return "", failed, response == nil
	}
	return string(jsonx.Compact(nil, in)), failed, false
}

// response writes the member response of a result. It keeps the client's value if that still has the same output and
// the same failure state.
func (w *writer) response(r callwright.Result) {
	said := r.Text()
	if came, ok := jsonx.Find(own.Member(r.Extra, functionResponse.camel), "response"); ok {
		if was, failed, _ := outcomeOf(came); was == said && failed == r.IsError {
			w.Raw("response", came)
			return
		}
	}
	w.Open("response", '{')
	if r.IsError {
		w.Text(errorKey, said)
	} else {
		w.Text(outputKey, said)
	}
	w.Close('}')
}

// media returns the parts that are not texts.
func media(list []callwright.Part) []callwright.Part {
	var out []callwright.Part
	for _, p := range list {
		if _, is := p.(callwright.Text); !is {
			out = append(out, p)
		}
	}
	return out
}
