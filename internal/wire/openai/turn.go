package openai

import (
	"slices"
	"strings"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/internal/companion"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/internal/wire/internal/kit"
)

// fits reports whether message i of the client's body can be sent unchanged: the provider accepts its ids, its content
// and its reasoning in this form.
func (e *requestEncoder) fits(i int) bool {
	t := &e.body.Outline[i]
	for _, c := range t.Calls {
		if c.ID != "" && !e.caps.IDs.Accepts(c.ID) {
			return false
		}
	}
	for _, id := range t.Results {
		if id != "" && !e.caps.IDs.Accepts(id) {
			return false
		}
	}
	switch {
	case t.Blank && e.caps.History.NoBlankText && (!t.Text || t.Role != callwright.RoleUser):
		return false
	case len(t.Calls) > 0 && e.body.untypedCalls && hasUntypedCall(e.body.RawMessage(i)):
		return false
	case len(t.Calls) > 0 && (e.refusesCustom(e.body.RawMessage(i)) || !e.fitsBesideCalls(i)):
		return false
	case e.caps.History.StringContent && t.Parts && !t.Media:
		return false
	case e.caps.ResultImages != caps.Yes && t.Role == callwright.RoleTool && t.Media:
		return false
	case t.Role == callwright.RoleSystem && e.caps.History.SystemRole != "":
		return e.memberOf(i, "role") == string(e.caps.History.SystemRole)
	case t.Role == callwright.RoleAssistant && e.refusesNull() && e.contentIsNull(i):
		return false
	case t.Role == callwright.RoleAssistant && i == len(e.body.Outline)-1 && e.marksPrefill(len(t.Calls)) && !e.hasPrefillMark(i):
		return false
	case t.Role == callwright.RoleTool && e.caps.History.ResultName:
		_, named := jsonx.Find(e.body.RawMessage(i), "name")
		return named
	case t.Role == callwright.RoleAssistant:
		return e.fitsReasoning(i)
	}
	return true
}

// hasUntypedCall reports whether a tool call of the message has no member type.
func hasUntypedCall(message []byte) bool {
	calls, _ := jsonx.Find(message, "tool_calls")
	for c := range jsonx.Elements(calls) {
		if kind, _ := jsonx.Find(c, "type"); jsonx.IsNull(kind) {
			return true
		}
	}
	return false
}

// noteUntyped adds a note if a call of m had no type in the client's body. The encoder writes the type.
func (h *historyWriter) noteUntyped(m callwright.Message) {
	if h.body == nil || !h.body.untypedCalls {
		return
	}
	if i, came := h.clientMessages.Find(m); came && hasUntypedCall(h.body.RawMessage(i)) {
		h.notes.Add(callwright.Note{Rule: "history.call_type", Path: "/messages", Why: "a call came without its type"})
	}
}

// memberOf returns the string in the member key of message i of the body, or "" if it is not a string.
func (e *requestEncoder) memberOf(i int, key string) string {
	v, _ := jsonx.Find(e.body.RawMessage(i), key)
	return jsonx.TextOf(v)
}

func (e *requestEncoder) contentIsNull(i int) bool {
	v, ok := jsonx.Find(e.body.RawMessage(i), "content")
	return ok && jsonx.IsNull(v)
}

// marksPrefill reports whether the provider requires a mark, such as "prefix":true, in a last assistant message without
// calls, for the model to continue that message. calls is the number of its calls.
func (e *requestEncoder) marksPrefill(calls int) bool {
	return calls == 0 && e.caps.History.Prefill.Mark() != ""
}

func (e *requestEncoder) hasPrefillMark(i int) bool {
	v, _ := jsonx.Find(e.body.RawMessage(i), e.caps.History.Prefill.Mark())
	return jsonx.IsTrue(v)
}

// fitsReasoning reports whether assistant message i of the body has reasoning if the provider requires it, has none if
// the provider rejects it, and has it in the member that the provider expects.
func (e *requestEncoder) fitsReasoning(i int) bool {
	t := &e.body.Outline[i]
	switch back := e.caps.History.ReasoningBack; {
	case t.Reasoning && back == caps.ReasoningBackNever:
		return false
	case t.Reasoning && e.caps.Reasoning == caps.ReasoningInContent:
		message := jsonx.FieldsOf(e.body.RawMessage(i))
		return reasoningKey(&message) == ""
	case t.Reasoning && e.caps.Reasoning != "" && e.caps.Reasoning != caps.ReasoningInContent:
		_, ok := jsonx.Find(e.body.RawMessage(i), string(e.caps.Reasoning))
		return ok
	case t.Reasoning:
		return true
	default:
		return !back.IsRequired(len(t.Calls) > 0)
	}
}

