// Package foreign recognises references to environment variables in the syntax of other programs, such as
// os.environ/NAME.
package foreign

import "strings"

// A form is a syntax of a reference: the text before and after the name of the variable.
type form struct {
	before, after string
	isShort       bool // whether a secret may look the same, so that the name must be in capitals
}

// forms are the syntaxes of shells and of Windows, of LiteLLM (https://docs.litellm.ai/docs/proxy/configs), of Bifrost
// (https://docs.getbifrost.ai/quickstart/gateway/provider-configuration), of templates, and of JavaScript and Python.
var forms = [...]form{
	{"$", "", true}, {"%", "%", true}, {"{", "}", true}, {"os.environ/", "", false}, {"os.environ['", "']", false},
	{`os.environ["`, `"]`, false}, {"env.", "", false},
	{"process.env.", "", false}, {"$env:", "", false}, {"{env:", "}", false}, {"{{env.", "}}", false}, {"{{", "}}", false},
}

// schemes are the authentication schemes of HTTP that may precede a secret.
var schemes = [...]string{"Bearer ", "Basic ", "Token "}

// Variable returns the name of the environment variable to which text refers in the syntax of another program:
// os.environ/KEY -> KEY. ok is false if text may be a secret itself.
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

// isName reports whether text is a valid name of an environment variable: letters, digits and '_', with no digit at the
// start.
func isName(text string) bool {
	for i, c := range []byte(text) {
		if c != '_' && (c|0x20 < 'a' || c|0x20 > 'z') && (c < '0' || c > '9' || i == 0) {
			return false
		}
	}
	return text != ""
}
