package kit

import "strings"

// DataURL returns a data: URL with base64 data: "data:image/png;base64,iVBO...".
func DataURL(mediaType, data string) string { return "data:" + mediaType + ";base64," + data }

// SplitDataURL returns the media type and the base64 data of a data: URL. ok is false for any other string.
func SplitDataURL(url string) (mediaType, data string, ok bool) {
	rest, ok := strings.CutPrefix(url, "data:")
	if !ok {
		return "", "", false
	}
	head, data, ok := strings.Cut(rest, ",")
	mediaType, encoded := strings.CutSuffix(head, ";base64")
	if !ok || !encoded {
		return "", "", false
	}
	return mediaType, data, true
}
