package freetext

import (
	"errors"
	"slices"

	"github.com/callwright/callwright/internal/grammar"
	"github.com/callwright/callwright/internal/jsonx"
)

// A Source is the text from which the input of a call is read.
type Source struct {
	Text  string // the arguments as received, or the input of a custom-tool call
	Doc   []byte // the arguments as valid JSON; nil if they are not JSON
	Free  bool   // Text is the input of a custom-tool call
	Tool  string // tool name, which may begin a here-document
	Check func(text string) error
}

// A Reading is the input of a call.
type Reading struct {
	Text string
	Own  bool // it was in the expected place: the call's input or the function's only parameter
}

// ErrForm reports that the arguments have no text or several texts, and no grammar decides.
var ErrForm = errors.New("the arguments are not of the form {\"input\": \"...\"}")

// parameters are the usual names of the parameter with the input: that of the sent schema, and one that models use for
// code.
var parameters = [...]string{"input", "code"}

// maxTexts is the maximum number of strings in the arguments that are examined.
const maxTexts = 64

// Read returns the input of a call. If s.Check is not nil, the input satisfies it. If no text does, the error is the
// one that s.Check returned for the closest text, or ErrForm if there is no text or several texts satisfy it. If
// s.Check returns an error other than *grammar.MismatchError, Read returns this error.
func (s Source) Read() (Reading, error) {
	if s.Check == nil {
		return s.readUnchecked()
	}
	r := reader{Source: s}
	if s.Free {
		if r.fits(s.Text) {
			return Reading{s.Text, true}, nil
		}
		r.closest = r.failure // a text extracted from the input is only a guess, so its errors are less relevant
	}
	own, only, ok := ownText(s.Doc)
	if ok && r.fits(own) {
		return Reading{own, only && !s.Free}, r.err
	}
	return r.choose(textsIn(s.Doc))
}

// readUnchecked implements Read without a grammar.
func (s Source) readUnchecked() (Reading, error) {
	if s.Free {
		return Reading{s.Text, true}, nil
	}
	if s.Doc == nil {
		return Reading{Text: s.Text}, nil
	}
	if own, only, ok := ownText(s.Doc); ok {
		return Reading{own, only}, nil
	}
	if texts := textsIn(s.Doc); len(texts) == 1 {
		return Reading{Text: texts[0]}, nil
	}
	return Reading{}, ErrForm
}

// A reader checks the texts of one source.
type reader struct {
	Source
	failure *grammar.MismatchError // error for the last text
	closest *grammar.MismatchError // error for the text that satisfied the grammar up to the largest offset
	err     error                  // other error of Check
}

// fits reports whether text satisfies the grammar.
func (r *reader) fits(text string) bool {
	if r.err != nil {
		return false
	}
	err := r.Check(text)
	if err == nil {
		return true
	}
	mismatch, ok := errors.AsType[*grammar.MismatchError](err)
	if !ok {
		r.err = err
		return false
	}
	if r.failure = mismatch; r.closest == nil || !r.Free && mismatch.Offset > r.closest.Offset {
		r.closest = mismatch
	}
	return false
}

// choose returns the input: the only one of texts that satisfies the grammar, otherwise the arguments as received,
// otherwise the contents of a code block or here-document in one of them.
func (r *reader) choose(texts []string) (Reading, error) {
	found := r.fitting(texts)
	if len(found) == 0 && !r.Free {
		found = r.fitting([]string{r.Text})
	}
	if len(found) == 0 {
		for _, text := range append(slices.Clip(texts), r.Text) {
			inner := unwrapText(text, r.Tool)
			if i := slices.IndexFunc(inner, r.fits); i >= 0 {
				found = append(found, inner[i])
			}
		}
		slices.Sort(found)
		found = slices.Compact(found)
	}
	switch {
	case r.err != nil:
		return Reading{}, r.err
	case len(found) == 1:
		return Reading{Text: found[0]}, nil
	case len(found) == 0 && r.closest != nil && (r.Free || r.Doc == nil || len(texts) > 0):
		return Reading{}, r.closest
	}
	return Reading{}, ErrForm
}

// fitting returns the distinct texts that satisfy the grammar.
func (r *reader) fitting(texts []string) []string {
	var found []string
	for _, text := range texts {
		if !slices.Contains(found, text) && r.fits(text) {
			found = append(found, text)
		}
	}
	return found
}

// ownText returns the text of the first parameter in parameters. only reports that it is the only parameter and has the
// name of the sent schema, input. ok is false if there is no such parameter.
func ownText(doc []byte) (text string, only, ok bool) {
	if jsonx.KindOf(doc) != jsonx.Object {
		return "", false, false
	}
	members := 0
	for range jsonx.Members(doc) {
		members++
	}
	for i, name := range parameters {
		times := 0
		for k, v := range jsonx.Members(doc) {
			if k.Is(name) {
				times++
				text, ok = jsonx.String(v)
			}
		}
		if ok && times == 1 {
			return text, i == 0 && members == 1, true
		}
	}
	return "", false, false
}

// textsIn returns the distinct strings in a JSON value, nil if there are more than maxTexts.
func textsIn(doc []byte) []string {
	var out []string
	var walk func(v []byte)
	walk = func(v []byte) {
		if len(out) > maxTexts {
			return
		}
		switch jsonx.KindOf(v) {
		case jsonx.Object:
			for _, inner := range jsonx.Members(v) {
				walk(inner)
			}
		case jsonx.Array:
			for inner := range jsonx.Elements(v) {
				walk(inner)
			}
		case jsonx.Text:
			if text, ok := jsonx.String(v); ok && !slices.Contains(out, text) {
				out = append(out, text)
			}
		}
	}
	if walk(doc); len(out) > maxTexts {
		return nil
	}
	return out
}
