package schema

import (
	"bytes"
	"strings"

	"github.com/callwright/callwright/internal/jsonx"
)

// A reading is an alternative interpretation of a value, with the rule that gives it.
type reading struct {
	rule string
	json []byte
}

// convert returns the only interpretation of v that satisfies the goal. It is called if the type of v is not
// permitted; kinds are the permitted types.
func (f *fitter) convert(g goal, kinds kindSet, v []byte, path string) outcome {
	var found []outcome
	for _, r := range f.readings(kinds, v) {
		if !f.allows(r.rule) || r.rule == ruleText && g.admits(kindOf(v)) {
			continue
		}
		out := f.fitConverted(g, r.json, path)
		if !out.fits {
			continue
		}
		out.changes = append([]Change{change(r.rule, path, v, r.json)}, out.changes...)
		found = append(found, out)
	}
	if r, ok := single(found); ok && f.budget >= 0 {
		return r
	}
	return outcome{json: v}
}

// fitConverted coerces the contents of a converted value without converting the value itself again.
func (f *fitter) fitConverted(g goal, v []byte, path string) outcome {
	if f.check(g.applicableSchemas, v) {
		return outcome{json: v, fits: true}
	}
	if possible(g.flat)&kindOf(v) == 0 || f.budget < 0 {
		return outcome{json: v}
	}
	g.flat = f.expand(g.applicableSchemas, v)
	return f.fitInside(g, v, path)
}

// readings returns the interpretations of v that have one of the permitted types.
func (f *fitter) readings(kinds kindSet, v []byte) []reading {
	var out []reading
	switch kindOf(v) {
	case kindString:
		out = f.ofString(kinds, v)
	case kindInteger, kindFraction:
		if kinds&kindString != 0 {
			out = append(out, reading{ruleFromNumber, jsonx.AppendQuote(nil, v)})
		}
		if w, ok := wordBoolean(string(v)); ok && kinds&kindBoolean != 0 {
			out = append(out, reading{ruleWord, w})
		}
	case kindBoolean:
		if kinds&kindString != 0 {
			out = append(out, reading{ruleFromBoolean, jsonx.AppendQuote(nil, v)})
		}
	case kindObject, kindArray:
		only, isOne := onlyElement(v)
		isOne = isOne && kinds&kindArray == 0
		if kinds&kindString != 0 && !(isOne && f.guessesLater(ruleSingle)) {
			out = append(out, reading{ruleText, jsonx.AppendQuote(nil, v)})
		}
		if isOne {
			out = append(out, reading{ruleSingle, only})
		}
	}
	if kinds&kindArray != 0 && kinds&kindOf(v) == 0 && isItem(v) {
		wrapped := append(append([]byte{'['}, v...), ']')
		out = append(out, reading{ruleWrap, wrapped})
	}
	return out
}

// isItem reports whether a value in place of an array can only mean its single element. It returns false for strings
// that may be lists, broken JSON, markup or a word for no value.
func isItem(v []byte) bool {
	switch kindOf(v) {
	case kindString:
		s := jsonx.TextOf(v)
		return !isNothingText(s) && !strings.ContainsAny(s, ",;\n[{") && !isMarkup(s)
	case kindNull, kindArray:
		return false
	}
	return true
}

// isMarkup reports whether a string contains tags such as <item>, which are unparsed elements rather than text.
func isMarkup(s string) bool {
	n := strings.IndexByte(s, '<')
	return n >= 0 && strings.IndexByte(s[n:], '>') > 0 && (strings.Contains(s[n:], "</") || strings.Contains(s[n:], "/>"))
}

// numberList converts two or more numbers separated by commas or newlines, such as "1, 2", to a JSON array.
func numberList(s string) ([]byte, bool) {
	if s == "" || !strings.ContainsAny(s, ",\n") || strings.Trim(s, "0123456789+-.eE, \t\r\n") != "" {
		return nil, false
	}
	list := []byte{'['}
	for n, part := range strings.FieldsFunc(s, func(r rune) bool { return r == ',' || r == '\n' }) {
		v, ok := numberText(strings.TrimSpace(part))
		if !ok {
			return nil, false
		}
		if n > 0 {
			list = append(list, ',')
		}
		list = append(list, v...)
	}
	return append(list, ']'), len(list) > 1
}

func onlyElement(v []byte) ([]byte, bool) {
	var only []byte
	n := 0
	for e := range jsonx.Elements(v) {
		only = e
		if n++; n > 1 {
			return nil, false
		}
	}
	return only, n == 1
}

