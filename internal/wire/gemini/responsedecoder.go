package gemini

import (
	"slices"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/internal/wire/internal/kit"
)

// The findings. Each answer that has one is written anew for clients.
var (
	foundText        = kit.Finding{Rule: "wire.arguments_text", Why: "arguments came as text in place of an object"}
	foundEarlyFinish = kit.Finding{Rule: "wire.extra_finish", Why: "a finish reason came before the end of the answer"}
	foundEmptyFinish = kit.Finding{Rule: "wire.extra_finish", Why: "an empty finish reason came"}
	foundMixed       = kit.Finding{Rule: "wire.interleaved", Why: "something else came between pieces of a call"}
	foundArray       = kit.Finding{Rule: "wire.array", Why: "the answer came as a list of pieces"}
)

// checkCall finds arguments that are no object.
func checkCall(call []byte, found *kit.Findings) {
	if args := plain("args").in(call); !jsonx.IsObject(args) && !jsonx.IsNull(args) {
		found.Add(foundText)
	}
}

// candidateKey is the member of an Extra that holds the members of a candidate that only this API has.
const candidateKey = "candidate"

// The members of an answer, of a piece of one and of a candidate that are decoded.
var (
	answerKeys    = append([]string{"candidates"}, spellings(usageMetadata, modelVersion, responseID)...)
	candidateKeys = []string{"content", "index"}
)

// candidateOf returns the first candidate, nil without one. Requests ask for one candidate, so that others are ignored.
func candidateOf(v []byte) []byte {
	return jsonx.First(plain("candidates").in(v))
}

// toContent is the way to the content of the first candidate.
var toContent = []string{"candidates", "0", "content"}

// DecodeResponse reads a whole answer. Where it had to be read against its wording, Raw is nil and Report has a note
// for each way. A call that the provider could not parse is an error of KindRefusedCall with the model's text as
// Recovered, where the answer has that.
func (Codec) DecodeResponse(raw []byte) (*callwright.Response, error) {
	var in [3]jsonx.Fields
	whole, candidate, content := &in[0], &in[1], &in[2]
	if err := jsonx.CheckedFields(raw, in[:], toContent...); err != nil || jsonx.KindOf(raw) != jsonx.Object &&
		jsonx.KindOf(raw) != jsonx.Array {
		return nil, badAnswer("expected a JSON object", raw, err)
	}
	v := jsonx.Trim(raw)
	var found kit.Findings
	if jsonx.IsArray(v) {
		found.Add(foundArray)
		v = joinPieces(v)
		_ = jsonx.CheckedFields(v, in[:], toContent...) // it was checked
	}
	if failure := whole.Get("error"); failure != nil && !jsonx.IsNull(failure) {
		return nil, decodeError(0, v)
	}
	feedback, usage := promptFeedback.of(whole), usageMetadata.of(whole)
	if candidate.Object() == nil && !jsonx.IsObject(feedback) && !jsonx.IsObject(usage) {
		return nil, badAnswer("expected candidates, got "+kit.KindOf(whole.Get("candidates")), v, nil)
	}
	resp := &callwright.Response{ID: jsonx.TextOf(responseID.of(whole)), Model: jsonx.TextOf(modelVersion.of(whole)),
		Usage:      decodeUsage(usage),
		Confidence: 1, Extra: own.Rest(whole, answerKeys), Raw: &callwright.Raw{Wire: callwright.WireGemini, Bytes: raw}}
	if x := own.Rest(candidate, candidateKeys); x.JSON != nil {
		resp.Extra = own.Keep(resp.Extra, candidateKey, x.JSON)
	}
	p := parts{answer: true}
	for part := range jsonx.Elements(content.Get("parts")) {
		p.add(part)
		checkCall(functionCall.in(part), &found)
	}
	resp.Parts = p.list
	assignIDs(resp)
	reason := jsonx.TextOf(finishReason.of(candidate))
	if reason == malformedCall && len(resp.Calls()) > 0 {
		resp.Parts = slices.DeleteFunc(resp.Parts, func(p callwright.Part) bool { _, is := p.(callwright.Call); return is })
		found.Add(kit.FoundBroken)
	}
	end := ending{reason: reason, message: jsonx.TextOf(finishMessage.of(candidate)),
		blocked: !jsonx.IsNull(blockReason.in(feedback)), hasCalls: len(resp.Calls()) > 0, hasText: resp.Text() != ""}
	if err := end.malformedCallError(resp.Text(), raw); err != nil {
		return nil, err
	}
	if end.hasWrongReason() {
		found.Add(foundOverruled)
	}
	resp.Finish = end.finish()
	found.Report(resp)
	return resp, nil
}

// assignIDs gives ids to the calls that came without.
func assignIDs(r *callwright.Response) {
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

// joinPieces returns a list of pieces as one answer: the parts of all, the other members of their candidates (the last
// value of a name counts), the other members of the last piece, and the first error.
func joinPieces(list []byte) []byte {
	var last []byte
	var beside [][]byte
	w := newWriter(nil)
	w.Open("", '[')
	for v := range jsonx.Elements(list) {
		if failure := plain("error").in(v); failure != nil {
			return v
		}
		for part := range jsonx.Elements(plain("parts").in(plain("content").in(candidateOf(v)))) {
			w.Raw("", part)
		}
		last, beside = v, append(beside, own.ExtraOf(candidateOf(v), candidateKeys).JSON)
	}
	w.Close(']')
	slices.Reverse(beside)
	out := newWriter(nil)
	out.Open("", '{')
	out.Open("candidates", '[')
	out.Open("", '{')
	out.Open("content", '{')
	out.Raw("parts", w.Buf)
	out.Close('}')
	out.Writer.Extra(own.MergeObjects(beside))
	out.Buf = append(out.Buf, "}]"...)
	out.Writer.Extra(own.Extra(last), "candidates")
	out.Close('}')
	return out.Buf
}

// badAnswer is the error about an answer that cannot be read.
func badAnswer(message string, body []byte, cause error) *callwright.Error {
	return kit.BadAnswer(opDecode, message, body, cause)
}
