package conversation

import (
	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/jsonx"
)

// Version is the version of the form.
const Version = 1

// mark is the member that marks the form and has its version.
const mark = "callwright"

// A Conversation is a list of messages with its tools. Instructions are messages of the system.
type Conversation struct {
	Model    callwright.ModelID
	Messages []callwright.Message
	Tools    []callwright.Tool
}

// IsConversation reports whether b is an object that has the mark of the form, in whatever version. It looks no
// further.
func IsConversation(b []byte) bool {
	v, ok := jsonx.Find(jsonx.Trim(b), mark)
	return ok && jsonx.KindOf(v) == jsonx.Number
}

// Marshal writes a conversation, in one line. It fails where a part or a role is none of the vocabulary's, or a result
// holds a part other than texts, images, files and opaque parts.
func Marshal(c *Conversation) ([]byte, error) {
	version := Version
	return encode("conversation.marshal", conversationFields(c, &version))
}

// Unmarshal reads a conversation. Its result does not share memory with b.
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

// checkVersion fails where a valid document says another version, or none, at a path. It comes first: of another
// version nothing is known.
func checkVersion(op string, b []byte, path ...string) error {
	if jsonx.Valid(b) != nil || !jsonx.IsObject(jsonx.Trim(b)) {
		return nil // which reading says better
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
