package conversation

import (
	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/jsonx"
)

// Version is the version of the JSON format.
const Version = 1

// mark is the JSON member that identifies the format and has its version.
const mark = "callwright"

// A Conversation is a list of messages with the declared tools. Instructions are messages with the role system.
type Conversation struct {
	Model    callwright.ModelID
	Messages []callwright.Message
	Tools    []callwright.Tool
}

// IsConversation reports whether b is a JSON object with the version member of the format, in any version. It checks
// nothing else.
func IsConversation(b []byte) bool {
	v, ok := jsonx.Find(jsonx.Trim(b), mark)
	return ok && jsonx.KindOf(v) == jsonx.Number
}

// Marshal encodes a conversation as one line of JSON. It returns an error for an unknown part or role, and for a result
// with parts other than text, images, files and opaque parts.
func Marshal(c *Conversation) ([]byte, error) {
	version := Version
	return encode("conversation.marshal", conversationFields(c, &version))
}

// Unmarshal decodes a conversation. The result does not share memory with b.
func Unmarshal(b []byte) (*Conversation, error) {
	const op = "conversation.unmarshal"
	c, version := new(Conversation), 0
	if err := checkVersion(op, b, mark); err != nil {
		return nil, err
	}
	if err := decode(op, b, conversationFields(c, &version)); err != nil {
		return nil, err
	}
	return c, nil
}

// checkVersion returns an error if a valid document has another version at a path, or none. It must be called first,
// because the content of other versions is unknown.
func checkVersion(op string, b []byte, path ...string) error {
	if jsonx.Valid(b) != nil || !jsonx.IsObject(jsonx.Trim(b)) {
		return nil // decode returns a better error
	}
	d := decoder{trail{op: op}}
	for _, name := range path {
		d.steps = append(d.steps, step{name: name})
	}
	version := 0
	if v, ok := jsonx.Lookup(b, path...); !ok {
		d.fail("the member is missing")
	} else if d.integer(v, &version); version != Version {
		d.fail("expected version %d, got %d", Version, version)
	}
	return d.firstError()
}
