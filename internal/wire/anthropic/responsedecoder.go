package anthropic

import (
	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/internal/wire/internal/kit"
)

// DecodeResponse decodes a response that is not streamed. It keeps raw, in Raw and in the parts, so that raw must not
// be changed afterwards. The error is of KindBadAnswer if raw is not a response. If raw is an error object, that error
// is returned.
func (Codec) DecodeResponse(raw []byte) (*callwright.Response, error) {
	if err := jsonx.Valid(raw); err != nil {
		return nil, badAnswer("expected a JSON object", raw, err)
	}
	d := messageReader{in: &kit.Document{Raw: raw}}
	defer d.release()
	resp := &callwright.Response{Raw: &callwright.Raw{Wire: callwright.WireAnthropic, Bytes: raw}, Confidence: 1}
	var rest extras
	var kind, stop, failure []byte
	var usage tally
	content := false
	if jsonx.KindOf(raw) == jsonx.Object {
		object(raw, jsonx.Space(raw, 0), func(name []byte, at int) int {
			if string(name) == "content" && raw[at] == '[' {
				var end int
				resp.Parts, end = d.content(at)
				content = true
				return end
			}
			end := jsonx.Skip(raw, at)
			v := raw[at:end:end]
			switch string(name) {
			case "id":
				resp.ID = jsonx.TextOf(v)
			case "model":
				resp.Model = jsonx.TextOf(v)
			case "type":
				kind = v
			case "role", "content":
			case "error":
				failure = v
			case "usage":
				usage.read(v)
			case "stop_reason":
				stop = v
				rest.add(name, v)
			default:
				rest.add(name, v)
			}
			return end
		})
	}
	if string(jsonx.TextBytes(kind)) == "error" || failure != nil && !content {
		return nil, decodeError(0, nil, raw)
	}
	if !content {
		return nil, badAnswer("expected an object with a list of content blocks", raw, nil)
	}
	resp.Usage, resp.Extra = usage.usage(), rest.extra()
	resp.Finish = finishOf(string(jsonx.TextBytes(stop)))
	return resp, nil
}

func badAnswer(message string, body []byte, cause error) *callwright.Error {
	return kit.BadAnswer(opDecode, message, body, cause)
}

// The findings: deviations of a stream from the API. A stream with a finding is encoded anew for clients.
var (
	foundEarlyFinish = kit.Finding{Rule: "wire.extra_finish", Why: "a stop reason came before the end of the answer"}
	foundEmptyFinish = kit.Finding{Rule: "wire.extra_finish", Why: "an empty stop reason came"}
	foundLatePiece   = kit.Finding{Rule: "wire.late_piece", Why: "pieces of a call came after the end of its block"}
	foundStray       = kit.Finding{Rule: "wire.stray_piece", Why: "a piece belonged to no call"}
)
