package record

import (
	"bytes"
	"errors"
	"fmt"
	"hash/crc32"
	"strconv"
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// Line is the line of record n. body is JSON without line ends.
func Line(n uint64, name string, body []byte) []byte {
	line := appendHead(make([]byte, 0, len(body)+len(name)+80), n, name, body)
	line = append(line, body...)
	return append(line, '}', '\n')
}

// appendHead writes the head of a line, before its body.
func appendHead(to []byte, n uint64, name string, body []byte) []byte {
	return fmt.Appendf(to, `{"n":%d,"len":%d,"crc":"%08x","%s":`, n, len(body), crc32.Checksum(body, castagnoli), name)
}

// The errors of lines.
var (
	errForm = errors.New("it has not the form, the number, the length or the checksum of a record that stands here")
	errLong = errors.New("it goes on behind the length that it states")
)

// Body is the body of the line of record n, which is given without its line end.
func Body(n uint64, name string, line []byte) ([]byte, error) {
	head := headOf(name, line)
	body, ok := bytes.CutSuffix(line[len(head):], []byte("}"))
	if !ok || !bytes.Equal(head, appendHead(nil, n, name, body)) {
		return nil, errForm
	}
	return body, nil
}

// headOf is the head before the body of a line, nothing where no body follows.
func headOf(name string, line []byte) []byte {
	mark := `,"` + name + `":`
	at := bytes.Index(line, []byte(mark))
	if at < 0 {
		return nil
	}
	return line[:at+len(mark)]
}

// overlong reports whether more stands in a line than belongs to its record: no crash leaves that behind.
func overlong(name string, line []byte) bool {
	head := headOf(name, line)
	_, rest, _ := bytes.Cut(head, []byte(`"len":`))
	digits, _, ok := bytes.Cut(rest, []byte(","))
	n, err := strconv.Atoi(string(digits))
	return ok && err == nil && len(line)-len(head)-len("}\n") > n
}
