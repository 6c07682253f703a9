package gateway

import (
	"net/http"
	"slices"
	"strings"

	"github.com/callwright/callwright"
)

// versions are the first parts of the paths of APIs, and vendors those that stand before them: Groq's SDK has paths
// such as /openai/v1/chat/completions below every base URL, and so has the API of Azure.
var (
	versions = []string{"v1", "v1beta", "api"}
	vendors  = append([]string{"openai"}, versions...)
)

// unversioned are the paths below /v1 that clients ask for without it.
var unversioned = []string{"chat/completions", "responses", "messages", "models", "embeddings", "rerank"}

// canonicalPath returns the path that is meant by one that a client made of a base URL with a part of the path too
// many, as in /v1/v1/messages, too few, as in /chat/completions, or with a slash at its end, as in /v1//messages.
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

// A servedPath is a path without variables at which models are asked, and the wire of its clients.
type servedPath struct {
	path string
	wire callwright.WireName
}

// servedPaths returns the paths of the routes for POST whose clients speak a wire of the gateway.
func (s *Server) servedPaths() []servedPath {
	var out []servedPath
	for _, rt := range allRoutes() {
		if _, ok := s.codec(rt.wire); ok && rt.method == http.MethodPost && !strings.Contains(rt.path, "{") {
			out = append(out, servedPath{rt.path, rt.wire})
		}
	}
	return out
}

// meantPath returns the served path that ends another one, with or without /v1: of /v2/chat/completions it is
// /v1/chat/completions. Of several it is the longest. It is not ok where there is none, or where the path is served.
func (s *Server) meantPath(path string) (found servedPath, ok bool) {
	longest := 0
	for _, p := range s.served {
		tail := strings.TrimPrefix(p.path, "/v1")
		if len(tail) > longest && strings.HasSuffix(path, tail) {
			found, longest = p, len(tail)
		}
	}
	return found, longest > 0 && found.path != path
}
