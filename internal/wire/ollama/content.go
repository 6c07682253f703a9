package ollama

import (
	"cmp"
	"strings"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/wire/internal/kit"
)

// content writes the members content and images. Several texts become one, joined by the string between.
func (h *historyWriter) content(parts []callwright.Part, between string) {
	words := joiner{between: between}
	var images []string
	for _, p := range parts {
		switch p := h.carries(p).(type) {
		case callwright.Text:
			words.add(p.Text)
		case callwright.Image:
			images = append(images, p.Data)
		}
	}
	h.Text("content", words.String())
	h.images(images)
}

// Separators between two texts of a message and between two texts of a tool result.
const (
	betweenTexts   = "\n\n"
	betweenResults = "\n"
)

// A joiner joins texts by a separator: between, or betweenTexts if that is "". It adds none next to a newline.
type joiner struct {
	strings.Builder
	between string
	ended   bool // the text so far ends in a newline
}

func (j *joiner) add(s string) {
	if s == "" {
		return
	}
	if j.Len() > 0 && !j.ended && s[0] != '\n' {
		j.WriteString(cmp.Or(j.between, betweenTexts))
	}
	j.WriteString(s)
	j.ended = s[len(s)-1] == '\n'
}

// carries returns the part in a form that this API accepts: a text or an image. It adds a note if it replaces a part.
// The result is nil for other types of parts.
func (h *historyWriter) carries(p callwright.Part) callwright.Part {
	leave := func(rule, was, why, words string) callwright.Part {
		h.notes.Add(callwright.Note{Rule: rule, Path: "/messages", Was: was, Why: why})
		return callwright.Text{Text: words}
	}
	switch p := p.(type) {
	case callwright.Text:
		return p
	case callwright.Image:
		if p.Data == "" {
			return leave("history.image_url", p.URL, "the wire does not support images by URL", "[Image: "+p.URL+p.FileID+"]")
		}
		return p
	case callwright.File:
		if p.Text != "" {
			return callwright.Text{Text: p.Text}
		}
		return leave("history.file", p.Name, "the wire has no files", "[A file was left out: "+p.Name+p.URL+p.FileID+"]")
	case callwright.Opaque:
		rule, why := kit.OpaqueRule(p)
		return leave(rule, string(p.Extra.JSON), why, "")
	}
	return nil
}

// takeImages moves the images of a result to the next user message and returns the other parts, with a text reference
// in place of each image.
func (h *historyWriter) takeImages(r callwright.Result) []callwright.Part {
	kept, shown, note, ok := kit.MoveMedia(r, &h.names, kit.InNextMessage, kit.IsImage)
	if ok {
		h.shown = append(h.shown, shown...)
		h.notes.Add(note)
	}
	return kept.Parts
}

// markError puts the text "Error:" before the parts of the result of a failed call, because this API has no error flag.
// It returns the parts unchanged if their text already reports an error.
func (h *historyWriter) markError(parts []callwright.Part, id string) []callwright.Part {
	if kit.SaysError(parts) {
		return parts
	}
	h.notes.Add(callwright.Note{Rule: "history.result_error", Call: id, Path: "/messages",
		Why: "the wire has no error flag for a result"})
	return append([]callwright.Part{callwright.Text{Text: "Error:\n"}}, parts...)
}
