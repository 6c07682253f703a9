package translate

import (
	"bytes"
	"encoding/json"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/internal/adapter"
	"github.com/callwright/callwright/internal/jsonx"
)

// Answers translates the schemas of answers for one receiver.
type Answers struct {
	Adapters *adapter.Cache
	target   adapter.Target // of answers, "" where nothing is known
	strict   adapter.Target // of strict ones, "" where none go strict
}

// AnswersOf says how schemas of answers are written for a receiver of which c is known. They go strict where that is
// not switched off: they are written for the receiver in any case.
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

// Strict translates a schema for the provider's strict answers, nil where there are none, or it would not survive
// without loss.
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

// Plain translates a schema for the provider's answers, nil where nothing is known of them, or it is no schema.
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

// Format is the form of the answer that a client wants, with its schema as the receiver takes it, and the note on that
// where it differs. ok is false where the answer would have to be undone: it is text, which a client is handed as it
// comes.
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
		Why: "the schema is written as the receiver takes it"}.Classify()
	return &written, &n, true
}

// SendsSchema reports whether the form of the answer that a request asks for in a mode has a schema.
func SendsSchema(mode caps.Mode, req *callwright.Request) bool {
	switch mode {
	case caps.JSONSchema:
		return true
	case caps.JSONObject:
		return false
	}
	return req.Params.Format == nil || req.Params.Format.Schema != nil
}
