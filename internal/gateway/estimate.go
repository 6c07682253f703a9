package gateway

import (
	"unicode"
	"unicode/utf8"

	"github.com/callwright/callwright"
)

// Token costs of parts of a request in addition to their text, or in place of it.
const (
	perMessage    = 4    // the special tokens around a message
	perCall       = 8    // the special tokens around a tool call or a tool result
	perTool       = 12   // the special tokens around a tool definition
	perImage      = 1600 // an image of about one megapixel
	perFileTokens = 64   // base64 characters of a file per token: about 2,000 tokens for a page of 100 KB
)

// The indices of the features by which the tokens of a request are estimated. The first len(classes) features count the
// units of each class of characters.
const (
	ideographs = len(classes) + iota // also characters without a class
	textBytes
	messagesOf
	callsOf
	toolsOf
	anyTools
	constant
	features
)

// A profile holds the features of a request by which its tokens are estimated, such as the number of messages.
type profile struct {
	of [features]float64
	// flat is the estimated number of tokens of images and files.
	flat float64
}

// usual holds the default number of tokens for one unit of each feature, used for models without samples.
var usual = func() (w [features]float64) {
	for i := range ideographs + 1 {
		w[i] = 1
	}
	w[messagesOf], w[callsOf], w[toolsOf] = perMessage, perCall, perTool
	return w
}()

// profileOf returns the profile of a request: its text by classes of characters, the numbers of messages, calls and
// tools, and an estimate for images and attached files. It takes time linear in the size of the request.
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

// weightedSum returns the estimated tokens of the text: the sum of all features, each multiplied by its weight in w.
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

// A class is a class of characters, such as digits, with the usual number of its characters per token.
type class struct {
	in func(r rune) bool
	// run is the number of consecutive characters of the class that make one token. A remainder counts as one more token.
	run int
}

// classes are tried in order. Each character in none of them, such as an ideograph or an emoji, counts as one token.
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

// addText adds the features of a text to p, by the typical tokens of language models: a word of up to seven letters
// with the space before it is one token, as are two punctuation characters, three digits, or one ideograph.
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

// canTakeBlank reports whether a space before s belongs to the first token of s: s begins with a word or punctuation.
func canTakeBlank(s string) bool {
	r, _ := utf8.DecodeRuneInString(s)
	return s != "" && !unicode.IsSpace(r) && !unicode.IsDigit(r)
}
