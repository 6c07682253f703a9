package conversation

import (
	"github.com/callwright/callwright"
)

// A field is a member of a JSON object: its name, and a pointer to its value for encoding and decoding. If at is a
// []field, the value is a nested object. The type of at determines the encoding, see [encoder.member] and
// [decoder.value].
type field struct {
	name string
	at   any
}

// innerParts are the parts of a tool result, which allows only some kinds.
type innerParts []callwright.Part

// blob is a byte string that need not be JSON. It is encoded as a string in the member text if it is UTF-8, otherwise
// as base64.
type blob []byte

// written is an already encoded value, or nil for none.
type written []byte

func conversationFields(c *Conversation, version *int) []field {
	return []field{{mark, version}, {"model", (*string)(&c.Model)}, {"messages", &c.Messages}, {"tools", &c.Tools}}
}

func messageFields(m *callwright.Message) []field {
	return []field{{"role", &m.Role}, {"parts", &m.Parts}, {"extra", extraFields(&m.Extra)}}
}

func toolFields(t *callwright.Tool) []field {
	return []field{
		{"name", &t.Name}, {"description", &t.Description}, {"schema", &t.Schema}, {"tool_type", &t.Type}, {"strict", &t.Strict},
		{"extra", extraFields(&t.Extra)},
	}
}

func extraFields(x *callwright.Extra) []field {
	return []field{{"wire", (*string)(&x.Wire)}, {"json", &x.JSON}}
}

func originFields(o *callwright.Origin) []field {
	return []field{{"wire", (*string)(&o.Wire)}, {"model", (*string)(&o.Model)}}
}

func responseFields(r *callwright.Response) []field {
	return []field{
		{"id", &r.ID}, {"model", &r.Model}, {"parts", &r.Parts}, {"finish", (*string)(&r.Finish)}, {"usage", usageFields(&r.Usage)},
		{"needs_more_work", &r.NeedsMoreWork}, {"confidence", &r.Confidence}, {"report", &r.Report},
		{"extra", extraFields(&r.Extra)}, {"raw", &r.Raw},
	}
}

func usageFields(u *callwright.Usage) []field {
	return []field{
		{"known", &u.Known}, {"input", &u.Input}, {"cache_read", &u.CacheRead}, {"cache_write", &u.CacheWrite}, {"output", &u.Output},
		{"reasoning", &u.Reasoning}, {"extra", extraFields(&u.Extra)},
	}
}

func rawFields(r *callwright.Raw) []field {
	return []field{{"wire", (*string)(&r.Wire)}, {"text", (*blob)(&r.Bytes)}}
}

func requestFields(c *Conversation, version *int, r *callwright.Request, edits *[]callwright.Edit) []field {
	return append([]field{{"conversation", conversationFields(c, version)}}, settingFields(r, edits)...)
}

// settingFields returns the fields of a request outside its conversation: the parameters, the extra members and the
// edits.
func settingFields(r *callwright.Request, edits *[]callwright.Edit) []field {
	return []field{{"params", paramsFields(&r.Params)}, {"extra", extraFields(&r.Extra)}, {"edits", edits}}
}

func paramsFields(p *callwright.Params) []field {
	return []field{
		{"stream", &p.Stream}, {"stream_usage", &p.StreamUsage},
		{"choice", []field{{"mode", (*string)(&p.Choice.Mode)}, {"names", &p.Choice.Names}}},
		{"parallel", &p.Parallel}, {"max_tokens", &p.MaxTokens}, {"temperature", &p.Temperature}, {"top_p", &p.TopP}, {"top_k", &p.TopK},
		{"presence_penalty", &p.Presence}, {"frequency_penalty", &p.Frequency}, {"seed", &p.Seed}, {"stop", &p.Stop}, {"format", &p.Format},
		{"thinking", []field{
			{"effort", &p.Thinking.Effort}, {"budget", &p.Thinking.Budget}, {"off", &p.Thinking.Off}, {"extra", extraFields(&p.Thinking.Extra)},
		}},
		{"user", &p.User},
	}
}

func formatFields(f *callwright.AnswerFormat) []field {
	return []field{{"name", &f.Name}, {"description", &f.Description}, {"schema", &f.Schema}, {"strict", &f.Strict}, {"loose", &f.Loose}}
}

func editFields(e *callwright.Edit) []field {
	return []field{{"path", &e.Path}, {"value", &e.Value}, {"only", &e.Only}}
}