// ofString returns the interpretations of the content of a string.
func (f *fitter) ofString(kinds kindSet, v []byte) []reading {
	s := strings.TrimSpace(jsonx.TextOf(v))
	var out []reading
	if kinds&kindNumber != 0 {
		if n, ok := numberText(s); ok {
			rule := ruleNumber
			if kinds&kindFraction == 0 {
				rule, n = ruleInteger, plainInteger(n)
			}
			out = append(out, reading{rule, n})
		}
	}
	if kinds&kindBoolean != 0 {
		if w := lower(s); w == "true" || w == "false" {
			out = append(out, reading{ruleBoolean, []byte(w)})
		} else if w, ok := wordBoolean(s); ok {
			out = append(out, reading{ruleWord, w})
		}
	}
	if kinds&kindNull != 0 && isNothing(v) {
		out = append(out, reading{ruleNull, []byte("null")})
	}
	for _, c := range [...]struct {
		kind kindSet
		rule string
	}{{kindArray, ruleArray}, {kindObject, ruleObject}} {
		if kinds&c.kind != 0 {
			if inner, ok := f.decode(v, c.kind); ok {
				out = append(out, reading{c.rule, inner})
			}
		}
	}
	return out
}

// maxEncodings is the maximum number of nested JSON string encodings that are decoded.
const maxEncodings = 4

// decode returns the array or object encoded in a JSON string v. The text may need the repair by Options.Mend.
func (f *fitter) decode(v []byte, kind kindSet) ([]byte, bool) {
	for range maxEncodings {
		text := bytes.TrimSpace(jsonx.Unquote(nil, v))
		if len(text) == 0 || strings.IndexByte("{[(\"'`", text[0]) < 0 {
			return nil, false
		}
		if f.budget -= len(text); f.budget < 0 {
			return nil, false
		}
		if v = text; jsonx.Valid(v) != nil {
			if f.o.Mend == nil {
				return nil, false
			}
			var ok bool
			if v, ok = f.o.Mend(string(text)); !ok || jsonx.Valid(v) != nil {
				return nil, false
			}
			v = jsonx.Trim(v)
		}
		if kindOf(v) == kind {
			return v, true
		}
	}
	return nil, false
}

// numberText converts a number with an optional plus sign or leading zeros, such as "+007", to a JSON number.
func numberText(s string) ([]byte, bool) {
	digits := strings.TrimPrefix(s, "+")
	negative := strings.HasPrefix(s, "-")
	if negative {
		digits = s[1:]
	}
	for len(digits) > 1 && digits[0] == '0' && '0' <= digits[1] && digits[1] <= '9' {
		digits = digits[1:]
	}
	if digits == "" || digits[0] < '0' || digits[0] > '9' {
		return nil, false
	}
	if negative {
		digits = "-" + digits
	}
	if n := []byte(digits); jsonx.Valid(n) == nil {
		return n, true
	}
	return nil, false
}

// plainInteger converts an integral number to notation without fraction and exponent: 3.0 gives 3. Results above 40
// digits stay unchanged.
func plainInteger(n []byte) []byte {
	if !bytes.ContainsAny(n, ".eE") {
		return n
	}
	d := parseDecimal(n)
	if !d.integral() || len(d.digits)+d.exp > 40 {
		return n
	}
	if d.zero() {
		return []byte("0")
	}
	out := append([]byte(nil), d.digits...)
	if d.neg {
		out = append([]byte("-"), out...)
	}
	return append(out, bytes.Repeat([]byte("0"), d.exp)...)
}

// words maps words used for booleans to JSON booleans.
var words = map[string]string{"yes": "true", "on": "true", "1": "true", "y": "true", "no": "false", "off": "false",
	"0": "false", "n": "false"}

func wordBoolean(s string) ([]byte, bool) {
	w, ok := words[lower(s)]
	return []byte(w), ok
}

// fitSpelling replaces a string by the allowed enum value that differs only in case, separators or quotes, if exactly
// one does.
func (f *fitter) fitSpelling(g goal, v []byte, path string) outcome {
	s, _ := jsonx.String(v)
	s = strings.TrimSpace(s)
	for _, n := range g.flat {
		for _, rule := range n.values {
			if r, ok := f.findSpelling(g, rule, ruleEnumCase, v, func(text string) bool { return strings.EqualFold(text, s) }); ok {
				return outcome{json: r, changes: []Change{change(ruleEnumCase, path, v, r)}, fits: true}
			}
			folded := fold(strings.Trim(s, "\"'`"))
			if r, ok := f.findSpelling(g, rule, ruleEnum, v, func(text string) bool { return folded != "" && fold(text) == folded }); ok {
				return outcome{json: r, changes: []Change{change(ruleEnum, path, v, r)}, fits: true}
			}
		}
	}
	return outcome{json: v}
}

// findSpelling returns the only valid string of an enum for which the function same returns true. The last result is
// false if there is none or more than one, or if the rule name is disabled.
func (f *fitter) findSpelling(g goal, rule valueRule, name string, v []byte, same func(text string) bool) ([]byte, bool) {
	if !f.allows(name) {
		return nil, false
	}
	var only []byte
	for _, l := range rule.list {
		if l.kind != kindString || !same(l.text) || !f.check(g.applicableSchemas, l.json) || bytes.Equal(only, l.json) {
			continue
		}
		if only != nil {
			return nil, false
		}
		only = l.json
	}
	return only, only != nil
}
