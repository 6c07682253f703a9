package directive

import (
	"bytes"
	"errors"
	"strconv"
	"strings"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/directive/internal/answer"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/repair"
	"github.com/callwright/callwright/schema"
)

// A verdict is the result of the validation of one directive: the directive, or the problem if it is invalid.
type verdict struct {
	directive Directive
	problem   *Problem
	notes     []callwright.Note
}

// A judgement is the validation of one directive in progress.
type judgement struct {
	reg   *Registry
	raw   string
	path  string
	name  string // directive type, "" if unknown
	notes []callwright.Note
}

// judge parses and validates a directive. path is its JSON pointer in the document. cut reports that the response
// ended inside it. mayClose permits to add missing closing brackets in this case.
func (r *Registry) judge(raw, path string, cut, mayClose bool) verdict {
	j := &judgement{reg: r, raw: raw, path: path}
	read, err := repair.JSON(raw)
	switch {
	case cut && (err != nil || !mayClose), errors.Is(err, repair.ErrTruncated):
		return j.drop(ReasonTruncated, "json", "the answer ended inside it")
	case errors.Is(err, repair.ErrDepth):
		return j.drop(ReasonTooLarge, "json", "it is nested deeper than is taken")
	case err != nil:
		return j.drop(ReasonMalformed, "json", "it is no JSON object: "+err.Error())
	case jsonx.KindOf(read.JSON) != jsonx.Object:
		return j.drop(ReasonMalformed, "type", "expected an object with type and payload, got "+jsonx.KindOf(read.JSON).String())
	}
	j.notes = answer.FixNotes(read.Fixes, path, "")
	if read.Unclosed > 0 && cut {
		j.note(callwright.Note{Rule: "json.unclosed"})
	}
	return j.object(read.JSON)
}

// drop returns the verdict for a dropped directive.
func (j *judgement) drop(why Reason, keyword, message string) verdict {
	return j.dropAll(why, callwright.Violation{Keyword: keyword, Message: message})
}

func (j *judgement) dropAll(why Reason, violations ...callwright.Violation) verdict {
	return verdict{problem: &Problem{Reason: why, Type: callwright.Excerpt(j.name), Path: j.path, Raw: clipRaw(j.raw), Violations: violations}}
}

// clipRaw returns a copy of s, cut to MaxRaw bytes.
func clipRaw(s string) string { return strings.Clone(jsonx.Clip(s, MaxRaw)) }

// object validates a directive that is a JSON object.
func (j *judgement) object(obj []byte) verdict {
	var name, payload []byte
	var others jsonx.List
	for k, v := range jsonx.Members(obj) {
		var into *[]byte
		switch key := k.String(); answer.Plain(key) {
		case answer.TypeMember:
			into = &name
		case answer.PayloadMember:
			into = &payload
		default:
			others = append(others, jsonx.Member{Key: key, Value: v})
			continue
		}
		if *into != nil && !jsonx.Equal(*into, v) {
			return j.drop(ReasonMalformed, "json", "it has "+k.String()+" twice, with different values")
		}
		*into = v
	}
	written, ok := jsonx.String(name)
	if !ok {
		return j.drop(ReasonMalformed, "required", "expected the name of its type in \"type\"")
	}
	j.name = written
	resolved, rule, ok := j.reg.names.Resolve(written)
	if !ok {
		return j.drop(ReasonUnknownType, "enum", "unknown type "+strconv.Quote(callwright.Excerpt(written))+": expected "+j.reg.typeNames())
	}
	if rule != "" {
		j.note(callwright.Note{Rule: rule, Was: written, Now: resolved})
	}
	j.name = resolved
	return j.payload(payload, others)
}

// The rule IDs of notes that originate in this package.
const (
	ruleFlat   = "directive.flat"
	ruleMember = "directive.member"
)

// maxListed is the maximum number of type names in a message.
const maxListed = 20

// typeNames returns the comma-separated type names.
func (r *Registry) typeNames() string {
	var out []string
	for i := range r.types {
		if i == maxListed {
			out = append(out, "and "+strconv.Itoa(len(r.types)-i)+" more")
			break
		}
		out = append(out, r.types[i].Name)
	}
	return strings.Join(out, ", ")
}

// payload validates the payload of a directive. If the payload is missing, others, the remaining members of the
// directive, are used as the payload.
func (j *judgement) payload(payload []byte, others jsonx.List) verdict {
	s := j.reg.schemas[j.name]
	switch {
	case payload == nil && len(others) > 0 && string(s.Raw()) != noPayload:
		payload = others.Append(nil)
		j.note(callwright.Note{Rule: ruleFlat, Now: string(payload)})
		others = nil
	case payload == nil, jsonx.IsNull(payload) && !s.Fits(payload):
		if len(s.Params()) > 0 {
			j.note(callwright.Note{Rule: "json.empty", Path: "/" + answer.PayloadMember, Was: string(payload), Now: "{}"})
		}
		payload = []byte("{}")
	}
	for _, m := range others {
		j.note(callwright.Note{Rule: ruleMember, Path: answer.Pointer(m.Key), Was: string(m.Value)})
	}
	out, changes := s.Coerce(payload, schema.Options{Mend: mend})
	if found := s.Validate(out); len(found) > 0 {
		violations := make([]callwright.Violation, len(found))
		for i, v := range found {
			at := "/" + answer.PayloadMember + v.Path
			violations[i] = callwright.Violation{Path: at, Keyword: v.Keyword, Message: at + ": want " + v.Want + ", got " + v.Got}
		}
		return j.dropAll(ReasonBadPayload, violations...)
	}
	j.notes = append(j.notes, changeNotes(changes, j.path+"/"+answer.PayloadMember, j.name)...)
	return verdict{directive: Directive{Type: j.name, Payload: bytes.Clone(out)}, notes: j.notes}
}

// note adds a note about the directive. n.Path is relative to the directive.
func (j *judgement) note(n callwright.Note) {
	n.Stage, n.Path = callwright.StageValidate, j.path+n.Path
	if n.Call == "" {
		n.Call = j.name
	}
	j.notes = append(j.notes, n.Classify())
}

// mend repairs damaged JSON, for schema.Options.Mend. It returns false if text cannot be repaired to one JSON value.
func mend(text string) ([]byte, bool) {
	r, err := repair.JSON(text)
	return r.JSON, err == nil && r.Rest == "" && r.Unclosed == 0
}

// changeNotes returns the notes for coerced values of a payload.
func changeNotes(changes []schema.Change, path, name string) []callwright.Note {
	var out []callwright.Note
	for _, c := range changes {
		n := callwright.Note{Rule: "coerce." + c.Rule, Stage: callwright.StageValidate, Call: name, Path: path + c.Path,
			Was: c.Was, Now: c.Now, Why: c.Why}
		out = append(out, n.Classify())
	}
	return out
}
