package correction

import (
	"bytes"
	"errors"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/callkey"
	"github.com/callwright/callwright/internal/jsonx"
)

// The markers around errors, and the limits of an excerpt: maxMarks errors, context bytes of text around each, and the
// first maxValue bytes of an invalid value.
const (
	openMark, closeMark = ">>>", "<<<"
	maxMarks            = 5
	context             = 100
	maxValue            = 120
)

// HasExcerpt reports whether [Excerpt] is not "" for one of the calls.
func HasExcerpt(invalid []callwright.InvalidCall) bool {
	return slices.ContainsFunc(invalid, func(c callwright.InvalidCall) bool { return Excerpt(&c) != "" })
}

// Excerpt returns a part of an invalid call's arguments with the errors between ">>>" and "<<<". An error without a
// value, such as a missing member, has a description between the markers. It returns "" if no violation has a position
// in the arguments, for a custom tool, and for a call that is invalid for another reason than its arguments. call.Raw
// must be the arguments, or an object with the tool name and the arguments.
func Excerpt(call *callwright.InvalidCall) string {
	if call.Type == callwright.CustomTool || call.Why != callwright.InvalidArguments && call.Why != callwright.InvalidMalformed {
		return ""
	}
	args := jsonx.Trim(argumentsIn([]byte(call.Raw), call.Name))
	places := placesOf(args, call.Violations)
	if len(places) == 0 {
		return ""
	}
	return markPlaces(args, places)
}

// argumentsIn returns the arguments in text, the raw text of a call of the named tool. They are the arguments member of
// the object in text, or that object itself if it has none or is not valid JSON; nil without an object.
func argumentsIn(text []byte, name string) []byte {
	from, to := bytes.IndexByte(text, '{'), bytes.LastIndexByte(text, '}')
	if from < 0 {
		return nil
	}
	if to < from {
		to = len(text) - 1
	}
	object := text[from : to+1]
	if jsonx.Valid(object) != nil {
		return object
	}
	if args, _ := argumentsOf(object, name); args != nil {
		return args
	}
	return object
}

// argumentsOf returns the arguments in a call object, which has an arguments member and one of the tool names as a
// string member. args is nil if the arguments are not an object. isCall is false for an object that is no call.
func argumentsOf(object []byte, names ...string) (args []byte, isCall bool) {
	isNamed, hasArguments := false, false
	for key, v := range jsonx.Members(object) {
		switch {
		case slices.Contains(callkey.Arguments, key.String()):
			if hasArguments = true; args == nil && jsonx.IsObject(v) {
				args = v
			}
		case jsonx.IsText(v):
			isNamed = isNamed || slices.Contains(names, jsonx.TextOf(v))
		}
	}
	if !isNamed || !hasArguments {
		return nil, false
	}
	return args, true
}

// A span is the position of an error: text[start:end], or a description, word, to insert at start.
type span struct {
	start, end int
	word       string
}

// placesOf returns the positions of the errors in args, sorted and disjoint.
func placesOf(args []byte, violations []callwright.Violation) (out []span) {
	if len(args) == 0 {
		return nil
	}
	var broken *jsonx.SyntaxError
	if err := jsonx.Valid(args); errors.As(err, &broken) {
		word := "expected " + broken.Want
		if broken.Offset >= len(args) {
			word = "ends here, " + word
		}
		return []span{{min(broken.Offset, len(args)), min(broken.Offset, len(args)), word}}
	} else if err != nil {
		return nil
	}
	for _, v := range violations {
		if s, ok := placeOf(args, v); ok && len(out) < maxMarks {
			out = append(out, s)
		}
	}
	slices.SortStableFunc(out, func(a, b span) int { return a.start - b.start })
	end := -1
	return slices.DeleteFunc(out, func(s span) bool {
		if s.start < end || s.start == end && s.start == s.end {
			return true
		}
		end = s.end
		return false
	})
}

// placeOf returns the position of a violation in args. For a missing member it is before the end of the object. ok is
// false if the path does not exist in args.
func placeOf(args []byte, v callwright.Violation) (span, bool) {
	at := args
	for token := range strings.SplitSeq(strings.TrimPrefix(v.Path, "/"), "/") {
		if v.Path == "" {
			break
		}
		var ok bool
		if at, ok = below(at, jsonx.UnescapeToken(token)); !ok {
			return span{}, false
		}
	}
	start, end := jsonx.Span(args, at)
	if start < 0 || end <= start {
		return span{}, false
	}
	if v.Keyword == "required" && jsonx.IsObject(at) {
		return span{end - 1, end - 1, "a member is missing"}, true
	}
	return span{start, end, ""}, true
}

// below returns the member or array element of v that a JSON pointer token refers to, and whether it exists.
func below(v []byte, token string) ([]byte, bool) {
	if jsonx.IsObject(v) {
		return jsonx.Find(v, token)
	}
	n := 0
	if jsonx.IsArray(v) {
		for e := range jsonx.Elements(v) {
			if token == decimal(n) {
				return e, true
			}
			n++
		}
	}
	return nil, false
}

// markPlaces returns the text around the positions with markers. "..." replaces the text between them.
func markPlaces(text []byte, places []span) string {
	var b strings.Builder
	at := 0
	for i, s := range places {
		from := max(at, back(text, s.start-context))
		if from > at {
			if i > 0 {
				after := back(text, min(at+context, from))
				b.Write(text[at:after])
				if after < from {
					b.WriteString("...")
				}
				from = max(from, after)
			} else {
				b.WriteString("...")
			}
		}
		b.Write(text[from:s.start])
		b.WriteString(openMark)
		if s.word != "" {
			b.WriteString(s.word)
		} else {
			value := jsonx.Clip(string(text[s.start:s.end]), maxValue)
			b.WriteString(value)
			if len(value) < s.end-s.start {
				b.WriteString("...")
			}
		}
		b.WriteString(closeMark)
		at = s.end
	}
	end := back(text, min(at+context, len(text)))
	b.Write(text[at:end])
	if end < len(text) {
		b.WriteString("...")
	}
	return b.String()
}

// back returns at, or the last rune boundary before it.
func back(text []byte, at int) int {
	at = max(0, min(at, len(text)))
	for at > 0 && at < len(text) && !utf8.RuneStart(text[at]) {
		at--
	}
	return at
}
