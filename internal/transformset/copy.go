package transformset

import (
	"bytes"
	"slices"

	"github.com/callwright/callwright"
)

// The values passed to transform functions are deep copies. They share no memory with the client's request.

func copyMessage(m callwright.Message) callwright.Message {
	m.Parts, m.Extra = copyParts(m.Parts), copyExtra(m.Extra)
	return m
}

func copyResponse(r callwright.Response) callwright.Response {
	r.Parts, r.Extra, r.Report, r.Raw = copyParts(r.Parts), copyExtra(r.Extra), nil, nil
	return r
}

func copyTool(t callwright.Tool) callwright.Tool {
	t.Schema, t.Extra = bytes.Clone(t.Schema), copyExtra(t.Extra)
	return t
}

func copyCall(c callwright.Call) callwright.Call {
	c.Arguments, c.Extra = bytes.Clone(c.Arguments), copyExtra(c.Extra)
	return c
}

func copyResult(r callwright.Result) callwright.Result {
	r.Parts, r.Extra = copyParts(r.Parts), copyExtra(r.Extra)
	return r
}

func copyExtra(x callwright.Extra) callwright.Extra {
	x.JSON = bytes.Clone(x.JSON)
	return x
}

func copyParts(parts []callwright.Part) []callwright.Part {
	out := slices.Clone(parts)
	for i, p := range out {
		switch p := p.(type) {
		case callwright.Text:
			p.Extra = copyExtra(p.Extra)
			out[i] = p
		case callwright.Image:
			p.Extra = copyExtra(p.Extra)
			out[i] = p
		case callwright.File:
			p.Extra = copyExtra(p.Extra)
			out[i] = p
		case callwright.Reasoning:
			p.Extra = copyExtra(p.Extra)
			out[i] = p
		case callwright.Opaque:
			p.Extra = copyExtra(p.Extra)
			out[i] = p
		case callwright.Call:
			out[i] = copyCall(p)
		case callwright.Result:
			out[i] = copyResult(p)
		}
	}
	return out
}
