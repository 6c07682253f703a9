package kit

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/companion"
)

// Reachable reports whether any provider can fetch url: it starts with http:// or https://. Other addresses, such as
// gs://, have a meaning only for one provider.
func Reachable(url string) bool {
	return strings.HasPrefix(url, "https://") || strings.HasPrefix(url, "http://")
}

// SharesUploads reports whether a provider of one of the APIs wires can know the ids of uploaded files in req. That is
// the case if a Go program built the request, or if it was decoded from a body of one of these APIs.
func SharesUploads(req *callwright.Request, wires ...callwright.WireName) bool {
	body := companion.Of(req).Body
	if body == nil {
		return true
	}
	for _, w := range wires {
		if body.Wire() == w {
			return true
		}
	}
	return false
}

// Placeholder returns a text that replaces the image or file p for a provider whose API cannot express it, such as
// "[Image: https://example.com/a.png]", and the note on the change. path is the JSON pointer to the list of messages.
func Placeholder(p callwright.Part, path string) (callwright.Text, callwright.Note) {
	what, ref, rule := "File", "", "history.media_reference"
	switch p := p.(type) {
	case callwright.Image:
		what, ref = "Image", cmp.Or(p.URL, p.FileID)
		if p.URL != "" {
			rule = "history.image_url"
		}
	case callwright.File:
		ref = cmp.Or(p.URL, p.FileID, p.Name)
		if kind, _, ok := strings.Cut(p.MediaType, "/"); ok && (kind == "audio" || kind == "video" || kind == "image") {
			what = strings.ToUpper(kind[:1]) + kind[1:]
		}
		if p.URL != "" {
			rule = "history.file_url"
		}
	}
	line := "[" + what + " without content]"
	if ref != "" {
		line = "[" + what + ": " + ref + "]"
	}
	return callwright.Text{Text: line}, callwright.Note{Rule: rule, Path: path, Was: ref, Now: line,
		Why: "the provider does not accept references to it"}
}

// MoveMedia splits a tool result whose images the API cannot express. It removes the parts for which moves reports
// true. kept is r with a text in their place, such as "[The image of this result follows WHERE.]", with the parameter
// where. shown is a text with the name of the tool, from names, then the removed parts. ok is false, and kept is r, if
// moves reports true for no part.
func MoveMedia(r callwright.Result, names *CallNames, where string,
	moves func(callwright.Part) bool) (kept callwright.Result, shown []callwright.Part, note callwright.Note, ok bool) {
	if !slices.ContainsFunc(r.Parts, moves) {
		return r, nil, callwright.Note{}, false
	}
	var rest, taken []callwright.Part
	for _, p := range r.Parts {
		if moves(p) {
			taken = append(taken, p)
		} else {
			rest = append(rest, p)
		}
	}
	what := "image"
	if len(taken) > 1 {
		what = fmt.Sprintf("%d images", len(taken))
	}
	tool := cmp.Or(names.Of(r), "the call "+r.CallID)
	r.Parts = append(rest, callwright.Text{Text: fmt.Sprintf("[The %s of this result follows %s.]", what, where)})
	shown = append([]callwright.Part{callwright.Text{Text: fmt.Sprintf("[The %s from the result of %s:]", what, tool)}}, taken...)
	return r, shown, callwright.Note{Rule: "history.result_image", Call: r.CallID, Path: "/messages", Now: what,
		Why: "results hold only text here: it follows " + where}, true
}

// Places for the images of a tool result, for the parameter where of MoveMedia. The text in the tool result names
// the place.
const (
	InNextMessage = "in the next message of the user"
	BehindResults = "behind the results"
)

// IsImage reports whether p is a callwright.Image.
func IsImage(p callwright.Part) bool { _, is := p.(callwright.Image); return is }
