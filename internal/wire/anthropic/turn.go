package anthropic

import (
	"strings"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/internal/companion"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/internal/wire/internal/kit"
)

// sort returns the turn for message i of the history, with its results separated from the other parts. Parts that
// cannot be sent are left out, with a note.
func (e *requestEncoder) sort(i int, m *callwright.Message) turn {
	t := turn{role: callwright.RoleUser, extra: m.Extra}
	if m.Role == callwright.RoleAssistant {
		t.role = callwright.RoleAssistant
	}
	for j, p := range m.Parts {
		at := item{part: p, message: i, index: j}
		if why := e.refuses(t.role, p); why != "" {
			e.noteDrop(at, why)
			continue
		}
		switch p := p.(type) {
		case callwright.Result:
			e.takeImages(&t, at, p)
		case callwright.Text:
			t.list = t.list || p.Extra.Wire == callwright.WireAnthropic
			t.others = append(t.others, at)
		default:
			t.others = append(t.others, at)
		}
	}
	return t
}

// takeImages adds a result to a turn. If the provider ignores images in results, they are moved behind the results of
// the turn.
func (e *requestEncoder) takeImages(t *turn, at item, r callwright.Result) {
	if e.caps.ResultImages == caps.No {
		kept, shown, note, ok := kit.MoveMedia(r, &e.names, kit.BehindResults,
			func(p callwright.Part) bool { return kit.IsImage(p) && e.refuses(t.role, p) == "" })
		if at.part = kept; ok {
			e.notes.Add(note)
		}
		for _, p := range shown {
			t.others = append(t.others, item{part: p, message: at.message, index: at.index})
		}
	}
	t.results = append(t.results, at)
}

// Reasons for which a part is left out, as texts for notes.
const (
	whyEmpty   = "empty text is refused"
	whyForeign = "the model cannot use the opaque state of another model"
	whyHollow  = "reasoning without a signature is refused"
	whyNever   = "the provider does not accept reasoning in the history"
	whyOther   = "only the API that made it can read it"
	whyRole    = "messages of this role cannot contain such parts"
)

// dropRules maps reasons to rules of notes. The rule for other reasons is history.media.
var dropRules = map[string]string{
	whyEmpty:   "history.empty_text",
	whyForeign: "history.foreign_signature",
	whyHollow:  "history.unsigned_reasoning",
	whyNever:   "history.reasoning_left_out",
	whyOther:   "history.opaque",
	whyRole:    "history.misplaced",
}

// refuses returns the reason for which a part cannot be sent in a message of the role, or "" if it can.
func (e *requestEncoder) refuses(role callwright.Role, part callwright.Part) string {
	switch p := part.(type) {
	case callwright.Text:
		if strings.TrimSpace(p.Text) == "" {
			return whyEmpty
		}
	case kit.Quoted:
	case callwright.Reasoning:
		switch {
		case e.caps.History.ReasoningBack == caps.ReasoningBackNever:
			return whyNever
		case e.foreign(p.Origin) && p.Signature+p.Redacted != "":
			return whyForeign
		case e.foreign(p.Origin), e.lacksSignature(p):
			return whyHollow
		case role != callwright.RoleAssistant:
			return whyRole
		}
	case callwright.Call:
		if role != callwright.RoleAssistant {
			return whyRole
		}
	case callwright.Result:
		if role != callwright.RoleUser {
			return whyRole
		}
	case callwright.Opaque:
		if own.JSON(p.Extra) == nil || own.Member(p.Extra, citationsDelta) != nil {
			return whyOther
		}
	case callwright.Image:
		_, why := imageSource(p)
		return e.upload(p.FileID, p.Extra, why)
	case callwright.File:
		_, why := fileSource(p)
		return e.upload(p.FileID, p.Extra, why)
	default:
		return whyOther
	}
	return ""
}

