package gateway

import (
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/provider"
	"github.com/callwright/callwright/internal/wire"
)

// A handler writes the response to a request, or returns an error for the caller to write. client is the codec of the
// client's API.
type handler func(s *Server, client wire.Codec, x *exchange, r *http.Request) error

// A route assigns a handler to a method and a path.
type route struct {
	method string // "" for any method
	path   string // as in a pattern of http.ServeMux, without the method
	// wire is the API of the clients. The route is served only if that API's codec is configured. "" means clients of any
	// API, which codecOf determines.
	wire  callwright.WireName
	serve handler
}

// routes lists the paths that need a key, if the gateway requires keys. allRoutes adds further routes. The paths in
// probes need no key.
var routes = []route{
	{http.MethodPost, "/v1/chat/completions", callwright.WireOpenAI, (*Server).answer},

	{http.MethodPost, "/v1/responses", callwright.WireResponses, (*Server).answer},
	{http.MethodGet, "/v1/responses", callwright.WireResponses, (*Server).refuseUpgrade},
	{http.MethodGet, "/v1/responses/{id}", callwright.WireResponses, (*Server).showKept},
	{http.MethodDelete, "/v1/responses/{id}", callwright.WireResponses, (*Server).forgetKept},
	{http.MethodPost, "/v1/responses/compact", callwright.WireResponses, (*Server).compact},
	{http.MethodPost, "/v1/responses/input_tokens", callwright.WireResponses, (*Server).countTokens},

	{http.MethodPost, "/v1/messages", callwright.WireAnthropic, (*Server).answer},
	{http.MethodPost, "/v1/messages/count_tokens", callwright.WireAnthropic, (*Server).countTokens},

	// Model names contain slashes. Some clients omit "models/" for them.
	{http.MethodPost, "/v1beta/models/{id...}", callwright.WireGemini, (*Server).answerVerb},
	{http.MethodPost, "/v1beta/{id...}", callwright.WireGemini, (*Server).answerVerb},
	{http.MethodPost, "/v1/models/{id...}", callwright.WireGemini, (*Server).answerVerb},
	{http.MethodGet, "/v1beta/models", callwright.WireGemini, (*Server).listModels},
	{http.MethodGet, "/v1beta/models/{id...}", callwright.WireGemini, (*Server).showModel},

	{http.MethodPost, "/api/chat", callwright.WireOllama, (*Server).chatOrLoad},
	{http.MethodPost, "/api/generate", callwright.WireOllama, (*Server).completeOrLoad},
	{http.MethodGet, "/api/tags", callwright.WireOllama, (*Server).listModels},
	{http.MethodGet, "/api/ps", callwright.WireOllama, (*Server).listLoaded},
	{http.MethodPost, "/api/show", callwright.WireOllama, (*Server).describeModel},
	{http.MethodGet, "/api/version", callwright.WireOllama, (*Server).ollamaVersion},

	{http.MethodGet, "/v1/models", "", (*Server).listModels},
	{http.MethodGet, "/v1/models/{id...}", "", (*Server).showModel},
	{http.MethodPost, "/callwright/explain", "", (*Server).explain},
	{http.MethodGet, "/callwright/reports/{id}", "", (*Server).showReport},
	{http.MethodGet, UsagePath, "", (*Server).showUsage},
	{http.MethodGet, "/callwright/version", "", (*Server).showVersion},
	// Model names contain slashes, so the pattern cannot have /facts after the name.
	{http.MethodGet, "/callwright/models/{id...}", "", (*Server).showFacts},
	{http.MethodDelete, "/callwright/models/{id...}", "", (*Server).forgetFacts},
	{"", "/", "", (*Server).refuseUnknown},
}

// An entry is the handler of a pattern in the mux. ServeHTTP looks the entry up and calls serve with the exchange. For
// a handler of Config, serve calls ServeHTTP of the mux, which sets the path values of the pattern.
type entry struct {
	http.Handler // from Config; nil for the gateway's own routes
	serve        func(x *exchange, r *http.Request)
}

func (s *Server) routes() *http.ServeMux {
	mux := http.NewServeMux()
	byPath := map[string]pathRoutes{}
	for _, rt := range allRoutes() {
		codec, ok := s.codec(rt.wire)
		if ok || rt.wire == "" {
			byPath[rt.path] = append(byPath[rt.path], endpoint{&rt, codec})
		}
	}
	for path, c := range byPath {
		mux.Handle(path, &entry{serve: s.guard(c)})
	}
	for pattern, h := range s.cfg.Handlers {
		mux.Handle(pattern, &entry{h, s.serveHandler})
	}
	for pattern, h := range probes {
		mux.Handle(pattern, &entry{serve: func(x *exchange, r *http.Request) { h(s, x, r) }})
	}
	mux.Handle("GET "+statusPath, &entry{http.HandlerFunc(s.showStatus), s.serveKeyedHandler})
	mux.Handle("GET "+runningPath, &entry{http.HandlerFunc(s.showRunning), s.serveKeyedHandler})
	for _, path := range []string{"/healthz", "/readyz", statusPath, runningPath} {
		mux.Handle(path, &entry{serve: s.refuseMethod})
	}
	for pattern, h := range s.cfg.KeyedHandlers {
		mux.Handle(pattern, &entry{h, s.serveKeyedHandler})
	}
	for pattern, h := range s.cfg.Admin {
		if pattern != UsagePath {
			mux.Handle(pattern, &entry{s.adminHandler(h), s.serveKeyedHandler})
		}
	}
	return mux
}

