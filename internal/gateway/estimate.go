package gateway

import (
	"unicode"
	"unicode/utf8"

	"github.com/callwright/callwright"
)

// Corrections of the token estimate for parts that count more or less than their text.
const (
	perMessage    = 4    // the marks around a message
	perCall       = 8    // those around a call or a result
	perTool       = 12   // those around a tool's definition
	perImage      = 1600 // about a megapixel
	perFileTokens = 64   // base64 characters of a file for one token: some 2,000 tokens for a page of 100 KB
)

// The features of a request by which its tokens are estimated: of each class of characters the tokens that they make
// with most vocabularies, then its bytes, its parts, and its constant overhead.
const (
	ideographs = len(classes) + iota // and all that is in no class
	textBytes
	messagesOf
	callsOf
	toolsOf
	anyTools
	constant
	features
)

// A profile holds the features of a request.
type profile struct {
	of [features]float64
	// flat are the tokens of pictures and files, which no text tells.
	flat float64
}

// usual are the tokens that a unit of each feature has, as long as nothing is known of a model.
var usual = func() (w [features]float64) {
	for i := range ideographs + 1 {
		w[i] = 1
	}
	w[messagesOf], w[callsOf], w[toolsOf] = perMessage, perCall, perTool
	return w
}()

// profileOf returns the profile of a request: of its text by classes, of its messages, calls and tools by number, and a
// flat rate of tokens for pictures and attached files. It is linear.
func profileOf(req *callwright.Request) (*profile, error) {
	history, err := req.History()
	if err != nil {
		return nil, err
	}
	tools, err := req.DeclaredTools()
	if err != nil {
		return nil, err
	}
	p := &profile{}
	p.of[constant] = 1
	for i := range history {
		p.of[messagesOf]++
		p.parts(history[i].Parts)
	}
	for i := range tools {
		t := &tools[i]
		p.of[toolsOf]++
		p.of[anyTools] = 1
		addText(p, t.Name)
		addText(p, t.Description)
		addText(p, t.Schema)
		if t.Type != callwright.FunctionTool {
			addText(p, t.Extra.JSON)
		}
	}
	if f := req.Params.Format; f != nil {
		addText(p, f.Schema)
	}
	return p, nil
}

// weightedSum returns the tokens of the text by the weights of the features.
func (p *profile) weightedSum(w *[features]float64) float64 {
	n := 0.0
	for i := range p.of {
		n += w[i] * p.of[i]
	}
	return n
}

func (p *profile) parts(parts []callwright.Part) {
	for _, part := range parts {
		switch part := part.(type) {
		case callwright.Text:
			addText(p, part.Text)
		case callwright.Reasoning:
			addText(p, part.Text)
		case callwright.Call:
			p.of[callsOf]++
			addText(p, part.Name)
			addText(p, part.Arguments)
			addText(p, part.Input)
		case callwright.Result:
			p.of[callsOf]++
			p.parts(part.Parts)
		case callwright.Image:
			p.flat += perImage
		case callwright.File:
			addText(p, part.Text)
			p.flat += float64(len(part.Data) / perFileTokens)
		case callwright.Opaque:
			addText(p, part.Extra.JSON)
		}
	}
}

// A class is a kind of characters of which a number makes one token.
type class struct {
	in func(r rune) bool
	// run is how many characters of the class in a row are one token, counted from the first; a rest counts as one
	// more.
	run int
}

// classes are tried in order. A character in none of them is a token by itself: ideographs, pictures.
var classes = [...]class{
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

// addText adds a text, after how the vocabularies of language models are made: a word of up to seven letters is one
// token, with the blank before it; two marks are one, three digits are one, an ideograph is one.
func addText[T ~string | ~[]byte](p *profile, text T) {
	p.of[textBytes] += float64(len(text))
	run, last := 0, -1
	for i, s := 0, string(text); i < len(s); {
		r, size := utf8.DecodeRuneInString(s[i:])
		i += size
		c := classOf(r)
		if c != last || c == ideographs || run == classes[c].run {
			run = 0
			if r != ' ' || !canTakeBlank(s[i:]) {
				p.of[c]++
			}
		}
		last = c
		run++
	}
}

func classOf(r rune) int {
	for i := range classes {
		if classes[i].in(r) {
			return i
		}
	}
	return ideographs
}

// canTakeBlank reports whether a blank before s is a part of the token there: of a word, or of marks.
func canTakeBlank(s string) bool {
	r, _ := utf8.DecodeRuneInString(s)
	return s != "" && !unicode.IsSpace(r) && !unicode.IsDigit(r)
}
