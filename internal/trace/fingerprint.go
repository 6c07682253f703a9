package trace

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strconv"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/companion"
	"github.com/callwright/callwright/internal/conversation"
	"github.com/callwright/callwright/internal/wire/credential"
)

// Fingerprint returns a hash of the members of a request that determine its answer: model, messages, tools, parameters,
// extra members and edits, byte for byte. It ignores whether the answer is streamed. Call ids are replaced by their
// order, because a client may create new ids in each run. It returns an error if the request cannot be decoded or
// encoded.
func Fingerprint(req *callwright.Request) (string, error) {
	form, err := decisive(req)
	if err != nil {
		return "", err
	}
	return fingerprintOf(form), nil
}

func fingerprintOf(form []byte) string {
	sum := sha256.Sum256(form)
	return hex.EncodeToString(sum[:])
}

// decisive returns the JSON of the members that determine an answer, without credentials.
func decisive(req *callwright.Request) ([]byte, error) {
	tools, err := writtenTools(req)
	if err != nil {
		return nil, err
	}
	form, err := decisiveWith(req, tools)
	return credential.Secrets(companion.Of(req).Bytes()).Stream(form), err
}

// decisiveWith returns the JSON of the members that determine an answer, with credentials. tools is the JSON of tools.
func decisiveWith(req *callwright.Request, tools []byte) ([]byte, error) {
	messages, err := req.History()
	if err != nil {
		return nil, err
	}
	r := *req
	r.Messages = renumberCalls(messages)
	r.Params.Stream, r.Params.StreamUsage = false, false
	return conversation.MarshalRequestWith(&r, tools)
}

// renumberCalls returns the messages with call ids replaced by call_1, call_2 and so on, in their order.
func renumberCalls(messages []callwright.Message) []callwright.Message {
	names := map[string]string{"": ""}
	name := func(id string) string {
		if _, ok := names[id]; !ok {
			names[id] = "call_" + strconv.Itoa(len(names))
		}
		return names[id]
	}
	out := slices.Clone(messages)
	for i := range out {
		parts := slices.Clone(out[i].Parts)
		for k, p := range parts {
			switch p := p.(type) {
			case callwright.Call:
				p.ID = name(p.ID)
				parts[k] = p
			case callwright.Result:
				p.CallID = name(p.CallID)
				parts[k] = p
			}
		}
		out[i].Parts = parts
	}
	return out
}
