package provider

import (
	"bytes"
	"mime"

	"github.com/callwright/callwright"
)

// maxPartHeader bounds what stands before a part of a form.
const maxPartHeader = 8 << 10

// FormField returns the value of a field of a form in parts, in the memory of the body; nil where it has no such field. form reports whether
// the content type is that of such a form. A form that cannot be read, or that has the field twice, is an error. It is linear.
func FormField(contentType string, body []byte, field string) (value []byte, form bool, err *callwright.Error) {
	kind, params, failed := mime.ParseMediaType(contentType)
	if failed != nil || kind != "multipart/form-data" {
		return nil, false, nil
	}
	boundary := params["boundary"]
	if boundary == "" || len(boundary) > 70 { // RFC 2046, section 5.1.1
		return nil, true, badForm("expected a boundary of at most 70 characters in the content type")
	}
	delimiter := []byte("\r\n--" + boundary)
	rest, ok := bytes.CutPrefix(body, delimiter[2:])
	if !ok {
		if _, rest, ok = bytes.Cut(body, delimiter); !ok {
			return nil, true, badForm("expected a form in parts, got no boundary")
		}
	}
	for !bytes.HasPrefix(rest, []byte("--")) {
		head, _, found := bytes.Cut(rest[:min(len(rest), maxPartHeader)], []byte("\r\n\r\n"))
		if !found {
			return nil, true, badForm("expected a part with a header of at most 8192 bytes")
		}
		content, next, ended := bytes.Cut(rest[len(head)+4:], delimiter)
		if !ended {
			return nil, true, badForm("expected a boundary at the end of a part, got the end of the body")
		}
		if nameOfPart(head) == field {
			if value != nil {
				return nil, true, badForm("expected the field " + field + " once, got it twice")
			}
			value = content[:len(content):len(content)]
		}
		rest = next
	}
	return value, true, nil
}

func badForm(message string) *callwright.Error {
	return &callwright.Error{Op: opPass, Kind: callwright.KindInvalid, Message: message}
}

// nameOfPart returns the name of the field that a part's header names.
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
