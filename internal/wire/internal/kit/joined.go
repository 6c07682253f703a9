package kit

import "strings"

// Joined concatenates strings. It does not copy a single string. The zero Joined is empty.
type Joined struct {
	one string
	all strings.Builder
}

// WriteString appends s to the concatenation.
func (j *Joined) WriteString(s string) {
	switch {
	case j.all.Len() > 0:
		j.all.WriteString(s)
	case j.one == "":
		j.one = s
	case s != "":
		j.all.WriteString(j.one)
		j.all.WriteString(s)
	}
}

// String returns the concatenation of all strings.
func (j *Joined) String() string {
	if j.all.Len() > 0 {
		return j.all.String()
	}
	return j.one
}

// Len returns the length of the concatenation in bytes.
func (j *Joined) Len() int { return len(j.String()) }
