package kit

import (
	"encoding/json"

	"github.com/callwright/callwright/internal/progress"
	"github.com/callwright/callwright/sse"
)

// AppendProgress appends an SSE comment with the state of the request and its duration, or ": keep-alive" if now is
// zero.
func AppendProgress(dst []byte, now progress.Snapshot) []byte {
	if now.IsZero() {
		return sse.AppendComment(dst, "keep-alive")
	}
	return sse.AppendComment(dst, "callwright: "+now.String())
}

// Progress appends the member "callwright" with the progress of the request, for APIs whose streams have no comments.
// It appends nothing if now is zero. Reports use a member of the same name.
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
