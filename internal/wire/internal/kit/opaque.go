package kit

import "github.com/callwright/callwright"

// OpaqueRule returns the rule and the reason of the note for an opaque part that is dropped. An opaque part of type
// "text" is a text that changes with every request. The codec separated it because a prompt cache could not match
// anything after it.
func OpaqueRule(p callwright.Opaque) (rule, why string) {
	if TextAt(p.Extra.JSON, "type") == "text" {
		return "history.volatile", "a prompt cache cannot match anything after a text that changes with each request"
	}
	return "history.opaque", "only the wire of the message has this part"
}

// LeftOpaque returns the note for an opaque part that is dropped. path is the JSON pointer to the list of messages in
// the encoded body.
func LeftOpaque(path string, p callwright.Opaque) callwright.Note {
	rule, why := OpaqueRule(p)
	return callwright.Note{Rule: rule, Path: path, Was: string(p.Extra.JSON), Why: why}
}
