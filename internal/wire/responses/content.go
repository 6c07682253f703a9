package responses

import (
	"strings"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/internal/wire/internal/kit"
	"github.com/callwright/callwright/internal/wire/responses/internal/items"
)

// content writes the parts as the member key: a string if they are at most one plain text, otherwise a list. For
// providers that accept strings only, several texts are joined by an empty line.
func (h *historyWriter) content(key string, parts []callwright.Part) {
	parts = h.adaptParts(parts)
	plain := true
	for _, p := range parts {
		t, ok := p.(callwright.Text)
		plain = plain && ok && (h.caps.History.StringContent || t.Extra.Wire != callwright.WireResponses)
	}
	switch {
	case plain && len(parts) <= 1:
		h.Text(key, callwright.TextOf(parts))
	case plain && h.caps.History.StringContent:
		var texts []string
		for _, p := range parts {
			texts = append(texts, p.(callwright.Text).Text)
		}
		h.Text(key, strings.Join(texts, "\n\n"))
	default:
		h.Open(key, '[')
		for _, p := range parts {
			h.part(p)
		}
		h.Close(']')
	}
}

// adaptParts returns the parts with each part that this API or the model does not accept replaced by a text or left
// out. It adds a note for each placeholder and each omitted opaque part.
func (h *historyWriter) adaptParts(parts []callwright.Part) []callwright.Part {
	out := make([]callwright.Part, 0, len(parts))
	for _, p := range parts {
		switch p := p.(type) {
		case callwright.Opaque:
			if p.Extra.Wire != callwright.WireResponses {
				h.notes.Add(kit.LeftOpaque("/input", p))
				continue
			}
		case callwright.File:
			if p.Text != "" {
				out = append(out, callwright.Text{Text: p.Text})
				continue
			}
			if !h.takes(p.Data, p.URL, p.FileID, p.MediaType) {
				out = append(out, h.placeholder(p))
				continue
			}
		case callwright.Image:
			if !h.takes(p.Data, p.URL, p.FileID, "") {
				out = append(out, h.placeholder(p))
				continue
			}
		case callwright.Text:
		default: // reasoning and calls are separate items
			continue
		}
		out = append(out, p)
	}
	return out
}

// takes reports whether media with these members can be sent: base64 data, an http or https URL (not of audio or
// video), or an uploaded file's id. In a request that came over this API, all media are sent unless they are empty.
func (h *historyWriter) takes(data, url, id, mediaType string) bool {
	switch {
	case data != "":
		return true
	case h.body != nil:
		return url+id != ""
	case strings.HasPrefix(mediaType, "audio/"), strings.HasPrefix(mediaType, "video/"):
		return false
	}
	return kit.Reachable(url) || id != "" && kit.SharesUploads(h.req, callwright.WireOpenAI, callwright.WireResponses)
}

// placeholder returns the text that replaces a part that this API cannot represent, and adds a note.
func (h *historyWriter) placeholder(p callwright.Part) callwright.Text {
	t, note := kit.Placeholder(p, "/input")
	h.notes.Add(note)
	return t
}

// part writes one element of the content of a user message or of a call output.
func (h *historyWriter) part(p callwright.Part) {
	switch p := p.(type) {
	case callwright.Opaque:
		h.Raw("", p.Extra.JSON)
	case callwright.Text:
		h.textPart("input_text", p)
	case callwright.Image:
		h.Open("", '{')
		h.Text("type", "input_image")
		h.OptionalText("file_id", p.FileID)
		switch {
		case p.Data != "":
			h.Text("image_url", kit.DataURL(p.MediaType, p.Data))
		case p.URL != "":
			h.Text("image_url", p.URL)
		}
		h.OptionalText("detail", p.Detail)
		h.Extra(p.Extra)
		h.Close('}')
	case callwright.File:
		h.Open("", '{')
		h.file(p)
		h.Close('}')
	}
}

// textPart writes a text as a content part. Its type is the member "type" of p.Extra, or kind if there is none.
func (w *writer) textPart(kind string, p callwright.Text) {
	if k := own.Member(p.Extra, "type"); k != nil {
		kind = jsonx.TextOf(k)
	}
	member := items.TextMember(kind)
	if member == "" {
		kind, member = "output_text", "text"
	}
	w.Open("", '{')
	w.Text("type", kind)
	w.Text(member, p.Text)
	w.Extra(p.Extra, "type", "item")
	w.Close('}')
}

