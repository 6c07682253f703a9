package judge

import (
	"errors"
	"strconv"
	"strings"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/dialect"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/repair"
	"github.com/callwright/callwright/schema"
)

// A flaw is why arguments cannot be read.
type argError struct {
	rule      string
	violation callwright.Violation
}

// arguments reads a claim's arguments as one JSON object.
func (j *Judge) arguments(c *Candidate, tg *Target) ([]byte, *argError) {
	if c.Found != nil {
		for _, f := range c.Found.Fixes {
			j.Fixed(f, tg.Tool.Name)
		}
		if c.Found.JSON == "" {
			return j.assemble(c.Args, tg)
		}
	}
	return j.read(c.Text, tg.Tool.Name)
}

// read mends the text of a JSON object.
func (j *Judge) read(text, tool string) ([]byte, *argError) {
	if raw := []byte(text); jsonx.Valid(raw) == nil && jsonx.KindOf(raw) == jsonx.Object {
		return raw, nil
	}
	if strings.TrimSpace(text) == "" || text == "null" {
		if !j.Ledger.May("json.empty") {
			return nil, malformed("the arguments are missing")
		}
		j.Ledger.Add(callwright.Note{Rule: "json.empty", Stage: callwright.StageJudge, Call: tool, Was: text, Now: "{}"})
		return EmptyArguments, nil
	}
	r, err := repair.JSON(text)
	switch {
	case errors.Is(err, repair.ErrTruncated):
		return nil, &argError{"judge.truncated", callwright.Violation{Keyword: "truncated", Message: "the arguments were cut inside a value"}}
	case err != nil:
		return nil, malformed("the arguments are not a JSON object: " + err.Error())
	}
	for _, f := range r.Fixes {
		if !j.Ledger.May("json." + f.Rule) {
			return nil, malformed("the arguments are not valid JSON, and " + f.Rule + " is not mended here")
		}
	}
	if r.Unclosed > 0 && !j.Ledger.May("json.unclosed") {
		return nil, malformed("the arguments are not closed")
	}
	if jsonx.KindOf(r.JSON) != jsonx.Object {
		return nil, malformed("the arguments are not a JSON object")
	}
	for _, f := range r.Fixes {
		j.Fixed(f, tool)
	}
	if rest := strings.TrimSpace(r.Rest); strings.HasPrefix(rest, "{") || strings.HasPrefix(rest, "[") {
		return nil, malformed("the arguments are several JSON values, one behind the other")
	} else if rest != "" {
		j.Ledger.Add(callwright.Note{Rule: "json.trailing_text", Stage: callwright.StageJudge, Call: tool, Was: r.Rest})
	}
	return r.JSON, nil
}

func malformed(why string) *argError {
	return &argError{"judge.malformed", callwright.Violation{Keyword: "json", Message: why}}
}

func (j *Judge) Fixed(f repair.Fix, tool string) {
	j.Ledger.Add(callwright.Note{
		Rule: "json." + f.Rule, Stage: callwright.StageJudge, Call: tool, Was: f.Was, Now: f.Now, Risk: riskOfFix(f.Rule),
		Why: "at byte " + strconv.Itoa(f.Offset),
	})
}

// assemble builds the object from arguments that came one by one, each as text of a kind. Of arguments with one name the
// last counts.
func (j *Judge) assemble(args []dialect.Arg, tg *Target) ([]byte, *argError) {
	var doc jsonx.List
	for _, a := range args {
		value := tg.schema.FromText([]string{a.Key}, a.Text, textKind(a.Kind))
		doc.Set(a.Key, value)
	}
	return doc.Append(nil), nil
}

func textKind(k dialect.ArgKind) schema.TextKind {
	switch k {
	case dialect.JSON:
		return schema.JSON
	case dialect.Python:
		return schema.Python
	}
	return schema.Literal
}

// clean takes control characters that no text needs out of the strings of a document: all below U+0020 but tab, newline
// and return, and U+007F. In JSON they can only stand as \u escapes, or \b and \f.
func (j *Judge) clean(doc []byte, tool string) []byte {
	if !hasControl(doc) || !j.Ledger.May("string.control") {
		return doc
	}
	out := make([]byte, 0, len(doc))
	for i := 0; i < len(doc); {
		n := controlAt(doc[i:])
		switch {
		case n > 0:
			i += n
		case doc[i] == '\\' && i+1 < len(doc):
			out = append(out, doc[i], doc[i+1])
			i += 2
		default:
			out = append(out, doc[i])
			i++
		}
	}
	j.Ledger.Add(callwright.Note{Rule: "string.control", Stage: callwright.StageJudge, Call: tool, Was: strconv.Itoa(len(doc)-len(out)) + " bytes"})
	return out
}

func hasControl(doc []byte) bool {
	for i := 0; i < len(doc); i++ {
		if c := doc[i]; c == 0x7f {
			return true
		} else if c == '\\' {
			if controlAt(doc[i:]) > 0 {
				return true
			}
			i++
		}
	}
	return false
}

// controlAt is the length of the control character at the start of b, 0 where there is none.
func controlAt(b []byte) int {
	if b[0] == 0x7f {
		return 1
	}
	if b[0] != '\\' || len(b) < 2 {
		return 0
	}
	switch b[1] {
	case 'b', 'f':
		return 2
	case 'u':
		if len(b) < 6 {
			return 0
		}
		n, err := strconv.ParseUint(string(b[2:6]), 16, 16)
		if err == nil && (n < 0x20 && n != '\t' && n != '\n' && n != '\r' || n == 0x7f) {
			return 6
		}
	}
	return 0
}

// joinBounded joins at most n names and says how many more there are.
func joinBounded(names []string, n int) string {
	if len(names) <= n {
		return strings.Join(names, ", ")
	}
	return strings.Join(names[:n], ", ") + " and " + strconv.Itoa(len(names)-n) + " more"
}
