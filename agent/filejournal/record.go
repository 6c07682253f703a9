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

// stepName is the name of the body of a record.
const stepName = "step"

// maxNested is the number of brackets from which Data is looked at, since a step adds a level to those that package json takes.
const maxNested = 9990

// encode is the line of a step.
func encode(n uint64, s agent.Step) ([]byte, error) {
	body, err := encodeStep(s)
	if err != nil {
		return nil, err
	}
	return record.Line(n, stepName, body), nil
}

func encodeStep(s agent.Step) ([]byte, error) {
	data := s.Data
	s.Data = nil
	head, err := json.Marshal(s)
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

// oneLine reports whether a line can hold the text as it is and give it back so.
func oneLine(data []byte) bool {
	return !bytes.ContainsAny(data, "\n\r") && len(bytes.TrimSpace(data)) == len(data)
}

// decode reads the body of a record.
func decode(body []byte) (agent.Step, error) {
	var in struct {
		agent.Step
		Base64 []byte `json:"data_base64"`
	}
	if err := json.Unmarshal(body, &in); err != nil {
		return agent.Step{}, fmt.Errorf("its step cannot be read: %w", err)
	}
	if in.Base64 != nil {
		in.Data = in.Base64
	}
	return in.Step, nil
}

// scan reads the steps from a place on, gives each to take, and returns the place behind the last one.
func scan(ctx context.Context, r io.Reader, from record.Place, take func(agent.Step)) (record.Place, error) {
	return record.Scan(ctx, r, stepName, from, func(body []byte) error {
		s, err := decode(body)
		if err == nil {
			take(s)
		}
		return err
	})
}
