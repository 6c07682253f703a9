package openai

import (
	"strings"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/internal/wire/internal/kit"
)

// content writes the member content of a message: a string if the parts are at most one plain text, otherwise a list.
// For providers that accept strings only, several texts are joined by an empty line.
func (h *historyWriter) content(parts []callwright.Part) {
	if v, ok := kit.OnlyQuoted(parts); ok {
		h.requestEncoder.Raw("content", v)
		return
	}
	parts = h.adaptParts(kit.UnquoteParts(parts))
	plain := true
	for _, p := range parts {
		t, ok := p.(callwright.Text)
		plain = plain && ok && (h.caps.History.StringContent || own.JSON(t.Extra) == nil)
	}
	switch {
	case plain && len(parts) <= 1:
		h.Text("content", callwright.TextOf(parts))
	case plain && h.caps.History.StringContent:
		var texts []string
		for _, p := range parts {
			texts = append(texts, p.(callwright.Text).Text)
		}
		h.Text("content", strings.Join(texts, "\n\n"))
	default:
		h.Open("content", '[')
		for _, p := range parts {
			h.part(p)
		}
		h.Close(']')
	}
}

// adaptParts returns the parts with each part that this API or the model does not accept replaced by a text or left
// out. It adds a note for each placeholder and each omitted part.
func (h *historyWriter) adaptParts(parts []callwright.Part) []callwright.Part {
	out := make([]callwright.Part, 0, len(parts))
	for _, p := range parts {
		switch p := p.(type) {
		case callwright.Opaque:
			if p.Extra.Wire != callwright.WireOpenAI {
				h.notes.Add(kit.LeftOpaque("/messages", p))
				continue
			}
		case callwright.Image:
			if p.Data == "" && !h.reachable(p.URL) {
				out = append(out, h.placeholder(p))
				continue
			}
		case callwright.File:
			switch {
			case p.Text != "":
				out = append(out, callwright.Text{Text: p.Text})
				continue
			case p.Data != "", p.URL != "" && own.Member(p.Extra, byURL) != nil:
			case strings.HasPrefix(p.MediaType, "audio/"), p.FileID == "",
				!kit.SharesUploads(h.req, callwright.WireOpenAI, callwright.WireResponses):
				out = append(out, h.placeholder(p))
				continue
			}
		}
		out = append(out, p)
	}
	return out
}

// reachable reports whether the URL of an image may be sent to the provider: an http or https URL, or any URL that the
// client sent over this API.
func (h *historyWriter) reachable(url string) bool {
	return kit.Reachable(url) || url != "" && h.body != nil
}

// placeholder returns the text that replaces a part that this API cannot represent, and adds a note.
func (h *historyWriter) placeholder(p callwright.Part) callwright.Text {
	t, note := kit.Placeholder(p, "/messages")
	h.notes.Add(note)
	return t
}

// part writes one element of a content list.
func (h *historyWriter) part(p callwright.Part) {
	switch p := p.(type) {
	case callwright.Opaque:
		h.requestEncoder.Raw("", p.Extra.JSON)
		return
	case callwright.Text:
		h.Open("", '{')
		if kind := own.Member(p.Extra, "type"); kind != nil { // a refusal
			h.requestEncoder.Raw("type", kind)
			h.Text(jsonx.TextOf(kind), p.Text)
		} else {
			h.Text("type", "text")
			h.Text("text", p.Text)
		}
		h.Extra(p.Extra, "type")
	case callwright.Reasoning:
		h.thinking(p)
	case callwright.Image:
		h.Open("", '{')
		h.image(p)
		h.Extra(p.Extra, "image_url")
	case callwright.File:
		h.Open("", '{')
		h.file(p)
		h.Extra(p.Extra, "input_audio", "file", byURL)
	default:
		return
	}
	h.Close('}')
}

// thinking writes reasoning as a content part of the type thinking, as in Mistral's API, without its closing brace.
func (h *historyWriter) thinking(r callwright.Reasoning) {
	h.Open("", '{')
	h.Text("type", "thinking")
	h.Open("thinking", '[')
	h.Open("", '{')
	h.Text("type", "text")
	h.Text("text", r.Text)
	h.Buf = append(h.Buf, "}]"...)
	switch {
	case h.ownState(r.Origin):
		h.OptionalText("signature", r.Signature)
	case r.Signature != "" || r.Redacted != "":
		h.notes.Add(callwright.Note{Rule: "history.foreign_signature", Path: "/messages",
			Why: "a signature is sent only to its origin"})
	}
	h.Extra(r.Extra, append([]string{"type", "reasoning_details"}, reasoningKeys...)...)
}

