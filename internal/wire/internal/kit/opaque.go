package kit

import "github.com/callwright/callwright"

// OpaqueRule returns the rule and the reason of the note for an opaque part that is dropped. An opaque part of type
// "text" is a text that changes with every request. The codec separated it because a prompt cache could not match
// anything after it.
func OpaqueRule(p callwright.Opaque) (rule, why string) {
	if TextAt(p.Extra.JSON, "type") == "text" {
		return "history.volatile", "no prompt cache keeps what follows a text that is another one in each request"
	}
	return "history.opaque", "only its own wire knows this part"
}

// LeftOpaque returns the note for an opaque part that is dropped. path is the JSON pointer to the list of messages in
// the encoded body.
func LeftOpaque(path string, p callwright.Opaque) callwright.Note {
	rule, why := OpaqueRule(p)
	return callwright.Note{Rule: rule, Path: path, Was: string(p.Extra.JSON), Why: why}
}
