package record

import (
	"bytes"
	"errors"
	"fmt"
	"hash/crc32"
	"strconv"
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// Line returns the line for record number n, with its line break. name is the name of the last member. body is JSON
// without line breaks.
func Line(n uint64, name string, body []byte) []byte {
	line := appendHead(make([]byte, 0, len(body)+len(name)+80), n, name, body)
	line = append(line, body...)
	return append(line, '}', '\n')
}

// appendHead appends the beginning of a line, up to its body.
func appendHead(to []byte, n uint64, name string, body []byte) []byte {
	return fmt.Appendf(to, `{"n":%d,"len":%d,"crc":"%08x","%s":`, n, len(body), crc32.Checksum(body, castagnoli), name)
}

// Errors for invalid lines.
var (
	errForm = errors.New("it is no valid record for this place: its form, number, length or checksum is wrong")
	errLong = errors.New("it is longer than the length that it states")
)

// Body returns the body of a line that must be record number n. line has no line break. It returns an error if any byte
// of the line is wrong.
func Body(n uint64, name string, line []byte) ([]byte, error) {
	head := headOf(name, line)
	body, ok := bytes.CutSuffix(line[len(head):], []byte("}"))
	if !ok || !bytes.Equal(head, appendHead(nil, n, name, body)) {
		return nil, errForm
	}
	return body, nil
}

// headOf returns the beginning of a line up to its body, or nil if the line has no member name.
func headOf(name string, line []byte) []byte {
	mark := `,"` + name + `":`
	at := bytes.Index(line, []byte(mark))
	if at < 0 {
		return nil
	}
	return line[:at+len(mark)]
}

// overlong reports whether a line is longer than its "len" member states. A crash during a write cannot cause this.
func overlong(name string, line []byte) bool {
	head := headOf(name, line)
	_, rest, _ := bytes.Cut(head, []byte(`"len":`))
	digits, _, ok := bytes.Cut(rest, []byte(","))
	n, err := strconv.Atoi(string(digits))
	return ok && err == nil && len(line)-len(head)-len("}\n") > n
}
