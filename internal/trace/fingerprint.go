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

// Fingerprint is a hash of the members of a request that decide an answer: model, messages, tools, parameters, extra
// members and edits, each byte for byte. Whether the answer is streamed does not count, and of the ids of calls only
// which calls and results share one: a client in front of a model gives calls new ids in each run. It fails where the
// body of the request cannot be read, or a part of it not be written.
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

// decisive returns the members that decide an answer in the form of package conversation, without credentials: they are
// not recorded.
func decisive(req *callwright.Request) ([]byte, error) {
	tools, err := writtenTools(req)
	if err != nil {
		return nil, err
	}
	form, err := decisiveWith(req, tools)
	return credential.Secrets(companion.Of(req).Bytes()).Stream(form), err
}

// decisiveWith is decisive of a request with its tools as they are written down.
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

// renumberCalls is the messages with ids of calls that go by their order.
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
