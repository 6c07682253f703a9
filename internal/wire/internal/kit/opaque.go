package kit

import "github.com/callwright/callwright"

// OpaqueRule returns the rule of the note about an opaque part that is left out, and the reason. An opaque text is one
// that a codec separated because it changes with every request and no prompt cache could keep the text after it.
func OpaqueRule(p callwright.Opaque) (rule, why string) {
	if TextAt(p.Extra.JSON, "type") == "text" {
		return "history.volatile", "no prompt cache keeps what follows a text that is another one in each request"
	}
	return "history.opaque", "only its own wire knows this part"
}

// LeftOpaque is the note about an opaque part that is left out. path is that of the history in the body that is
// written.
func LeftOpaque(path string, p callwright.Opaque) callwright.Note {
	rule, why := OpaqueRule(p)
	return callwright.Note{Rule: rule, Path: path, Was: string(p.Extra.JSON), Why: why}
}
