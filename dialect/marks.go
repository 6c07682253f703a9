package dialect

import (
	"fmt"
	"strings"
)

// A Role is what a mark does.
type Role uint8

// Roles of marks.
const (
	Wrap     Role = iota // stands around one call or several; its tag may carry the call's name
	Section              // special tokens around calls: whatever else stands between them is dropped
	Separate             // stands between the parts of a call
	Value                // stands around one argument; its tag carries the key
	Key                  // stands around the key of the argument that follows
	Think                // stands around reasoning
	Result               // stands around a tool's result: nothing in it is a call
	Noise                // a chat template's token, which says nothing to a reader
	Channel              // a token of the harmony format
	Cite                 // stands around cited text: the marks leave it
	Aside                // stands around what belongs to no value and no text
	Prefix               // stands before every tag of its format
	Line                 // begins a line, before the tool's name; Close stands after the name, before JSON arguments
)

// A Mark is one spelling of a format's markup. Close is empty for marks that stand alone.
type Mark struct {
	Open  string
	Close string
	Role  Role
}

func (m Mark) check() error {
	switch {
	case m.Role == Prefix || m.Role == Channel || m.Role > Line:
		return fmt.Errorf("mark %q: its role is not one for formats of a caller's own", m.Open)
	case m.Role == Line && (len(m.Open) < shortestMark || strings.TrimSpace(m.Open) != m.Open || strings.ContainsAny(m.Open+m.Close, "<[{(`~&\n")):
		return fmt.Errorf("mark %q: expected at least %d bytes of one line, without brackets and without white space around them", m.Open, shortestMark)
	case m.Role == Line:
		return nil
	}
	for _, text := range []string{m.Open, m.Close} {
		switch {
		case text == "" && text == m.Close:
		case len(text) < shortestMark, strings.TrimSpace(text) != text, strings.Trim(text, "</>|[]=") == "":
			return fmt.Errorf("mark %q: expected at least %d bytes with a name, without white space around them", text, shortestMark)
		case strings.Contains(text, nameInMark) && (text == m.Close || !holdsName(text)):
			return fmt.Errorf("mark %q: expected %s for the tool's name once, inside of an opening mark in brackets", text, nameInMark)
		case text[0] != '[' && (text[0] != '<' || text[len(text)-1] != '>'):
			return fmt.Errorf("mark %q: expected a tag in < and >, or a text that begins with [", text)
		}
	}
	return nil
}

// holdsName reports whether a mark in brackets holds the place of one name, between texts that tell it from what people write.
func holdsName(text string) bool {
	head, rest, _ := strings.Cut(text, nameInMark)
	return text[0] == '[' && len(head) >= shortestMark && strings.Trim(head, "[ ") != "" && rest != "" && !strings.Contains(rest, nameInMark)
}

// nameInMark stands for the tool's name in a mark.
const nameInMark = "%s"

// shortestMark is the length from which a text can be told from what people write.
const shortestMark = 3