// message writes a message of the user or the system. The message has no results.
func (h *historyWriter) message(m callwright.Message) {
	role := string(m.Role)
	if r := own.Member(m.Extra, "role"); r != nil {
		role = jsonx.TextOf(r)
	}
	if m.Role == callwright.RoleTool {
		role = string(callwright.RoleUser)
	}
	if to := string(h.caps.History.SystemRole); m.Role == callwright.RoleSystem && to != "" && to != role {
		h.notes.Add(callwright.Note{Rule: "history.system_role", Path: "/messages",
			Was: role, Now: to, Why: "the provider uses this role for instructions"})
		role = to
	}
	if m.Role == callwright.RoleSystem && h.caps.History.NoBlankText && blank(m.Parts) {
		h.notes.Add(callwright.Note{Rule: "history.empty_message", Path: "/messages", Was: role,
			Why: "the provider refuses empty texts"})
		return
	}
	if h.isForeignOnly(m.Parts) {
		return
	}
	h.Open("", '{')
	h.Text("role", role)
	h.content(m.Parts)
	h.Extra(m.Extra, "role")
	h.Close('}')
}

// isForeignOnly reports whether the message has only opaque parts of other APIs, and so cannot be written. It adds a
// note for each part then.
func (h *historyWriter) isForeignOnly(parts []callwright.Part) bool {
	for _, p := range parts {
		if o, ok := p.(callwright.Opaque); !ok || o.Extra.Wire == callwright.WireOpenAI {
			return false
		}
	}
	for _, p := range parts {
		h.notes.Add(kit.LeftOpaque("/messages", p.(callwright.Opaque)))
	}
	return len(parts) > 0
}

// blank reports whether parts consist of blank texts only: empty or white space. It is true for no parts.
func blank(parts []callwright.Part) bool {
	return !slices.ContainsFunc(parts, func(p callwright.Part) bool {
		t, ok := p.(callwright.Text)
		return !ok || strings.TrimSpace(t.Text) != ""
	})
}

// assistant writes an assistant message.
func (h *historyWriter) assistant(m callwright.Message) {
	calls := callwright.CallsOf(m.Parts)
	raw, same := h.findUnchanged(m)
	if h.wasCopied = same; same {
		h.requestEncoder.Raw("", raw)
		return
	}
	if h.isForeignOnly(m.Parts) {
		return
	}
	h.noteUntyped(m)
	var rest, chunks []callwright.Part
	var thoughts []callwright.Reasoning
	for _, p := range m.Parts {
		switch p := p.(type) {
		case callwright.Call:
		case callwright.Reasoning:
			if h.asChunk(p) {
				chunks = append(chunks, p)
				rest = append(rest, p)
				continue
			}
			thoughts = append(thoughts, p)
		default:
			rest = append(rest, p)
		}
	}
	if len(calls) > 0 && blank(rest) {
		rest = h.besideCalls(m, rest)
	}
	sentinel := len(calls) > 0 && h.wantsSentinel(m)
	h.Open("", '{')
	h.Text("role", string(callwright.RoleAssistant))
	if len(rest) == 0 && len(calls) > 0 && !h.refusesNull() {
		h.requestEncoder.Raw("content", []byte("null"))
	} else {
		h.content(rest)
	}
	h.reasoning(thoughts, len(chunks) > 0, len(calls) > 0)
	if len(calls) > 0 {
		h.Open("tool_calls", '[')
		for i, c := range calls {
			if sentinel && i == 0 {
				c = h.withSentinel(c)
			}
			h.call(c)
		}
		h.Close(']')
	}
	mark := ""
	if h.last && h.marksPrefill(len(calls)) {
		mark = h.caps.History.Prefill.Mark()
		h.Truth(mark, true)
	}
	h.Extra(m.Extra, "role", mark)
	h.Close('}')
}

// ownState reports whether opaque state of the origin o may be sent to this model: it came over this API, and not from
// another model.
func (h *historyWriter) ownState(o callwright.Origin) bool {
	if o.Wire == "" {
		return companion.Of(h.req).Body == nil || h.body != nil
	}
	provider, name := o.Model.Split()
	return o.Wire == callwright.WireOpenAI && (provider == "" || name == h.name)
}

// asChunk reports whether the reasoning is written as a part of the content, as in Mistral's API.
func (h *historyWriter) asChunk(r callwright.Reasoning) bool {
	if h.caps.History.ReasoningBack == caps.ReasoningBackNever {
		return false
	}
	return h.caps.Reasoning == caps.ReasoningInContent || h.caps.Reasoning == "" && h.ownState(r.Origin) && own.Member(r.Extra, "type") != nil
}

// filler is written as reasoning if a provider requires reasoning and none is known. Some providers reject "".
const filler = " "

