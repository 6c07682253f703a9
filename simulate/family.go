package simulate

import "slices"

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

// Where no figure is public, reports say only that something happens. Then it is assumed to happen to one answer in a thousand where it is told as an
// oddity, in two hundred where several projects tell of it, and in a hundred where many do. The numbers were set before anything was
// measured with them, and do not depend on what becomes of the faults.
const (
	rare  = 0.001
	some  = 0.005
	often = 0.01
)
