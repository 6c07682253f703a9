package promptcache

import (
	"crypto/sha256"
	"encoding/hex"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/internal/companion"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/internal/wire/internal/kit"
)

// KeyMember is the request member by which OpenAI's APIs route requests with the same prompt prefix to the same cache.
const KeyMember = "prompt_cache_key"

// Key returns the value of KeyMember for a request whose client uses an API without it. It returns "" if the client
// could have set the key, or the provider is not known to accept it. The key is a hash of the instructions, the tool
// names and the user's first message as the client sent them. It stays the same for the whole conversation and does not
// identify the user. history is the history as it will be encoded.
func Key(req *callwright.Request, c *caps.Caps, history []callwright.Message, notes *kit.Notes) string {
	if c.ServiceParams != caps.Yes || !isAuto(req) || saysKey(req) {
		return ""
	}
	if body := companion.Of(req).Body; body != nil && req.Messages != nil { // a stage changed the messages
		if came, err := body.Messages(); err == nil {
			history = came
		}
	}
	said := make([]byte, 0, 1024)
	add := func(s string) { said = append(append(said, s...), 0) }
	tools, _ := req.DeclaredTools()
	for i := range tools {
		add(tools[i].Name)
	}
	for _, m := range history {
		if m.Role == callwright.RoleAssistant || m.Role == callwright.RoleTool {
			break
		}
		add(string(m.Role))
		for _, p := range kit.UnquoteParts(m.Parts) {
			if t, ok := p.(callwright.Text); ok {
				add(t.Text)
			}
		}
		if m.Role == callwright.RoleUser {
			break
		}
	}
	sum := sha256.Sum256(said)
	key := hex.EncodeToString(sum[:16])
	notes.Add(callwright.Note{Rule: "cache.key", Path: "/" + KeyMember, Now: key, Why: "the client's API has no such key"})
	return key
}

// saysKey reports whether the request has a key, or its client's API has such a member.
func saysKey(req *callwright.Request) bool {
	if from := companion.Of(req).Wire(); from == callwright.WireOpenAI || from == callwright.WireResponses {
		return true
	}
	_, said := jsonx.Find(req.Extra.JSON, KeyMember)
	return said
}