func (h *historyWriter) file(p callwright.File) {
	if format, ok := strings.CutPrefix(p.MediaType, "audio/"); ok && p.Data != "" {
		h.Text("type", "input_audio")
		h.Open("input_audio", '{')
		h.Text("data", p.Data)
		h.Text("format", format)
		h.Within(p.Extra, "input_audio")
		h.Close('}')
		h.Extra(p.Extra, "input_audio")
		return
	}
	h.Text("type", "input_file")
	h.OptionalText("file_id", p.FileID)
	name := p.Name
	if name == "" && p.Data != "" && p.Extra.Wire != callwright.WireResponses {
		name = "file" // data without a name is refused
	}
	h.OptionalText("filename", name)
	switch {
	case p.Data != "" && p.MediaType != "":
		h.Text("file_data", kit.DataURL(p.MediaType, p.Data))
	case p.Data != "":
		h.Text("file_data", p.Data)
	}
	h.OptionalText("file_url", p.URL)
	h.Extra(p.Extra)
}

// result writes a tool result as the output item for the type of its call, such as function_call_output.
func (h *historyWriter) result(r callwright.Result) {
	f := h.resultForm(r)
	if came := items.FormByOutput(jsonx.TextOf(own.Member(r.Extra, "type"))); h.functionsOnly && came != nil && came != f {
		r.Extra = callwright.Extra{}
	}
	if h.caps.ResultImages == caps.No && f.Tool == "" && own.Member(r.Extra, "output") == nil {
		kept, shown, note, ok := kit.MoveMedia(r, &h.names, kit.InNextMessage, kit.IsImage)
		if r, h.shown = kept, append(h.shown, shown...); ok {
			h.notes.Add(note)
		}
	}
	parts := r.Parts
	if r.IsError && f.Tool == "" {
		parts = h.markError(r)
	}
	h.Open("", '{')
	if f.Tool == "" || own.Member(r.Extra, "type") == nil {
		h.Text("type", f.Output)
	}
	h.Text("call_id", h.mapID(r.CallID))
	switch {
	case own.Member(r.Extra, "output") != nil, own.Member(r.Extra, "tools") != nil: // Extra has the output
	case f.Tool == "tool_search":
		h.Raw("tools", []byte("[]"))
	case f.Tool == "shell":
		h.shellOutput(r)
	default:
		h.content("output", kit.JoinTexts(parts)) // partial implementations accept a list only for media
	}
	if f.Tool == "" {
		h.Extra(r.Extra, "type")
	} else {
		h.Extra(r.Extra)
	}
	if f.Tool == "apply_patch" && own.Member(r.Extra, "status") == nil {
		status := "completed"
		if r.IsError {
			status = "failed"
		}
		h.Text("status", status)
	}
	h.Close('}')
}

// resultForm returns the item type of the output for a result. It depends on the type in r.Extra, otherwise on the call
// that was written before, otherwise on r.Type.
func (h *historyWriter) resultForm(r callwright.Result) *items.Form {
	f := items.FormByOutput(jsonx.TextOf(own.Member(r.Extra, "type")))
	if f != nil && !h.flat && (!h.functionsOnly || f == items.Function) && !(f.Kind == callwright.CustomTool && h.caps.CustomTools == caps.No) {
		return f
	}
	if f := h.forms[r.CallID]; f != nil {
		return f
	}
	if r.Type == callwright.CustomTool && h.caps.CustomTools != caps.No {
		return items.Custom
	}
	return items.Function
}

// shellOutput writes the text of a result as the output of a shell call, with exit code 0, or 1 for an error.
func (h *historyWriter) shellOutput(r callwright.Result) {
	code, out, err := "0", r.Text(), ""
	if r.IsError {
		code, out, err = "1", "", out
	}
	h.Open("output", '[')
	h.Open("", '{')
	h.Text("stdout", out)
	h.Text("stderr", err)
	h.Raw("outcome", []byte(`{"type":"exit","exit_code":`+code+`}`))
	h.Buf = append(h.Buf, "}]"...)
}

// markError puts "Error:" before the text of the result of a failed call, because this API has no error flag. It
// returns the parts unchanged if their text already reports an error.
func (h *historyWriter) markError(r callwright.Result) []callwright.Part {
	if kit.SaysError(r.Parts) {
		return r.Parts
	}
	h.notes.Add(callwright.Note{Rule: "history.result_error", Call: r.CallID, Path: "/input",
		Why: "the wire has no error flag for a result"})
	if len(r.Parts) == 1 {
		if t, ok := r.Parts[0].(callwright.Text); ok {
			t.Text = "Error:\n" + t.Text
			return []callwright.Part{t}
		}
	}
	return append([]callwright.Part{callwright.Text{Text: "Error:"}}, r.Parts...)
}
