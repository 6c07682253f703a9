package conversation

import (
	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/companion"
	"github.com/callwright/callwright/internal/jsonx"
)

// MarshalMessages encodes messages as a list, as in a conversation.
func MarshalMessages(messages []callwright.Message) ([]byte, error) {
	e := encoder{trail: trail{op: "conversation.marshal"}}
	e.elements(len(messages), func(i int) { e.object(messageFields(&messages[i])) })
	if err := e.firstError(); err != nil {
		return nil, err
	}
	return e.dst, nil
}

// UnmarshalMessages decodes a list of messages. The result does not share memory with b.
func UnmarshalMessages(b []byte) ([]callwright.Message, error) {
	d := decoder{trail{op: "conversation.unmarshal"}}
	if err := jsonx.Valid(b); err != nil {
		d.fail("%v", err)
		return nil, d.firstError()
	}
	list := decodeList(&d, jsonx.Trim(b), d.message)
	if err := d.firstError(); err != nil {
		return nil, err
	}
	return list, nil
}

// MarshalCall encodes a tool call, as in the parts of a message.
func MarshalCall(c *callwright.Call) ([]byte, error) {
	typ := partCall
	return encode("conversation.marshal", append([]field{{"type", &typ}}, callFields(c)...))
}

// UnmarshalCall decodes a tool call. The result does not share memory with b.
func UnmarshalCall(b []byte) (*callwright.Call, error) {
	c, typ := new(callwright.Call), ""
	if err := decode("conversation.unmarshal", b, append([]field{{"type", &typ}}, callFields(c)...)); err != nil {
		return nil, err
	}
	if typ != partCall {
		return nil, callwright.Errorf("conversation.unmarshal", callwright.KindInvalid, "/type", "expected %q, got %q",
			partCall, callwright.Excerpt(typ))
	}
	return c, nil
}

// MarshalTool encodes a tool, as in a conversation.
func MarshalTool(t *callwright.Tool) ([]byte, error) {
	return encode("conversation.marshal", toolFields(t))
}

// UnmarshalTool decodes a tool. The result does not share memory with b.
func UnmarshalTool(b []byte) (*callwright.Tool, error) {
	t := new(callwright.Tool)
	if err := decode("conversation.unmarshal", b, toolFields(t)); err != nil {
		return nil, err
	}
	return t, nil
}

// MarshalResponse encodes a response with its report and its raw bytes.
func MarshalResponse(r *callwright.Response) ([]byte, error) {
	return encode("conversation.marshal", responseFields(r))
}

// UnmarshalResponse decodes a response. The result does not share memory with b.
func UnmarshalResponse(b []byte) (*callwright.Response, error) {
	r := new(callwright.Response)
	if err := decode("conversation.unmarshal", b, responseFields(r)); err != nil {
		return nil, err
	}
	return r, nil
}

// MarshalTools encodes tools as a list, as in a conversation. It returns nil for nil.
func MarshalTools(tools []callwright.Tool) ([]byte, error) {
	if tools == nil {
		return nil, nil
	}
	e := encoder{trail: trail{op: "conversation.marshal"}}
	e.in(step{name: "tools"}, func() { e.elements(len(tools), func(i int) { e.object(toolFields(&tools[i])) }) })
	if err := e.firstError(); err != nil {
		return nil, err
	}
	return e.dst, nil
}

// MarshalRequest encodes the content of a request: the conversation, the parameters, the extra members and the edits.
// It decodes messages and tools that are still in the request body. It omits Cache, and the companion data except the
// edits, because they only control how the request is handled.
func MarshalRequest(r *callwright.Request) ([]byte, error) {
	declared, err := r.DeclaredTools()
	if err != nil {
		return nil, err
	}
	tools, err := MarshalTools(declared)
	if err != nil {
		return nil, err
	}
	return MarshalRequestWith(r, tools)
}

// MarshalRequestWith is like MarshalRequest, with the declared tools already encoded by MarshalTools.
func MarshalRequestWith(r *callwright.Request, tools []byte) ([]byte, error) {
	messages, err := r.History()
	if err != nil {
		return nil, err
	}
	c, version := Conversation{Model: r.Model, Messages: messages}, Version
	whole := append(conversationFields(&c, &version), field{"tools", (*written)(&tools)})
	e := encoder{trail: trail{op: "conversation.marshal"}, dst: make([]byte, 0, sizeHint(r, tools))}
	edits := companion.Of(r).Edits
	e.object(append([]field{{"conversation", whole}}, settingFields(r, &edits)...))
	if err := e.firstError(); err != nil {
		return nil, err
	}
	return e.dst, nil
}

// sizeHint estimates the encoded size of a request in bytes by the size of its body.
func sizeHint(r *callwright.Request, tools []byte) int {
	return max(len(companion.Of(r).Bytes())*9/8, len(tools)) + 1<<10
}

// UnmarshalRequest decodes a request. The result has no body and does not share memory with b.
func UnmarshalRequest(b []byte) (*callwright.Request, error) {
	const op = "conversation.unmarshal"
	if err := checkVersion(op, b, "conversation", mark); err != nil {
		return nil, err
	}
	var c Conversation
	r, version := new(callwright.Request), 0
	var edits []callwright.Edit
	if err := decode(op, b, requestFields(&c, &version, r, &edits)); err != nil {
		return nil, err
	}
	if edits != nil {
		companion.Change(r, func(c *companion.Companion) { c.Edits = edits })
	}
	r.Model, r.Messages, r.Tools = c.Model, c.Messages, c.Tools
	return r, nil
}
