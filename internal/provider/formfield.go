package provider

import (
	"bytes"
	"mime"

	"github.com/callwright/callwright"
)

// maxPartHeader is the maximum size in bytes of the header of a part of a multipart form.
const maxPartHeader = 8 << 10

// FormField returns the value of a field of a multipart form, as a slice of body, or nil if the form lacks the field.
// form reports whether contentType is multipart/form-data. A malformed form and a duplicate field are errors. It needs
// linear time.
func FormField(contentType string, body []byte, field string) (value []byte, form bool, err *callwright.Error) {
	from, to, form, err := formField(contentType, body, field)
	if from < 0 {
		return nil, form, err
	}
	return body[from:to:to], form, err
}

// formField is FormField with the offsets of the value in body, -1 if the form lacks the field.
func formField(contentType string, body []byte, field string) (from, to int, form bool, err *callwright.Error) {
	kind, params, failed := mime.ParseMediaType(contentType)
	if failed != nil || kind != "multipart/form-data" {
		return -1, -1, false, nil
	}
	boundary := params["boundary"]
	if boundary == "" || len(boundary) > 70 { // RFC 2046, section 5.1.1
		return -1, -1, true, badForm("expected a boundary of at most 70 characters in the content type")
	}
	delimiter := []byte("\r\n--" + boundary)
	rest, ok := bytes.CutPrefix(body, delimiter[2:])
	if !ok {
		if _, rest, ok = bytes.Cut(body, delimiter); !ok {
			return -1, -1, true, badForm("expected a multipart form, got no boundary")
		}
	}
	from = -1
	for !bytes.HasPrefix(rest, []byte("--")) {
		head, _, found := bytes.Cut(rest[:min(len(rest), maxPartHeader)], []byte("\r\n\r\n"))
		if !found {
			return -1, -1, true, badForm("expected headers of a part of at most 8192 bytes")
		}
		if !bytes.HasPrefix(bytes.TrimLeft(rest, " \t"), []byte("\r\n")) { // parsers differ in where such a part ends
			return -1, -1, true, badForm("expected a line break after a boundary")
		}
		content, next, ended := bytes.Cut(rest[len(head)+4:], delimiter)
		if !ended {
			return -1, -1, true, badForm("expected a boundary at the end of a part, got the end of the body")
		}
		if nameOfPart(head) == field {
			if from >= 0 {
				return -1, -1, true, badForm("expected the field " + field + " once, got it twice")
			}
			from = len(body) - len(rest) + len(head) + 4
			to = from + len(content)
		}
		rest = next
	}
	return from, to, true, nil
}

func badForm(message string) *callwright.Error {
	return &callwright.Error{Op: opPass, Kind: callwright.KindInvalid, Message: message}
}

// nameOfPart returns the field name in the header of a part, or "".
func nameOfPart(head []byte) string {
	for line := range bytes.SplitSeq(head, []byte("\r\n")) {
		key, v, ok := bytes.Cut(line, []byte{':'})
		if !ok || !bytes.EqualFold(bytes.TrimSpace(key), []byte("Content-Disposition")) {
			continue
		}
		if _, params, err := mime.ParseMediaType(string(bytes.TrimSpace(v))); err == nil {
			return params["name"]
		}
	}
	return ""
}