// lacksSignature reports whether a part is reasoning without a signature that must have one. Unsigned reasoning in a
// request of this API is accepted if the provider does not sign reasoning.
func (e *requestEncoder) lacksSignature(p callwright.Part) bool {
	r, is := p.(callwright.Reasoning)
	return is && r.Signature+r.Redacted == "" && (e.body == nil || e.caps.History.SignedReasoning)
}

// upload returns the reason for rejecting a file, or "": the earlier reason why if that is not "", otherwise a reason
// for rejecting id. The id of a file that was uploaded to a provider of another API cannot be used here.
func (e *requestEncoder) upload(id string, x callwright.Extra, why string) string {
	if why == "" && id != "" && companion.Of(e.req).Body != nil && e.body == nil && x.Wire != callwright.WireAnthropic {
		return "a file that was uploaded to another provider"
	}
	return why
}

// foreign reports whether opaque state of the origin o must not be sent to this model: it came from another API or
// another model. State without an origin belongs to the API of the request.
func (e *requestEncoder) foreign(o callwright.Origin) bool {
	switch {
	case o.Wire == "":
		came := companion.Of(e.req)
		return came.Body != nil && came.Wire() != callwright.WireAnthropic
	case o.Wire != callwright.WireAnthropic:
		return true
	}
	provider, name := o.Model.Split()
	return provider != "" && name != e.model
}

func (e *requestEncoder) noteDrop(at item, why string) {
	rule, ok := dropRules[why]
	if !ok {
		rule = "history.media"
	}
	was := ""
	switch p := at.part.(type) {
	case callwright.Text:
		was = p.Text
	case callwright.Reasoning:
		was = p.Text
	case callwright.Opaque:
		was = string(p.Extra.JSON)
	}
	e.note(rule, at.path(), was, "", why)
}

// turn appends a turn as a message.
func (e *requestEncoder) turn(dst []byte, t *turn) []byte {
	if t.raw != nil {
		return append(dst, t.raw...)
	}
	o := open(dst)
	o.Text("role", string(t.role))
	o.Key("content")
	items := t.others
	if len(t.results) > 0 {
		items = append(t.results, t.others...)
	}
	if t.list {
		o.Buf = e.blocks(o.Buf, items)
	} else {
		o.Buf = e.content(o.Buf, items)
	}
	o.Extra(t.extra, "role", "content")
	return o.close()
}

// content appends the content of a message or result: a string for one plain text, otherwise a list of blocks.
func (e *requestEncoder) content(dst []byte, items []item) []byte {
	if len(items) == 1 {
		if q, ok := items[0].part.(kit.Quoted); ok {
			return append(dst, q.JSON...)
		}
		if t, ok := items[0].part.(callwright.Text); ok && t.Extra.Wire != callwright.WireAnthropic {
			return jsonx.AppendQuote(dst, t.Text)
		}
	}
	return e.blocks(dst, items)
}

func (e *requestEncoder) blocks(dst []byte, items []item) []byte {
	dst = append(dst, '[')
	for i, at := range items {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = e.block(dst, at)
	}
	return append(dst, ']')
}

func (e *requestEncoder) block(dst []byte, at item) []byte {
	switch p := at.part.(type) {
	case callwright.Call:
		return e.call(dst, p, at)
	case callwright.Result:
		return e.result(dst, p, at)
	}
	return appendBlock(dst, at.part)
}

// appendBlock appends a part as a content block that is the same in requests and responses. It appends nothing for a
// Call or Result.
func appendBlock(dst []byte, part callwright.Part) []byte {
	switch p := part.(type) {
	case kit.Quoted:
		o := open(dst)
		o.Text("type", "text")
		o.Raw("text", p.JSON)
		return o.close()
	case callwright.Text:
		raw := own.ReplacedBlock(p)
		if raw != nil && p.Text == wordsOf(raw) {
			return append(dst, raw...)
		}
		o := open(dst)
		o.Text("type", "text")
		o.Text("text", p.Text)
		if raw == nil {
			o.Extra(p.Extra, "type", "text")
		}
		return o.close()
	case callwright.Reasoning:
		o := open(dst)
		if p.Redacted != "" && p.Text == "" && p.Signature == "" {
			o.Text("type", "redacted_thinking")
			o.Text("data", p.Redacted)
		} else {
			o.Text("type", "thinking")
			o.Text("thinking", p.Text)
			o.Text("signature", p.Signature)
		}
		o.Extra(p.Extra, "type", "thinking", "signature", "data")
		return o.close()
	case callwright.Image:
		s, _ := imageSource(p)
		return media(dst, "image", "", s, p.Extra)
	case callwright.File:
		s, _ := fileSource(p)
		return media(dst, "document", p.Name, s, p.Extra)
	case callwright.Opaque:
		if own.Member(p.Extra, citationsDelta) == nil { // a delta is not a block
			return append(dst, own.JSON(p.Extra)...)
		}
	}
	return dst
}

