package gateway

import (
	"net/http"
	"slices"
	"strings"
)

// versions are the first parts of the paths of APIs, and vendors those that stand before them: Groq's SDK has paths such as
// /openai/v1/chat/completions below every base URL, and so has the API of Azure.
var (
	versions = []string{"v1", "v1beta", "api"}
	vendors  = append([]string{"openai"}, versions...)
)

// unversioned are the paths below /v1 that clients ask for without it.
var unversioned = []string{"chat/completions", "responses", "messages", "models", "embeddings", "rerank"}

// canonicalPath returns the path that is meant by one that a client made of a base URL with a part of the path too many, as in
// /v1/v1/messages, too few, as in /chat/completions, or with a slash at its end, as in /v1//messages.
func canonicalPath(path string) string {
	for strings.Contains(path, "//") {
		path = strings.ReplaceAll(path, "//", "/")
	}
	for {
		first, rest, _ := strings.Cut(strings.TrimPrefix(path, "/"), "/")
		second, _, more := strings.Cut(rest, "/")
		if !more || !slices.Contains(vendors, first) || !slices.Contains(versions, second) {
			break
		}
		path = "/" + rest
	}
	for _, p := range unversioned {
		if rest, ok := strings.CutPrefix(path, "/"+p); ok && (rest == "" || rest[0] == '/') {
			return "/v1" + path
		}
	}
	return path
}

// canonicalRequest returns the request with the path that is meant.
func canonicalRequest(r *http.Request) *http.Request {
	path := canonicalPath(r.URL.Path)
	if path == r.URL.Path {
		return r
	}
	out, u := *r, *r.URL
	u.Path, u.RawPath = path, canonicalPath(u.RawPath)
	out.URL = &u
	return &out
}
