// Package foreign reads how other programs write an environment variable in the place of a secret.
package foreign

import "strings"

// A form is the text before and behind the name of a variable.
type form struct {
	before, after string
	isShort       bool // it may be a secret: the name is one in capitals
}

// forms are those of shells and of Windows, of LiteLLM (https://docs.litellm.ai/docs/proxy/configs), of Bifrost
// (https://docs.getbifrost.ai/quickstart/gateway/provider-configuration), of templates, and of programs in JavaScript
// and Python.
var forms = [...]form{
	{"$", "", true}, {"%", "%", true}, {"{", "}", true}, {"os.environ/", "", false}, {"os.environ['", "']", false},
	{`os.environ["`, `"]`, false}, {"env.", "", false},
	{"process.env.", "", false}, {"$env:", "", false}, {"{env:", "}", false}, {"{{env.", "}}", false}, {"{{", "}}", false},
}

// schemes of HTTP may stand before a secret.
var schemes = [...]string{"Bearer ", "Basic ", "Token "}

// Variable returns the environment variable that a secret names in the form of another program. ok is false for a text
// that may be the secret itself.
func Variable(text string) (name string, ok bool) {
	for _, s := range schemes {
		if len(text) > len(s) && strings.EqualFold(text[:len(s)], s) {
			text = text[len(s):]
			break
		}
	}
	for _, f := range forms {
		inner, begins := strings.CutPrefix(text, f.before)
		inner, ends := strings.CutSuffix(inner, f.after)
		if name = strings.TrimSpace(inner); begins && ends && isName(name) && !(f.isShort && strings.ToUpper(name) != name) {
			return name, true
		}
	}
	return "", false
}

// isName reports whether a text can be the name of a variable.
func isName(text string) bool {
	for i, c := range []byte(text) {
		if c != '_' && (c|0x20 < 'a' || c|0x20 > 'z') && (c < '0' || c > '9' || i == 0) {
			return false
		}
	}
	return text != ""
}
