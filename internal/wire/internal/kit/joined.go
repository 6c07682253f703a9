package kit

import "strings"

// Joined are texts as one. A single one is not copied.
type Joined struct {
	one string
	all strings.Builder
}

// WriteString adds a text.
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

// String is the text so far.
func (j *Joined) String() string {
	if j.all.Len() > 0 {
		return j.all.String()
	}
	return j.one
}

// Len is the length of the text so far.
func (j *Joined) Len() int { return len(j.String()) }
