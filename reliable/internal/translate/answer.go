package translate

import (
	"bytes"
	"encoding/json"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/internal/adapter"
	"github.com/callwright/callwright/internal/jsonx"
)

// Answers translates response schemas for one receiver.
type Answers struct {
	Adapters *adapter.Cache
	target   adapter.Target // for response schemas; "" if unknown
	strict   adapter.Target // for strict response schemas; "" if strict mode is not used
}

// AnswersOf returns the translation of response schemas for a receiver with capabilities c. It uses strict mode if the
// receiver supports it and StrictTools is not off.
func AnswersOf(c caps.Caps, a Asker, adapters *adapter.Cache) Answers {
	out := Answers{Adapters: adapters}
	if a.Off {
		return out
	}
	to := adapter.Target(c.SchemaTarget)
	out.target = to.Answers()
	if strict, _ := to.Strict(); c.JSONSchema == caps.Yes && a.Strict != callwright.StrictOff && c.StrictTools != caps.No {
		out.strict = strict
	}
	return out
}

// Strict translates a response schema for the provider's strict mode. It returns nil if strict mode is not used, or
// the translation would lose keywords.
func (a Answers) Strict(raw []byte) *adapter.Translation {
	if a.strict == "" {
		return nil
	}
	done, err := a.Adapters.TranslateAnswer(a.strict, raw)
	if err != nil || len(done.Lost) > 0 {
		return nil
	}
	return done
}

// Plain translates a response schema for the provider. It returns nil if the target is unknown or raw is not a valid
// schema.
func (a Answers) Plain(raw []byte) *adapter.Translation {
	if a.target == "" {
		return nil
	}
	done, err := a.Adapters.TranslateAnswer(a.target, raw)
	if err != nil {
		return nil
	}
	return done
}

// Format returns the response format with a translated schema, and a note if the translation differs. ok is false if
// the response would have to be converted back to the client's schema. This is impossible, because response text is
// delivered unchanged.
func (a Answers) Format(f *callwright.AnswerFormat) (out *callwright.AnswerFormat, note *callwright.Note, ok bool) {
	done, strict := a.Strict(f.Schema), f.Strict
	if done != nil && f.Strict == nil && !done.Undoes() {
		strict = new(true)
	} else if done = a.Plain(f.Schema); done == nil {
		return f, nil, true
	}
	if done.Undoes() {
		return f, nil, false
	}
	if bytes.Equal(done.Schema, jsonx.Trim(f.Schema)) && strict == f.Strict {
		return f, nil, true
	}
	written := *f
	written.Schema, written.Strict = json.RawMessage(done.Schema), strict
	n := callwright.Note{Rule: "format.schema", Stage: callwright.StageEncode, Was: keywords(done.Lost),
		Why: "the schema was translated for the provider"}.Classify()
	return &written, &n, true
}

// SendsSchema returns false if the response format of a request in the given mode is sent without a schema. It returns
// true if a schema is sent or the request has no response format.
func SendsSchema(mode caps.Mode, req *callwright.Request) bool {
	switch mode {
	case caps.JSONSchema:
		return true
	case caps.JSONObject:
		return false
	}
	return req.Params.Format == nil || req.Params.Format.Schema != nil
}