// reasoning writes the reasoning of an assistant message in the member that the provider accepts. It adds a note if the
// reasoning is omitted or a filler replaces it. chunks reports that the content has reasoning already, calls that the
// message has calls.
func (h *historyWriter) reasoning(thoughts []callwright.Reasoning, chunks, calls bool) {
	var joined strings.Builder
	key, details, foreign := string(h.caps.Reasoning), []byte(nil), false
	for _, r := range thoughts {
		joined.WriteString(r.Text)
		if !h.ownState(r.Origin) {
			foreign = foreign || r.Signature != "" || r.Redacted != ""
			continue
		}
		for _, k := range reasoningKeys {
			if key == "" && own.Member(r.Extra, k) != nil {
				key = k
			}
		}
		if d := own.Member(r.Extra, "reasoning_details"); d != nil {
			details = d
		}
	}
	if foreign {
		h.foreign("")
	}
	words := joined.String()
	back := h.caps.History.ReasoningBack
	insists, empty := back.IsRequired(calls), calls && h.caps.History.EmptyReasoning && !chunks
	switch {
	case back.IsRefused(calls):
		if h.leftOut(words); empty {
			h.emptyReasoning(nil)
		}
		return
	case empty && words == "":
		h.emptyReasoning(thoughts)
	case insists && words == "" && !chunks:
		words = filler
		h.notes.Add(callwright.Note{Rule: "history.reasoning_filler", Path: "/messages", Now: filler, Why: "the provider requires reasoning"})
	}
	if key == "" && (insists || empty) {
		key = reasoningKeys[0]
	}
	if words != "" && key != "" && key != string(caps.ReasoningInContent) {
		h.Text(key, words)
	} else {
		h.leftOut(words)
	}
	if details != nil {
		h.requestEncoder.Raw("reasoning_details", details)
	}
}

// leftOut adds a note that the reasoning text was not sent, unless the text is blank.
func (h *historyWriter) leftOut(words string) {
	if strings.TrimSpace(words) != "" {
		h.notes.Add(callwright.Note{Rule: "history.reasoning_left_out", Path: "/messages",
			Was: words, Why: "the provider does not accept reasoning in the history"})
	}
}

// call writes one element of tool_calls. A custom call becomes a function call if the provider does not accept it.
func (h *historyWriter) call(c callwright.Call) {
	ownState := h.ownState(c.Origin)
	if !ownState && c.Signature != "" {
		h.foreign(c.ID)
	}
	if c.Type == callwright.CustomTool && !h.takesCustom() {
		c = callwright.Call{ID: c.ID, Name: c.Name, Arguments: kit.CustomArguments(c.Input), Signature: c.Signature, Origin: c.Origin}
	}
	h.Open("", '{')
	h.Text("id", h.mapID(c.ID))
	h.callBody(c, ownState)
	h.Close('}')
}

// foreign adds a note that opaque state was omitted. call is the id of its call, "" for the state of reasoning.
func (h *historyWriter) foreign(call string) {
	h.notes.Add(callwright.Note{Rule: "history.foreign_signature", Call: call, Path: "/messages",
		Why: "a signature is sent only to its origin"})
}

// wireType returns "custom" and "input" for a custom call, otherwise "function" and "arguments": the type of the call,
// which is also the member that holds it, and the member with its input.
func wireType(t callwright.ToolType) (kind, input string) {
	if t == callwright.CustomTool {
		return "custom", "input"
	}
	return "function", "arguments"
}

// callBody writes the members of a call except its id and index. ownState reports whether the signature of the call
// belongs to this API and may be written.
func (w *writer) callBody(c callwright.Call, ownState bool) {
	kind, input := wireType(c.Type)
	w.Text("type", kind)
	w.Open(kind, '{')
	w.Text("name", c.Name)
	switch w.Key(input); {
	case c.Type == callwright.CustomTool:
		w.Buf = jsonx.AppendQuote(w.Buf, c.Input)
	case len(c.Arguments) == 0:
		w.Buf = append(w.Buf, `"{}"`...)
	default:
		w.Buf = jsonx.AppendQuote(w.Buf, c.Arguments)
	}
	w.Within(c.Extra, kind)
	w.Close('}')
	w.callRest(c.Extra, c.Signature, ownState, calledKeys)
}

// Members that callRest omits because they were written already, for whole responses and for streams.
var (
	calledKeys   = []string{"function", "custom"}
	streamedKeys = []string{"function", "custom", "index"}
)

// callRest writes the unknown members x of a call except those in written. If ownState is true, it also writes the
// signature as extra_content.google.thought_signature, the member of Gemini's OpenAI-compatible API.
func (w *writer) callRest(x callwright.Extra, signature string, ownState bool, written []string) {
	w.Extra(x, written...)
	if signature == "" || !ownState || own.Member(x, "extra_content") != nil {
		return
	}
	w.Open("extra_content", '{')
	w.Open("google", '{')
	w.Text("thought_signature", signature)
	w.Buf = append(w.Buf, "}}"...)
}

// mapID returns id, or a replacement if the provider does not accept id. It adds a note for a replacement. Equal ids
// get equal replacements.
func (h *historyWriter) mapID(id string) string {
	out := h.ids.Map(id)
	if out != id {
		h.notes.Add(callwright.Note{Rule: "history.call_id", Call: id, Was: id, Now: out,
			Why: "the provider does not accept the id"})
	}
	return out
}
