package answer

import "strings"

// mostCompared bounds the earlier passages that a passage is compared with.
const mostCompared = 4

// An output is the text of a turn while it comes. It consists of passages: the text of a document, and the text outside
// of documents.
type output struct {
	out     func(text string)
	all     strings.Builder
	earlier []string // the latest passages

	loose      bool            // white space at the ends of the passage is left out
	begun      bool            // the passage has said something
	space      strings.Builder // white space that counts only when more follows
	candidates []string        // earlier passages that this one may be repeating
	held       strings.Builder // what it has in common with them, not said yet
	said       strings.Builder // the passage so far, but for held
}

// begin begins a passage, after the one before was ended.
func (o *output) begin(loose bool) {
	o.loose, o.begun = loose, false
	o.candidates = o.earlier
	o.space.Reset()
	o.held.Reset()
	o.said.Reset()
}

// say adds a piece to the passage.
func (o *output) say(text string) {
	if o.loose {
		if o.said.Len()+o.held.Len() == 0 {
			text = strings.TrimLeft(text, white)
		}
		body := strings.TrimRight(text, white)
		rest := text[len(body):]
		if body != "" && o.space.Len() > 0 {
			body = o.space.String() + body
			o.space.Reset()
		}
		o.space.WriteString(rest)
		text = body
	}
	if text == "" {
		return
	}
	if len(o.candidates) > 0 {
		text = o.compare(text)
	}
	o.speak(text)
}

// white is white space.
const white = " \t\r\n"

// compare holds a piece back as long as the passage may repeat an earlier one, and returns the decided text.
func (o *output) compare(text string) string {
	from := o.held.Len()
	var left []string
	for _, r := range o.candidates {
		if len(r) >= from && strings.HasPrefix(r[from:], text) {
			left = append(left, r)
		}
	}
	o.candidates = left
	o.held.WriteString(text)
	if len(left) > 0 {
		return ""
	}
	text = o.held.String()
	o.held.Reset()
	return text
}

// speak says a piece of the passage, on a line of its own where it is the first.
func (o *output) speak(text string) {
	if text == "" {
		return
	}
	o.said.WriteString(text)
	if !o.begun {
		o.begun = true
		if so := o.all.String(); so != "" && so[len(so)-1] != '\n' {
			text = "\n" + text
		}
	}
	o.all.WriteString(text)
	o.out(text)
}

// end ends the passage and returns its text. repeated says that an earlier one has the same, and that it was not said
// again.
func (o *output) end() (text string, repeated bool) {
	if o.held.Len() > 0 {
		text = o.held.String()
		for _, r := range o.candidates {
			repeated = repeated || r == text
		}
		if repeated {
			return text, true
		}
		o.speak(text)
	}
	if text = o.said.String(); text != "" {
		if len(o.earlier) == mostCompared {
			o.earlier = o.earlier[1:]
		}
		o.earlier = append(o.earlier[:len(o.earlier):len(o.earlier)], text)
	}
	return text, false
}