// fixedPaths returns, by path, the entries for POST requests of the routes without variables. It returns nil if a
// configured pattern contains a host, because the entry then depends on the host.
func (s *Server) fixedPaths(mux *http.ServeMux) map[string]*entry {
	for _, more := range []map[string]http.Handler{s.cfg.Handlers, s.cfg.KeyedHandlers} {
		for pattern := range more {
			if at := pattern[strings.LastIndexAny(pattern, " \t")+1:]; !strings.HasPrefix(at, "/") {
				return nil // the pattern contains a host
			}
		}
	}
	out := map[string]*entry{}
	for _, rt := range allRoutes() {
		h, pattern := mux.Handler(&http.Request{Method: http.MethodPost, URL: &url.URL{Path: rt.path}})
		if e, ok := h.(*entry); ok && pattern == rt.path && !strings.Contains(rt.path, "{") && canonicalPath(rt.path) == rt.path {
			out[rt.path] = e
		}
	}
	return out
}

// findEntry returns the entry of a request, and the request with its canonical path. POST requests at exact paths skip
// the mux. If there is no entry, the mux handles the request, for example by a redirect.
func (s *Server) findEntry(r *http.Request) (*entry, *http.Request) {
	if r.Method == http.MethodPost && r.URL.RawPath == "" {
		if e := s.atPath[r.URL.Path]; e != nil {
			return e, r
		}
	}
	r = canonicalRequest(r)
	h, _ := s.mux.Handler(r)
	if e, ok := h.(*entry); ok {
		return e, r
	}
	return &entry{serve: func(x *exchange, r *http.Request) { s.mux.ServeHTTP(x, r) }}, r
}

// allRoutes returns all routes: routes, the forwarded endpoints, and the paths answered as unsupported.
func allRoutes() []route {
	all := slices.Clone(routes)
	for _, p := range provider.Passages() {
		if p.Path != "" {
			all = append(all, route{http.MethodPost, p.Path, p.Wire, passageHandler(&p)})
		}
	}
	for i := range absences {
		a := &absences[i]
		all = append(all, route{"", a.path, a.wire, a.serve}, route{"", a.path + "/{below...}", a.wire, a.serve})
	}
	return all
}

// An endpoint is a route with its codec. codec is nil if it depends on the request.
type endpoint struct {
	*route
	codec wire.Codec
}

// pathRoutes are the endpoints of one path, one per method.
type pathRoutes []endpoint

// forMethod returns the endpoint for a method, and true. HEAD is treated as GET. For a method that the path lacks, it
// returns the first endpoint and false.
func (p pathRoutes) forMethod(method string) (endpoint, bool) {
	if method == http.MethodHead {
		method = http.MethodGet
	}
	for _, e := range p {
		if e.method == "" || e.method == method {
			return e, true
		}
	}
	return p[0], false
}

// methodError returns error 405 and sets the Allow header to the methods of the path.
func (p pathRoutes) methodError(x *exchange, r *http.Request) error {
	var methods []string
	for _, e := range p {
		methods = append(methods, e.method)
	}
	slices.Sort(methods)
	allowed := strings.Join(methods, ", ")
	x.Header().Set("Allow", allowed)
	return &callwright.Error{Kind: callwright.KindInvalid, Status: http.StatusMethodNotAllowed,
		Message: "expected " + allowed + ", got " + r.Method}
}

// refuseUpgrade returns error 426 for a WebSocket upgrade, so that the client continues by HTTP at once. Any other
// request gets error 405.
func (s *Server) refuseUpgrade(_ wire.Codec, x *exchange, r *http.Request) error {
	if r.Header.Get("Upgrade") == "" || r.Method != http.MethodGet {
		x.Header().Set("Allow", http.MethodPost)
		return &callwright.Error{Kind: callwright.KindInvalid, Status: http.StatusMethodNotAllowed, Message: "expected POST, got " + r.Method}
	}
	x.Header().Set("Upgrade", "HTTP/1.1")
	return &callwright.Error{Kind: callwright.KindInvalid, Status: http.StatusUpgradeRequired,
		Message: "WebSockets are not supported: send the request by POST"}
}

// refuseUnknown returns error 404 for an unknown path. If the path ends with a served path, the error names it, because
// the client's base URL is probably wrong.
func (s *Server) refuseUnknown(_ wire.Codec, _ *exchange, r *http.Request) error {
	message := "nothing is served at " + r.Method + " " + r.URL.Path
	if meant, ok := s.meantPath(r.URL.Path); ok {
		message += ": did you mean " + meant.path + "? Correct the base URL"
	}
	return &callwright.Error{Kind: callwright.KindNotFound, Message: message}
}
