package simulate

import (
	"bytes"
	"slices"
	"strings"
)

// A Family is a type of models with the mix of faults that they show.
type Family struct {
	Name string
	Doc  string
	Mix  Mix
}

// Families returns all families. The caller may modify the slice, but not the mixes in it.
func Families() []Family { return slices.Clone(families) }

// FamilyNamed returns the family with the given name; ok is false if there is none.
func FamilyNamed(name string) (Family, bool) {
	i := slices.IndexFunc(families, func(f Family) bool { return f.Name == name })
	if i < 0 {
		return Family{}, false
	}
	return families[i], true
}

// like is the suffix of a model name that selects a family: the model "openai-like" misbehaves like the family
// "openai".
const like = "-like"

// familyOf returns the family that a model name selects with the suffix -like, such as "sim/openai-like".
func familyOf(model string) (Family, bool) {
	name, ok := strings.CutSuffix(model[strings.LastIndexByte(model, '/')+1:], like)
	if !ok {
		return Family{}, false
	}
	return FamilyNamed(name)
}

// familyAsked returns the family that the model name of a request selects. It works before the body is parsed.
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

// Assumed probabilities, for faults without a published number: rare if reports describe an oddity, some if several
// projects report it, often if many do. The values were chosen before any measurement and do not depend on its results.
const (
	rare  = 0.001
	some  = 0.005
	often = 0.01
)
