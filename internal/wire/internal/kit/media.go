package kit

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/companion"
)

// Reachable reports whether an address is one that any provider can fetch. Others, such as those of a store, mean
// something to the provider that they belong to.
func Reachable(url string) bool {
	return strings.HasPrefix(url, "https://") || strings.HasPrefix(url, "http://")
}

// SharesUploads reports whether ids of uploaded files that are in a request mean something to a provider of one of the
// wires: those of a request that was built do, others where they came over one of them.
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

// Placeholder is the line that stands for an image or a file which the receiver has no form for, so that the model
// knows of it, and the note on it. path is the list of messages.
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
		Why: "the receiver does not take it by reference"}
}

// ShownElsewhere removes the parts for which moves reports true from a result whose receiver cannot hold them or would
// drop them. kept is the result with a reference in their place, which names their new place; shown are those parts,
// with a line that names the tool of the result, by names. ok is false, and kept the result itself, where there is
// nothing to remove.
func ShownElsewhere(r callwright.Result, names *CallNames, where string,
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

// The references that stand for parts removed from a result.
const (
	InNextMessage = "in the next message of the user"
	BehindResults = "behind the results"
)

// IsImage reports whether a part is an image.
func IsImage(p callwright.Part) bool { _, is := p.(callwright.Image); return is }
