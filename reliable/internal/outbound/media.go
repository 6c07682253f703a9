package outbound

import (
	"slices"
	"strconv"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/reliable/internal/judge"
)

// imageLeftOut stands for an image in a request to a model that accepts none.
const imageLeftOut = "[An image was left out: the model takes no images.]"

// leaveOutImages puts a text in the place of each image where the receiver takes none, and reports whether there was
// any. The history is decoded only where its summaries say that it may hold images.
func leaveOutImages(out *callwright.Request, turns []callwright.Summary, c caps.Caps, l *judge.Ledger) (changed bool, err error) {
	if c.Images != caps.No || !slices.ContainsFunc(turns, func(t callwright.Summary) bool { return t.Media || t.ResultImages }) {
		return false, nil
	}
	msgs, err := out.History()
	if err != nil {
		return false, err
	}
	left := 0
	for i, m := range msgs {
		parts, n := withoutImages(m.Parts)
		if n == 0 {
			continue
		}
		if left == 0 {
			msgs = slices.Clone(msgs)
		}
		msgs[i].Parts = wordsLast(parts)
		left += n
	}
	if left == 0 {
		return false, nil
	}
	was := "an image"
	if left > 1 {
		was = strconv.Itoa(left) + " images"
	}
	l.Add(callwright.Note{Rule: "history.media", Stage: callwright.StageOutbound, Path: "/messages", Was: was,
		Why: "the model takes no images"})
	out.Messages = msgs
	return true, nil
}

// withoutImages are the parts with a text in the place of each image, also of those in results, and how many images
// there were. Parts without any are returned as they are.
func withoutImages(parts []callwright.Part) ([]callwright.Part, int) {
	out, left := parts, 0
	for i, p := range parts {
		n := 0
		switch q := p.(type) {
		case callwright.Image:
			p, n = callwright.Text{Text: imageLeftOut}, 1
		case callwright.Result:
			q.Parts, n = withoutImages(q.Parts)
			p = q
		}
		if n == 0 {
			continue
		}
		if left == 0 {
			out = slices.Clone(parts)
		}
		out[i] = p
		left += n
	}
	return out, left
}

// wordsLast moves the texts in place of images before the last words of a message, so that they are not read as the
// latest words.
func wordsLast(parts []callwright.Part) []callwright.Part {
	n := len(parts)
	for ; n > 0; n-- {
		if t, ok := parts[n-1].(callwright.Text); !ok || t.Text != imageLeftOut {
			break
		}
	}
	return slices.Concat(parts[n:], parts[:n])
}
