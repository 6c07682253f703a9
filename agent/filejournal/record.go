package filejournal

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"strconv"

	"github.com/callwright/callwright/agent"
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// stepMark is what stands before the step of a line.
const stepMark = `,"step":`

// maxNested is the number of brackets from which Data is looked at, since a step adds a level to those that package json takes.
const maxNested = 9990

// encode is the line of a step.
func encode(n uint64, s agent.Step) ([]byte, error) {
	body, err := encodeStep(s)
	if err != nil {
		return nil, err
	}
	line := appendHead(make([]byte, 0, len(body)+80), n, body)
	line = append(line, body...)
	return append(line, '}', '\n'), nil
}

// appendHead writes what stands before a step.
func appendHead(to []byte, n uint64, body []byte) []byte {
	return fmt.Appendf(to, `{"n":%d,"len":%d,"crc":"%08x"`+stepMark, n, len(body), crc32.Checksum(body, castagnoli))
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

// The errors of lines.
var (
	errForm = errors.New("it has not the form, the number, the length or the checksum of a record that stands here")
	errLong = errors.New("it goes on behind the length that it states")
)

// decode reads the line of the step of number n, without its line end. Each byte is held against the one that would be written.
func decode(n uint64, line []byte) (agent.Step, error) {
	head := headOf(line)
	body, ok := bytes.CutSuffix(line[len(head):], []byte("}"))
	if !ok || !bytes.Equal(head, appendHead(nil, n, body)) {
		return agent.Step{}, errForm
	}
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

// headOf is what stands before the step of a line, nothing where no step does.
func headOf(line []byte) []byte {
	at := bytes.Index(line, []byte(stepMark))
	if at < 0 {
		return nil
	}
	return line[:at+len(stepMark)]
}

// overlong reports whether more stands in a line than belongs to its record: no crash leaves that behind.
func overlong(line []byte) bool {
	head := headOf(line)
	_, rest, _ := bytes.Cut(head, []byte(`"len":`))
	digits, _, ok := bytes.Cut(rest, []byte(","))
	n, err := strconv.Atoi(string(digits))
	return ok && err == nil && len(line)-len(head)-len("}\n") > n
}
