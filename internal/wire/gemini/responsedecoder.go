package gemini

import (
	"slices"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/internal/wire/internal/kit"
)

// The findings: deviations of a response from the API. A response with a finding is encoded anew for clients.
var (
	foundText        = kit.Finding{Rule: "wire.arguments_text", Why: "arguments came as text in place of an object"}
	foundEarlyFinish = kit.Finding{Rule: "wire.extra_finish", Why: "a finish reason came before the end of the answer"}
	foundEmptyFinish = kit.Finding{Rule: "wire.extra_finish", Why: "an empty finish reason came"}
	foundMixed       = kit.Finding{Rule: "wire.interleaved", Why: "something else came between pieces of a call"}
	foundArray       = kit.Finding{Rule: "wire.array", Why: "the answer came as a list of pieces"}
)

// checkCall adds a finding if the arguments of a functionCall are neither an object nor null.
func checkCall(call []byte, found *kit.Findings) {
	if args := plain("args").in(call); !jsonx.IsObject(args) && !jsonx.IsNull(args) {
		found.Add(foundText)
	}
}

// candidateKey is a member of the Extra of responses and parts. It holds the unknown members of a candidate.
const candidateKey = "candidate"

// The members of a response (or stream chunk) and of a candidate that are decoded.
var (
	answerKeys    = append([]string{"candidates"}, spellings(usageMetadata, modelVersion, responseID)...)
	candidateKeys = []string{"content", "index"}
)

// candidateOf returns the first candidate of a response, nil if there is none. The codec requests only one candidate.
func candidateOf(v []byte) []byte {
	return jsonx.First(plain("candidates").in(v))
}

// toContent is the path from a response to the content of its first candidate.
var toContent = []string{"candidates", "0", "content"}

// DecodeResponse decodes a response that is not streamed. If the response deviates from the API, Raw is nil and Report
// has a note for each deviation. If the provider could not parse the model's call and sends its text, the error is of
// KindRefusedCall with the text as Recovered.
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
		_ = jsonx.CheckedFields(v, in[:], toContent...) // it is valid
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

// assignIDs generates ids for the calls of a response that have none.
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

// joinPieces merges a JSON list of stream chunks into one response. It has the parts of all chunks, the last value of
// each other member of their candidates, and the other members of the last chunk. If a chunk has an error, joinPieces
// returns that chunk.
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

// badAnswer returns an error of KindBadAnswer about a response that cannot be decoded.
func badAnswer(message string, body []byte, cause error) *callwright.Error {
	return kit.BadAnswer(opDecode, message, body, cause)
}
