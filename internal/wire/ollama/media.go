package ollama

import (
	"strings"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/wire/internal/kit"
)

// pictures maps the first characters of base64 image data to media types, because this API sends images without a type.
var pictures = []struct{ begin, mediaType string }{
	{"iVBORw0KGgo", "image/png"}, {"/9j/", "image/jpeg"}, {"R0lGOD", "image/gif"}, {"UklGR", "image/webp"}, {"Qk", "image/bmp"},
}

// defaultPicture is the media type of an image that pictures does not identify.
const defaultPicture = "image/jpeg"

// decodeImage decodes an image: base64 data, or a data: URL, which some clients send.
func decodeImage(data string) callwright.Image {
	if mediaType, data, ok := kit.SplitDataURL(data); ok {
		return callwright.Image{MediaType: mediaType, Data: data}
	}
	for _, p := range pictures {
		if strings.HasPrefix(data, p.begin) {
			return callwright.Image{MediaType: p.mediaType, Data: data}
		}
	}
	return callwright.Image{MediaType: defaultPicture, Data: data}
}
