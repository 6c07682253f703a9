package ollama

import (
	"strings"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/wire/internal/kit"
)

// pictures are the beginnings of pictures in base64, which this API sends without saying their type.
var pictures = []struct{ begin, mediaType string }{
	{"iVBORw0KGgo", "image/png"}, {"/9j/", "image/jpeg"}, {"R0lGOD", "image/gif"}, {"UklGR", "image/webp"}, {"Qk", "image/bmp"},
}

// defaultPicture is the type of a picture that begins like none of them.
const defaultPicture = "image/jpeg"

// decodeImage reads base64 text, or the data: URL that some clients write in its place.
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
