package gateway

import (
	"unicode"
	"unicode/utf8"

	"github.com/callwright/callwright"
)

// What counts for more or less than its text.
const (
	perMessage    = 4    // the marks around a message
	perCall       = 8    // those around a call or a result
	perTool       = 12   // those around a tool's definition
	perImage      = 1600 // about a megapixel
	perFileTokens = 64   // base64 characters of a file for one token: some 2,000 tokens for a page of 100 KB
)

// estimate returns about how many tokens a request has. It is made of the text as tokens of tells, with a supplement for
// messages, calls and tools, and a flat rate for pictures and attached files. It is linear.
func estimate(req *callwright.Request) (int, error) {
	history, err := req.History()
	if err != nil {
		return 0, err
	}
	tools, err := req.DeclaredTools()
	if err != nil {
		return 0, err
	}
	n := 0
	for i := range history {
		n += perMessage + inParts(history[i].Parts)
	}
	for i := range tools {
		t := &tools[i]
		n += perTool + tokens(t.Name) + tokens(t.Description) + tokens(t.Schema)
		if t.Type != callwright.FunctionTool {
			n += tokens(t.Extra.JSON)
		}
	}
	if f := req.Params.Format; f != nil {
		n += tokens(f.Schema)
	}
	return n, nil
}

func inParts(parts []callwright.Part) int {
	n := 0
	for _, p := range parts {
		switch p := p.(type) {
		case callwright.Text:
			n += tokens(p.Text)
		case callwright.Reasoning:
			n += tokens(p.Text)
		case callwright.Call:
			n += perCall + tokens(p.Name) + tokens(p.Arguments) + tokens(p.Input)
		case callwright.Result:
			n += perCall + inParts(p.Parts)
		case callwright.Image:
			n += perImage
		case callwright.File:
			n += tokens(p.Text) + len(p.Data)/perFileTokens
		case callwright.Opaque:
			n += tokens(p.Extra.JSON)
		}
	}
	return n
}

// A class is a kind of characters of which a number makes one token.
type class struct {
	in func(r rune) bool
	// run is how many characters of the class in a row are one token, counted from the first; a rest counts as one more.
	run int
}

// classes are tried in order. What is in none of them is a token by itself: ideographs, pictures.
var classes = []class{
	{func(r rune) bool { return r < utf8.RuneSelf && unicode.IsLetter(r) }, 7},
	{func(r rune) bool { return r == ' ' || r == '\t' }, 16},
	{func(r rune) bool { return r < utf8.RuneSelf && unicode.IsDigit(r) }, 3},
	{func(r rune) bool { return r == '\n' || r == '\r' }, 4},
	{func(r rune) bool {
		return unicode.In(r, unicode.Latin, unicode.Cyrillic, unicode.Greek, unicode.Arabic, unicode.Hebrew)
	}, 3},
	{func(r rune) bool { return r < utf8.RuneSelf && (unicode.IsPunct(r) || unicode.IsSymbol(r)) }, 2},
	{unicode.IsMark, 2},
}

// tokens estimates the tokens of a text, after how the vocabularies of language models are made: a word of up to seven letters
// is one, with the blank before it; two marks are one, three digits are one, an ideograph is one.
func tokens[T ~string | ~[]byte](text T) int {
	n, run, last := 0, 0, -1
	for i, s := 0, string(text); i < len(s); {
		r, size := utf8.DecodeRuneInString(s[i:])
		i += size
		c := classOf(r)
		if c != last || c < 0 || run == classes[c].run {
			run = 0
			if r != ' ' || !taken(s[i:]) {
				n++
			}
		}
		last = c
		run++
	}
	return n
}

func classOf(r rune) int {
	for i := range classes {
		if classes[i].in(r) {
			return i
		}
	}
	return -1
}

// taken reports whether a blank before s is a part of the token there: of a word, or of marks.
func taken(s string) bool {
	r, _ := utf8.DecodeRuneInString(s)
	return s != "" && !unicode.IsSpace(r) && !unicode.IsDigit(r)
}
