package freetext

import (
	"errors"
	"slices"

	"github.com/callwright/callwright/internal/grammar"
	"github.com/callwright/callwright/internal/jsonx"
)

// A Source is the text from which the input of a call is read.
type Source struct {
	Text  string // the arguments as they came, or the input of a call that has one
	Doc   []byte // the arguments as valid JSON; nil where they are none
	Free  bool   // Text is the input of a call that has one
	Tool  string // the tool's name, as a here-document may begin with it
	Check func(text string) error
}

// A Reading is the input of a call.
type Reading struct {
	Text string
	Own  bool // it stands where it belongs: in the call's input, or in the only parameter of the function
}

// ErrForm says that the arguments leave no reading, or several, and no grammar says which.
var ErrForm = errors.New("the arguments are not of the form {\"input\": \"...\"}")

// parameters are those of a function that hold the input: that of the function's schema, and the usual names that
// models invent for a tool that runs code.
var parameters = [...]string{"input", "code"}

// maxTexts bounds the texts of arguments that are looked at.
const maxTexts = 64

// Read reads the input of a call. Check is the tool's grammar, nil for a tool without one; the result of Read satisfies
// it. Where no reading does, the error is that of Check for the text that comes closest, or ErrForm where there is no
// text. An error of Check that is no *grammar.MismatchError ends Read.
func (s Source) Read() (Reading, error) {
	if s.Check == nil {
		return s.readUnchecked()
	}
	r := reader{Source: s}
	if s.Free {
		if r.fits(s.Text) {
			return Reading{s.Text, true}, nil
		}
		r.closest = r.failure // what is read out of the input is a guess at what was meant
	}
	own, only, ok := ownText(s.Doc)
	if ok && r.fits(own) {
		return Reading{own, only && !s.Free}, r.err
	}
	return r.choose(textsIn(s.Doc))
}

// readUnchecked is Read without a grammar.
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
	failure *grammar.MismatchError // of the last text
	closest *grammar.MismatchError // of the text that satisfies the grammar for the longest
	err     error                  // any other error of Check
}

// fits reports whether a text satisfies the grammar.
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

// choose reads the input out of texts: the one that satisfies the grammar, else the text of the call itself, else the
// content of a fence or a here-document.
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

// fitting are the texts that satisfy the grammar, each once.
func (r *reader) fitting(texts []string) []string {
	var found []string
	for _, text := range texts {
		if !slices.Contains(found, text) && r.fits(text) {
			found = append(found, text)
		}
	}
	return found
}

// ownText is the text of the parameter that holds the input. only says that there is no other parameter and that it has
// the name of the function's schema.
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

// textsIn are the strings of a JSON value at any depth, each once; none where there are more than maxTexts.
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
