package kit

import "strings"

// DataURL is base64 data as a data: URL.
func DataURL(mediaType, data string) string { return "data:" + mediaType + ";base64," + data }

// SplitDataURL takes a data: URL with base64 apart; it is not ok for any other text.
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
