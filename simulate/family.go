package simulate

import (
	"bytes"
	"slices"
	"strings"
)

// A Family is how models of one kind misbehave.
type Family struct {
	Name string
	Doc  string
	Mix  Mix
}

// Families returns all families. The slice is the caller's; the mixes in it are shared and must not be changed.
func Families() []Family { return slices.Clone(families) }

// FamilyNamed returns the family of a name.
func FamilyNamed(name string) (Family, bool) {
	i := slices.IndexFunc(families, func(f Family) bool { return f.Name == name })
	if i < 0 {
		return Family{}, false
	}
	return families[i], true
}

// like stands behind the name of a family in the name of a model that misbehaves as the family does.
const like = "-like"

// familyOf returns the family that a model's name asks for: the part after the last slash is the family's name and
// -like.
func familyOf(model string) (Family, bool) {
	name, ok := strings.CutSuffix(model[strings.LastIndexByte(model, '/')+1:], like)
	if !ok {
		return Family{}, false
	}
	return FamilyNamed(name)
}

// familyAsked returns the family that a request names as its model, before the request is read.
func familyAsked(seen *Seen) (Family, bool) {
	if seen.Model != "" || !bytes.Contains(seen.Body, []byte(like+`"`)) {
		return familyOf(seen.Model)
	}
	doc, err := parseNode(seen.Body)
	if err != nil {
		return Family{}, false
	}
	return familyOf(doc.at("model").str())
}

// Probabilities without a public figure: reports only say that something happens. Then it is assumed to happen to one
// answer in a thousand where it is told as an oddity, in two hundred where several projects tell of it, and in a
// hundred where many do. The numbers were set before anything was measured with them, and do not depend on the outcome
// of the faults.
const (
	rare  = 0.001
	some  = 0.005
	often = 0.01
)
