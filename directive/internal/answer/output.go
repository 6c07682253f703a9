package answer

import "strings"

// mostCompared is the number of earlier passages with which a passage is compared.
const mostCompared = 4

// An output writes the text of a turn. The text consists of passages: the text of each document, and the text outside
// documents.
type output struct {
	out     func(text string)
	all     strings.Builder
	earlier []string // the latest passages, at most mostCompared

	loose      bool            // trim white space around the passage
	begun      bool            // text of the passage was written
	space      strings.Builder // white space that is written only if more text follows
	candidates []string        // earlier passages that begin with the text of the current passage
	held       strings.Builder // text of the passage that is held back, because an earlier passage has it too
	said       strings.Builder // text of the passage without held
}

// begin starts a passage. loose sets whether white space around it is trimmed.
func (o *output) begin(loose bool) {
	o.loose, o.begun = loose, false
	o.candidates = o.earlier
	o.space.Reset()
	o.held.Reset()
	o.said.Reset()
}

// say appends text to the passage.
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

// white has the white-space characters.
const white = " \t\r\n"

// compare holds text back as long as the passage may repeat an earlier one. It returns the text that can be written.
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

// speak writes text of the passage. The passage begins on a new line.
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

// end ends the passage and returns its text. repeated reports that the passage equals an earlier one and was not
// written again.
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
