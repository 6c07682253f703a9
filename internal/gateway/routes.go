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

// A handler answers a request, or returns the reason as an error. client is the codec of the client's wire.
type handler func(s *Server, client wire.Codec, x *exchange, r *http.Request) error

// A route is the handler of a method and a path.
type route struct {
	method string // empty for any
	path   string // as http.ServeMux has patterns, without a method
	// wire is the API of the clients: a route without its codec is not served. Empty is for clients of every API; the
	// request tells which one.
	wire  callwright.WireName
	serve handler
}

// routes need a key, where there are keys. allRoutes adds the rows of further tables; the paths in probes need no key.
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

	// Names of models have slashes in them, and some clients leave models/ out then.
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
	// Names of models have slashes in them: the path ends in /facts.
	{http.MethodGet, "/callwright/models/{id...}", "", (*Server).showFacts},
	{http.MethodDelete, "/callwright/models/{id...}", "", (*Server).forgetFacts},
	{"", "/", "", (*Server).refuseUnknown},
}

// An entry is the handler of a pattern in the mux. ServeHTTP finds it by the mux and calls serve with the exchange. The
// mux itself calls the handler of a Config, so that its request has the values of the pattern.
type entry struct {
	http.Handler // of the Config; nil for the gateway's own
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

// fixedPaths returns the entries of mux for POST requests at the paths of routes without variables, by path. It returns
// nil if the entry may depend on the host.
func (s *Server) fixedPaths(mux *http.ServeMux) map[string]*entry {
	for _, more := range []map[string]http.Handler{s.cfg.Handlers, s.cfg.KeyedHandlers} {
		for pattern := range more {
			if at := pattern[strings.LastIndexAny(pattern, " \t")+1:]; !strings.HasPrefix(at, "/") {
				return nil // the pattern has a host
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

// findEntry returns the entry of a request, and the request with its corrected path. The mux itself answers a request
// without an entry, by a redirect. A request for a model at the exact path of its API needs no search.
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

// allRoutes returns the routes with those of other tables: the passages, and the paths that are not served.
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

// An endpoint is a route with its codec, nil if the codec depends on the request.
type endpoint struct {
	*route
	codec wire.Codec
}

// pathRoutes are the endpoints at one path, one for each method.
type pathRoutes []endpoint

// forMethod returns the endpoint for a method; HEAD is GET without the body. ok is false for another method: the
// endpoint is then the first.
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

// methodError returns the error of a request with a method that the path does not have.
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

// refuseUpgrade answers clients that prefer a web socket, with a status that lets them continue by HTTP at once.
func (s *Server) refuseUpgrade(_ wire.Codec, x *exchange, r *http.Request) error {
	if r.Header.Get("Upgrade") == "" || r.Method != http.MethodGet {
		x.Header().Set("Allow", http.MethodPost)
		return &callwright.Error{Kind: callwright.KindInvalid, Status: http.StatusMethodNotAllowed, Message: "expected POST, got " + r.Method}
	}
	x.Header().Set("Upgrade", "HTTP/1.1")
	return &callwright.Error{Kind: callwright.KindInvalid, Status: http.StatusUpgradeRequired,
		Message: "web sockets are not spoken here: send the request by POST"}
}

// refuseUnknown answers a request at an unknown path. The error names the correct path if a client added the path of
// its API to a wrong base URL.
func (s *Server) refuseUnknown(_ wire.Codec, _ *exchange, r *http.Request) error {
	message := "nothing is served at " + r.Method + " " + r.URL.Path
	if meant, ok := s.meantPath(r.URL.Path); ok {
		message += ": did you mean " + meant.path + "? Correct the base URL"
	}
	return &callwright.Error{Kind: callwright.KindNotFound, Message: message}
}
