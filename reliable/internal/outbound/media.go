package outbound

import (
	"slices"
	"strconv"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/reliable/internal/judge"
)

// imageLeftOut replaces an image in a request to a model without image input.
const imageLeftOut = "[An image was left out: the model takes no images.]"

// leaveOutImages replaces images by a text if the model does not accept images. changed reports whether there were
// any. It decodes the history only if the summaries show images.
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
		Why: "the model does not accept images"})
	out.Messages = msgs
	return true, nil
}

// withoutImages returns parts with images replaced, including those in results, and their number. It returns parts
// itself if there are none.
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

// wordsLast moves trailing replacement texts before the other parts, so that the user's text stays last.
func wordsLast(parts []callwright.Part) []callwright.Part {
	n := len(parts)
	for ; n > 0; n-- {
		if t, ok := parts[n-1].(callwright.Text); !ok || t.Text != imageLeftOut {
			break
		}
	}
	return slices.Concat(parts[n:], parts[:n])
}
