package conversation

import (
	"slices"

	"github.com/callwright/callwright"
)

// A kind is a kind of message part: its name in the member type, and its fields.
type kind struct {
	name  string
	inner bool // allowed in a tool result
	// of returns the fields of a part. ok is false if the part is of another kind.
	of func(callwright.Part) ([]field, bool)
	// empty returns the fields of a new part, and a function that returns the part after decoding.
	empty func() ([]field, func() callwright.Part)
}

// kinds lists all kinds of parts.
var kinds = []kind{
	kindOf("text", true, func(t *callwright.Text) []field { return []field{{"text", &t.Text}, {"extra", extraFields(&t.Extra)}} }),
	kindOf("image", true, imageFields),
	kindOf("file", true, fileFields),
	kindOf("reasoning", false, reasoningFields),
	kindOf(partCall, false, callFields),
	kindOf("result", false, resultFields),
	kindOf("opaque", true, func(o *callwright.Opaque) []field { return []field{{"extra", extraFields(&o.Extra)}} }),
}

// partCall is the type of a tool call part.
const partCall = "call"

func kindOf[T callwright.Part](name string, inner bool, fields func(*T) []field) kind {
	return kind{
		name: name, inner: inner,
		of: func(p callwright.Part) ([]field, bool) {
			if _, is := p.(T); !is { // avoids allocating t
				return nil, false
			}
			t := p.(T)
			return fields(&t), true
		},
		empty: func() ([]field, func() callwright.Part) {
			t := new(T)
			return fields(t), func() callwright.Part { return *t }
		},
	}
}

// findKind returns the kind with a name. It returns false if there is none.
func findKind(name string) (kind, bool) {
	i := slices.IndexFunc(kinds, func(k kind) bool { return k.name == name })
	if i < 0 {
		return kind{}, false
	}
	return kinds[i], true
}

func imageFields(i *callwright.Image) []field {
	return []field{
		{"media_type", &i.MediaType}, {"data", &i.Data}, {"url", &i.URL}, {"file_id", &i.FileID}, {"detail", &i.Detail},
		{"extra", extraFields(&i.Extra)},
	}
}

func fileFields(f *callwright.File) []field {
	return []field{
		{"name", &f.Name}, {"media_type", &f.MediaType}, {"data", &f.Data}, {"url", &f.URL}, {"text", &f.Text}, {"file_id", &f.FileID},
		{"extra", extraFields(&f.Extra)},
	}
}

func reasoningFields(r *callwright.Reasoning) []field {
	return []field{
		{"text", &r.Text}, {"signature", &r.Signature}, {"redacted", &r.Redacted}, {"id", &r.ID}, {"origin", originFields(&r.Origin)},
		{"extra", extraFields(&r.Extra)},
	}
}

func callFields(c *callwright.Call) []field {
	return []field{
		{"id", &c.ID}, {"name", &c.Name}, {"tool_type", &c.Type}, {"arguments", &c.Arguments}, {"input", &c.Input}, {"raw", &c.Raw},
		{"signature", &c.Signature}, {"origin", originFields(&c.Origin)}, {"unvalidated", &c.Unvalidated}, {"extra", extraFields(&c.Extra)},
	}
}

func resultFields(r *callwright.Result) []field {
	return []field{
		{"call_id", &r.CallID}, {"name", &r.Name}, {"parts", (*innerParts)(&r.Parts)}, {"is_error", &r.IsError}, {"tool_type", &r.Type},
		{"extra", extraFields(&r.Extra)},
	}
}
