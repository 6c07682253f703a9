package gateway

import (
	"net/http"

	"github.com/callwright/callwright/wire"
	"github.com/callwright/callwright/wire/anthropic"
	"github.com/callwright/callwright/wire/openai"
)

// A door is the path on which one wire's clients ask for answers.
type door struct {
	path  string
	codec wire.Codec
}

// doors are the front doors.
var doors = []door{
	{"/v1/chat/completions", openai.Codec{}},
	{"/v1/messages", anthropic.Codec{}},
}

func (s *Server) routes() *http.ServeMux {
	mux := http.NewServeMux()
	for _, d := range doors {
		mux.Handle("POST "+d.path, s.guard(d.codec, s.answer(d.codec)))
		mux.Handle(d.path, s.guard(d.codec, wrongMethod(http.MethodPost)))
	}
	mux.Handle("GET /v1/models", s.guardAny(s.listModels))
	mux.Handle("GET /v1/models/{id...}", s.guardAny(s.showModel))
	mux.Handle("POST /callwright/explain", s.guardAny(s.explain))
	mux.Handle("GET /callwright/reports/{id}", s.guardAny(s.showReport))
	mux.HandleFunc("GET /healthz", func(w http.ResponseWriter, _ *http.Request) { writeText(w, http.StatusOK, "ok\n") })
	mux.HandleFunc("GET /readyz", s.ready)
	mux.Handle("/", s.guardAny(s.nowhere))
	return mux
}

// ready says whether new requests are taken.
func (s *Server) ready(w http.ResponseWriter, _ *http.Request) {
	if s.draining.Load() {
		writeText(w, http.StatusServiceUnavailable, "shutting down\n")
		return
	}
	writeText(w, http.StatusOK, "ready\n")
}

func writeText(w http.ResponseWriter, status int, text string) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.WriteHeader(status)
	_, _ = w.Write([]byte(text))
}