func (h *historyWriter) image(p callwright.Image) {
	url := p.URL
	if p.Data != "" {
		url = kit.DataURL(p.MediaType, p.Data)
	}
	h.Text("type", "image_url")
	h.Open("image_url", '{')
	h.Text("url", url)
	h.OptionalText("detail", p.Detail)
	h.Within(p.Extra, "image_url")
	h.Close('}')
}

func (h *historyWriter) file(p callwright.File) {
	if format, ok := strings.CutPrefix(p.MediaType, "audio/"); ok && p.Data != "" {
		h.Text("type", "input_audio")
		h.Open("input_audio", '{')
		h.Text("data", p.Data)
		h.Text("format", format)
		h.Within(p.Extra, "input_audio")
		h.Close('}')
		return
	}
	h.Text("type", "file")
	h.Open("file", '{')
	h.OptionalText("file_id", p.FileID)
	h.OptionalText("filename", p.Name)
	switch {
	case p.Data != "" && p.MediaType != "":
		h.Text("file_data", kit.DataURL(p.MediaType, p.Data))
	case p.Data != "":
		h.Text("file_data", p.Data)
	default:
		h.OptionalText("file_data", p.URL)
	}
	h.Within(p.Extra, "file")
	h.Close('}')
}

// result writes a tool result as a message of the role tool. If the model accepts only text in results, images and
// files are moved to the next user message.
func (h *historyWriter) result(r callwright.Result) {
	id := h.mapID(r.CallID)
	if _, only := kit.OnlyQuoted(r.Parts); !only || r.IsError {
		r.Parts = kit.UnquoteParts(r.Parts)
	}
	parts := r.Parts
	if h.caps.ResultImages != caps.Yes {
		parts = h.takeImages(r)
	}
	if r.IsError {
		parts = h.markError(r, parts)
	}
	h.Open("", '{')
	h.Text("role", string(callwright.RoleTool))
	h.Text("tool_call_id", id)
	if h.caps.History.ResultName && own.Member(r.Extra, "name") == nil {
		h.OptionalText("name", h.names.Of(r))
	}
	if h.caps.History.StringContent {
		parts = kit.JoinTexts(parts)
	}
	if h.caps.History.NoBlankText && blank(parts) {
		h.notes.Add(callwright.Note{Rule: "history.empty_result", Call: r.CallID, Path: "/messages", Now: noOutput,
			Why: "the provider refuses empty texts"})
		parts = []callwright.Part{callwright.Text{Text: noOutput}}
	}
	h.content(parts)
	h.Extra(r.Extra)
	h.Close('}')
}

// noOutput is the content of a result that has no text, for providers that reject empty texts.
const noOutput = "(no output)"

// takeImages moves the images and files of the result to h.shown. It returns the parts of the result with a text
// reference in place of each.
func (h *historyWriter) takeImages(r callwright.Result) []callwright.Part {
	kept, shown, note, ok := kit.MoveMedia(r, &h.names, kit.InNextMessage, func(p callwright.Part) bool {
		f, isFile := p.(callwright.File)
		return kit.IsImage(p) || isFile && f.Text == ""
	})
	if !ok {
		return r.Parts
	}
	h.shown = append(h.shown, shown...)
	h.notes.Add(note)
	return kit.JoinTexts(kept.Parts)
}

// markError puts the text "Error:" before the parts of the result of a failed call, because this API has no error flag.
// It returns the parts unchanged if their text already reports an error.
func (h *historyWriter) markError(r callwright.Result, parts []callwright.Part) []callwright.Part {
	if kit.SaysError(parts) {
		return parts
	}
	h.notes.Add(callwright.Note{Rule: "history.result_error", Call: r.CallID, Path: "/messages",
		Why: "the wire has no error flag for a result"})
	return kit.JoinTexts(append([]callwright.Part{callwright.Text{Text: "Error:"}}, parts...))
}
