package kit

import (
	"encoding/json"

	"github.com/callwright/callwright/internal/progress"
	"github.com/callwright/callwright/sse"
)

// AppendProgress appends a comment that says how far a request is.
func AppendProgress(dst []byte, now progress.Snapshot) []byte {
	if now.IsZero() {
		return sse.AppendComment(dst, "keep-alive")
	}
	return sse.AppendComment(dst, "callwright: "+now.String())
}

// Progress writes the member that says how far a request is, for APIs whose streams have no comments. It is named as
// the member of a report is.
func (w *Writer) Progress(now progress.Snapshot) {
	if now.IsZero() {
		return
	}
	v, err := json.Marshal(struct {
		Progress progress.Snapshot `json:"progress"`
	}{now})
	if err == nil {
		w.Raw("callwright", v)
	}
}
