package kit

import (
	"bytes"

	"github.com/callwright/callwright/sse"
)

// EventData returns the data of the first server-sent event in raw, nil if it has no event. The result may share the
// memory of raw.
func EventData(raw []byte) []byte {
	for rest := raw; len(rest) > 0 && bytes.IndexByte(raw, '\r') < 0; {
		line, behind, _ := bytes.Cut(rest, []byte{'\n'})
		if rest = behind; !bytes.HasPrefix(line, []byte("data")) {
			continue
		}
		value, ok := bytes.CutPrefix(line, []byte("data:"))
		if !ok || bytes.HasPrefix(behind, []byte("data")) || bytes.Contains(behind, []byte("\ndata")) { // the data may have several lines
			break
		}
		return bytes.TrimPrefix(value, []byte{' '})
	}
	ev, err := sse.NewReader(bytes.NewReader(raw)).Next()
	if err != nil {
		return nil
	}
	return ev.Data
}
