package anthropic

import (
	"encoding/base64"
	"strings"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/internal/wire/internal/kit"
)

// source is the member source of an image or document block.
type source struct{ kind, mediaType, data, url, fileID string }

// sourceOf decodes a source. ok is false if it has unknown members or values that are not strings.
func sourceOf(v []byte) (s source, ok bool) {
	ok = jsonx.KindOf(v) == jsonx.Object
	for k, m := range jsonx.Members(v) {
		to := map[string]*string{
			"type": &s.kind, "media_type": &s.mediaType, "data": &s.data, "url": &s.url, "file_id": &s.fileID,
		}[k.String()]
		if to == nil || jsonx.KindOf(m) != jsonx.Text {
			return s, false
		}
		*to = jsonx.TextOf(m)
	}
	return s, ok
}

func readImage(_ *messageReader, b *kit.Object, x callwright.Extra) callwright.Part {
	s, ok := sourceOf(b.Get(bSource))
	if !ok {
		return nil
	}
	return callwright.Image{MediaType: s.mediaType, Data: s.data, URL: s.url, FileID: s.fileID, Extra: x}
}

func readDocument(_ *messageReader, b *kit.Object, x callwright.Extra) callwright.Part {
	s, ok := sourceOf(b.Get(bSource))
	if !ok || b.Get(bTitle) != nil && !jsonx.IsText(b.Get(bTitle)) {
		return nil
	}
	f := callwright.File{Name: b.Text(bTitle), MediaType: s.mediaType, URL: s.url, FileID: s.fileID, Extra: x}
	if s.kind == "text" {
		f.Text = s.data
	} else {
		f.Data = s.data
	}
	return f
}

// pictures maps the first characters of base64 image data to media types.
var pictures = []struct{ begins, mediaType string }{
	{"iVBORw0KGgo", "image/png"}, {"/9j/", "image/jpeg"}, {"R0lGOD", "image/gif"}, {"UklGR", "image/webp"},
}

// imageSource returns the source for an image, or the reason why this API cannot represent it.
func imageSource(m callwright.Image) (s source, why string) {
	s = source{mediaType: m.MediaType, data: m.Data, url: m.URL, fileID: m.FileID}
	if mediaType, data, ok := kit.SplitDataURL(m.URL); ok {
		s = source{mediaType: mediaType, data: data}
	}
	switch {
	case s.data != "":
		s.kind = "base64"
		if s.mediaType == "" {
			s.mediaType = "image/png"
			for _, p := range pictures {
				if strings.HasPrefix(s.data, p.begins) {
					s.mediaType = p.mediaType
				}
			}
		}
		s.url, s.fileID = "", ""
	case s.url != "":
		s = source{kind: "url", url: s.url}
	case s.fileID != "":
		s = source{kind: "file", fileID: s.fileID}
	default:
		return s, "an image without data, URL or file"
	}
	return s, ""
}

// fileSource returns the source for a file, or the reason why this API cannot represent it. Documents are PDF or text.
func fileSource(f callwright.File) (s source, why string) {
	if mediaType, data, ok := kit.SplitDataURL(f.URL); ok {
		f.URL, f.Data, f.MediaType = "", data, mediaType
	}
	if mediaType, data, ok := kit.SplitDataURL(f.Data); ok {
		f.Data, f.MediaType = data, mediaType
	}
	switch {
	case f.Text != "":
		return source{kind: "text", mediaType: "text/plain", data: f.Text}, ""
	case f.Data != "" && isText(f.MediaType):
		plain, err := base64.StdEncoding.DecodeString(f.Data)
		if err != nil {
			return s, "a text file whose data is not base64"
		}
		return source{kind: "text", mediaType: "text/plain", data: string(plain)}, ""
	case f.Data != "" && (f.MediaType == "" || f.MediaType == "application/pdf"):
		return source{kind: "base64", mediaType: "application/pdf", data: f.Data}, ""
	case f.Data != "":
		return s, "a file of type " + f.MediaType
	case f.URL != "":
		return source{kind: "url", url: f.URL}, ""
	case f.FileID != "":
		return source{kind: "file", fileID: f.FileID}, ""
	}
	return s, "a file without data, URL or text"
}

func isText(mediaType string) bool {
	return strings.HasPrefix(mediaType, "text/") || mediaType == "application/json" || mediaType == "application/xml"
}

func (s source) append(dst []byte) []byte {
	o := open(dst)
	o.Text("type", s.kind)
	for _, m := range []struct{ name, value string }{
		{"media_type", s.mediaType}, {"data", s.data}, {"url", s.url}, {"file_id", s.fileID},
	} {
		o.OptionalText(m.name, m.value)
	}
	return o.close()
}
