package filejournal

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"

	"github.com/callwright/callwright/agent"
	"github.com/callwright/callwright/internal/record"
)

// entryName is the JSON member of a line that contains the entry.
const entryName = "entry"

// maxNested is the number of brackets above which encodeEntry checks the nesting of Data: package json limits nesting
// to 10000 levels, and the entry adds one.
const maxNested = 9990

// encode returns the line of a journal file for entry number n.
func encode(n uint64, e agent.Entry) ([]byte, error) {
	body, err := encodeEntry(e)
	if err != nil {
		return nil, err
	}
	return record.Line(n, entryName, body), nil
}

func encodeEntry(e agent.Entry) ([]byte, error) {
	data := e.Data
	e.Data = nil
	head, err := json.Marshal(e)
	if err != nil {
		return nil, err
	}
	head = head[:len(head)-1]
	if len(data) == 0 {
		return append(head, '}'), nil
	}
	if oneLine(data) {
		body := make([]byte, 0, len(head)+len(data)+10)
		body = append(append(body, head...), `,"data":`...)
		body = append(append(body, data...), '}')
		if bytes.Count(data, []byte("["))+bytes.Count(data, []byte("{")) < maxNested || json.Valid(body) {
			return body, nil
		}
	}
	text, err := json.Marshal([]byte(data))
	if err != nil {
		return nil, err
	}
	head = append(append(head, `,"data_base64":`...), text...)
	return append(head, '}'), nil
}

// oneLine reports whether a line can contain data unchanged: without line breaks and without surrounding white space.
func oneLine(data []byte) bool {
	return !bytes.ContainsAny(data, "\n\r") && len(bytes.TrimSpace(data)) == len(data)
}

// decode parses a journal entry from the JSON of a line's "entry" member.
func decode(body []byte) (agent.Entry, error) {
	var in struct {
		agent.Entry
		Base64 []byte `json:"data_base64"`
	}
	if err := json.Unmarshal(body, &in); err != nil {
		return agent.Entry{}, fmt.Errorf("its entry cannot be read: %w", err)
	}
	if in.Base64 != nil {
		in.Data = in.Base64
	}
	return in.Entry, nil
}

// scan reads the entries after the position from, passes each to take, and returns the position after the last one.
func scan(ctx context.Context, r io.Reader, from record.Place, take func(agent.Entry)) (record.Place, error) {
	return record.Scan(ctx, r, entryName, from, func(body []byte) error {
		e, err := decode(body)
		if err == nil {
			take(e)
		}
		return err
	})
}