func media(dst []byte, kind, title string, s source, x callwright.Extra) []byte {
	o := open(dst)
	o.Text("type", kind)
	o.Key("source")
	o.Buf = s.append(o.Buf)
	o.OptionalText("title", title)
	o.Extra(x, "type", "source", "title")
	return o.close()
}

func (e *requestEncoder) call(dst []byte, c callwright.Call, at item) []byte {
	if was := c.ID; e.ids.Map(was) != was {
		c.ID = e.ids.Map(was)
		e.note("history.call_id", at.path()+"/id", was, c.ID, "the provider does not accept the id")
	}
	if c.Signature != "" { // calls of this API have none
		e.noteDrop(at, whyForeign)
	}
	if c.Type != callwright.CustomTool && jsonx.KindOf(c.Arguments) != jsonx.Invalid &&
		(jsonx.KindOf(c.Arguments) != jsonx.Object || jsonx.Valid(c.Arguments) != nil) {
		e.note("history.arguments", at.path()+"/input", string(c.Arguments), "{}", "the input must be an object")
		c.Arguments = nil
	}
	return appendCall(dst, c)
}

// appendCall appends a call as a tool_use block. Its arguments must be a JSON object or empty.
func appendCall(dst []byte, c callwright.Call) []byte {
	o := open(dst)
	o.Text("type", "tool_use")
	o.Text("id", c.ID)
	o.Text("name", c.Name)
	o.Raw("input", input(c))
	o.Extra(c.Extra, "type", "id", "name", "input")
	return o.close()
}

// input returns the input object of a call: its arguments, or {"input":"..."} for the free text of a custom call.
func input(c callwright.Call) []byte {
	switch {
	case c.Type == callwright.CustomTool:
		return kit.CustomArguments(c.Input)
	case jsonx.KindOf(c.Arguments) != jsonx.Object:
		return []byte("{}")
	}
	return jsonx.Trim(c.Arguments)
}

func (e *requestEncoder) result(dst []byte, r callwright.Result, at item) []byte {
	o := open(dst)
	o.Text("type", "tool_result")
	o.Text("tool_use_id", e.ids.Map(r.CallID))
	if items, ok := e.resultItems(r, at); ok {
		o.Key("content")
		o.Buf = e.content(o.Buf, items)
	}
	skip := []string{"type", "tool_use_id", "content"}
	if r.IsError {
		o.Truth("is_error", true)
		skip = append(skip, "is_error")
	}
	o.Extra(r.Extra, skip...)
	return o.close()
}

// resultItems returns the parts of a result that can be sent. ok is false if the result has no content.
func (e *requestEncoder) resultItems(r callwright.Result, at item) (items []item, ok bool) {
	for j, p := range r.Parts {
		at.part, at.nested = p, j+1
		if t, isText := p.(callwright.Text); isText && strings.TrimSpace(t.Text) == "" {
			if len(r.Parts) == 1 {
				return []item{{part: callwright.Text{}}}, true // the API accepts an empty string, but not an empty block
			}
			e.noteDrop(at, whyEmpty)
			continue
		}
		if why := e.refuses(callwright.RoleUser, p); why != "" {
			e.noteDrop(at, why)
			continue
		}
		items = append(items, at)
	}
	return items, r.Parts != nil
}
