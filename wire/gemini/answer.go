package gemini

import (
	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/wire/internal/kit"
)

// The findings. Each answer that has one is written anew for clients.
var (
	foundText  = kit.Finding{Rule: "wire.arguments_text", Why: "arguments came as text in place of an object"}
	foundArray = kit.Finding{Rule: "wire.array", Why: "the answer came as a list of pieces"}
)

// checkCall finds arguments that are no object.
func checkCall(call []byte, found *kit.Findings) {
	if args := plain("args").in(call); !jsonx.IsObject(args) && !jsonx.IsNull(args) {
		found.Add(foundText)
	}
}

// candidateKey is the member of an Extra that holds what only this API knows of a candidate.
const candidateKey = "candidate"

// The members of an answer, of a piece of one and of a candidate that are decoded.
var (
	answerKeys    = append([]string{"candidates"}, spellings(usageMetadata, modelVersion, responseID)...)
	candidateKeys = []string{"content", "index"}
)

// candidateOf is the first candidate, nil without one: the others are no part of what was asked for.
func candidateOf(v []byte) []byte {
	return jsonx.First(plain("candidates").in(v))
}

// DecodeResponse reads a whole answer. Where it had to be read against its wording, Raw is nil and Report has a note for
// each way. A call that the provider could not parse is an error of KindRefusedCall with the model's text as Recovered,
// where the answer has that and no other call.
func (Codec) DecodeResponse(raw []byte) (*callwright.Response, error) {
	if err := jsonx.Valid(raw); err != nil || jsonx.KindOf(raw) != jsonx.Object && jsonx.KindOf(raw) != jsonx.Array {
		return nil, badAnswer("expected a JSON object", raw, err)
	}
	v := jsonx.Trim(raw)
	var found kit.Findings
	if jsonx.IsArray(v) {
		found.Add(foundArray)
		v = joined(v)
	}
	if failure := plain("error").in(v); failure != nil && !jsonx.IsNull(failure) {
		return nil, decodeError(0, v)
	}
	candidate := candidateOf(v)
	feedback := promptFeedback.in(v)
	if !jsonx.IsObject(candidate) && !jsonx.IsObject(feedback) && !jsonx.IsObject(usageMetadata.in(v)) {
		return nil, badAnswer("expected candidates, got "+kit.KindOf(plain("candidates").in(v)), v, nil)
	}
	resp := &callwright.Response{ID: jsonx.Alias(responseID.in(v)), Model: jsonx.Alias(modelVersion.in(v)), Usage: decodeUsage(usageMetadata.in(v)),
		Confidence: 1, Extra: own.ExtraOf(v, answerKeys), Raw: &callwright.Raw{Wire: callwright.WireGemini, Bytes: raw}}
	if x := own.ExtraOf(candidate, candidateKeys); x.JSON != nil {
		resp.Extra = own.Keep(resp.Extra, candidateKey, x.JSON)
	}
	p := parts{answer: true}
	for part := range jsonx.Elements(plain("parts").in(plain("content").in(candidate))) {
		p.add(part)
		checkCall(functionCall.in(part), &found)
	}
	resp.Parts = p.list
	named(resp)
	end := ending{reason: jsonx.Alias(finishReason.in(candidate)), message: jsonx.Alias(finishMessage.in(candidate)),
		blocked: !jsonx.IsNull(blockReason.in(feedback)), hasCalls: len(resp.Calls()) > 0, hasText: resp.Text() != ""}
	if err := end.refused(resp.Text(), raw); err != nil {
		return nil, err
	}
	resp.Finish = end.finish()
	found.Report(resp)
	return resp, nil
}

// named gives ids to the calls that came without.
func named(r *callwright.Response) {
	n := 0
	for i, p := range r.Parts {
		c, is := p.(callwright.Call)
		if !is {
			continue
		}
		if c.ID == "" {
			c.ID = answerID(r.ID, n, c)
			r.Parts[i] = c
		}
		n++
	}
}

// joined is a list of pieces as one answer: the parts of all, what else the last piece has, and the first error.
func joined(list []byte) []byte {
	var last []byte
	w := newWriter(nil)
	w.Open("", '[')
	for v := range jsonx.Elements(list) {
		if failure := plain("error").in(v); failure != nil {
			return v
		}
		for part := range jsonx.Elements(plain("parts").in(plain("content").in(candidateOf(v)))) {
			w.Raw("", part)
		}
		last = v
	}
	w.Close(']')
	candidate := candidateOf(last)
	out := newWriter(nil)
	out.Open("", '{')
	out.Open("candidates", '[')
	out.Open("", '{')
	out.Open("content", '{')
	out.Raw("parts", w.Buf)
	out.Close('}')
	out.Writer.Extra(own.Extra(candidate), "content")
	out.Buf = append(out.Buf, "}]"...)
	out.Writer.Extra(own.Extra(last), "candidates")
	out.Close('}')
	return out.Buf
}

// badAnswer is the error about an answer that cannot be read.
func badAnswer(message string, body []byte, cause error) *callwright.Error {
	return kit.BadAnswer(opDecode, message, body, cause)
}
