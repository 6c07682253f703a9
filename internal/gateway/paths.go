package gateway

import (
	"net/http"
	"slices"
	"strings"

	"github.com/callwright/callwright"
)

// versions are the version segments at the start of API paths. vendors are the segments that may precede one. Groq's
// SDK and the API of Azure use paths such as /openai/v1/chat/completions.
var (
	versions = []string{"v1", "v1beta", "api"}
	vendors  = append([]string{"openai"}, versions...)
)

// unversioned are paths below /v1 that clients also request without /v1.
var unversioned = []string{"chat/completions", "responses", "messages", "models", "embeddings", "rerank"}

// canonicalPath returns the correct path for a path that results from a wrong base URL. It removes duplicate slashes,
// and a version or "openai" before another version, as in /v1/v1/messages. It adds /v1, as for /chat/completions.
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

// canonicalRequest returns r with its canonical path. It returns r itself if the path is already canonical.
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

// A servedPath is the path, without variables, of a POST route, with the API of its clients.
type servedPath struct {
	path string
	wire callwright.WireName
}

// servedPaths returns the paths without variables of the POST routes whose API the gateway serves.
func (s *Server) servedPaths() []servedPath {
	var out []servedPath
	for _, rt := range allRoutes() {
		if _, ok := s.codec(rt.wire); ok && rt.method == http.MethodPost && !strings.Contains(rt.path, "{") {
			out = append(out, servedPath{rt.path, rt.wire})
		}
	}
	return out
}

// meantPath returns the longest served path that path ends with, ignoring the /v1 of the served path. For example, it
// returns /v1/chat/completions for /v2/chat/completions. ok is false if there is none or if path itself is served.
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
