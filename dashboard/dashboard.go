package dashboard

import (
	"bytes"
	"cmp"
	"context"
	"crypto/rand"
	"embed"
	"html/template"
	"io/fs"
	"log/slog"
	"net/http"
	"strings"
	"time"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/access"
	"github.com/callwright/callwright/archive"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/trace"
)

// Root is the path below which the pages are.
const Root = "/ui/"

// A Config says what the pages show. Every member may be left out.
type Config struct {
	// Access knows the keys and what they used; nil lets in whoever may reach the pages.
	Access *access.Gate
	// Hosts are further names of this machine, where there are no keys.
	Hosts []string
	// Reports are those of requests, of which the figures are made.
	Reports Reports
	// Traces have what was said in requests; without them requests are listed by their reports.
	Traces trace.LogReader
	// Models are listed with what is known of them, and Facts changes that.
	Models Models
	Facts  Facts
	// Explainer says what would be sent for a request.
	Explainer Explainer
	// Health lists what is wrong, a line each.
	Health func() []string
	// Now is the clock; nil is that of the machine.
	Now func() time.Time
	// Logger is told of pages that could not be made; nil logs nothing.
	Logger *slog.Logger
}

// Reports lists reports, as archive.Reports does. It is called concurrently, a few times a page.
type Reports interface {
	List(ctx context.Context, q archive.Query) ([]*archive.Report, error)
}

// Models says which models there are. Both methods are called concurrently, once a page.
type Models interface {
	// All returns all models that are listed, with what is known of them without asking their providers.
	All(ctx context.Context) []Model
	// One returns a model that is asked for by its name. It need not be listed; its Problem says why it cannot be asked.
	One(ctx context.Context, name callwright.ModelID) Model
}

// Facts changes what is known of models, for keys with access.Admin. It is called concurrently.
type Facts interface {
	Learn(ctx context.Context, model callwright.ModelID, f caps.Fact) error
	// Forget drops the facts of a key that were found, or all of them where the key is empty.
	Forget(ctx context.Context, model callwright.ModelID, key string) error
}

// A Model is what is known of a model.
type Model struct {
	Name      callwright.ModelID
	Target    callwright.ModelID // what an alias stands for
	Fallbacks []callwright.ModelID
	Facts     map[string]string // by key, each with its source, such as "no (learned)"
	Found     []caps.Fact       // what was learned, found by a probe or set here
	Problem   string            // why it cannot be asked
}

//go:embed templates static
var files embed.FS

// A server answers for the pages.
type server struct {
	Config
	mux      *http.ServeMux
	pages    map[string]*template.Template
	secret   [32]byte // of the tokens
	sessions sessions
	figures  figureCache
	hosts    []string
}

// New returns the handler of everything below Root.
func New(cfg Config) http.Handler {
	s := &server{Config: cfg, mux: http.NewServeMux(), pages: parsePages(), hosts: ownHosts(cfg.Hosts)}
	_, _ = rand.Read(s.secret[:]) // it never fails
	if s.Now == nil {
		s.Now = time.Now
	}
	if s.Logger == nil {
		s.Logger = slog.New(slog.DiscardHandler)
	}
	static, err := fs.Sub(files, "static")
	if err != nil {
		panic("dashboard: " + err.Error()) // the name is valid
	}
	s.mux.Handle("GET "+Root+"static/", http.StripPrefix(Root+"static/", http.FileServerFS(static)))
	s.mux.HandleFunc("GET "+Root+"login", s.showLogin)
	s.mux.HandleFunc("POST "+Root+"login", s.login)
	for _, p := range pageTable {
		s.mux.HandleFunc(p.pattern, s.page(&p))
	}
	s.mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		s.problem(w, r, http.StatusNotFound, "There is no such page.")
	})
	return s
}

// A page is what is served at a pattern to who may do a verb.
type page struct {
	pattern string
	verb    access.Verb
	serve   func(s *server, w http.ResponseWriter, v *visit)
}

var pageTable = []page{
	{"GET " + Root + "{$}", access.UI, (*server).overview},
	{"GET " + Root + "traces", access.UI, (*server).traces},
	{"GET " + Root + "traces/{id}", access.UI, (*server).trace},
	{"GET " + Root + "models", access.UI, (*server).models},
	{"GET " + Root + "models/{name...}", access.UI, (*server).model},
	{"POST " + Root + "facts", access.Admin, (*server).changeFacts},
	{"GET " + Root + "keys", access.UI, (*server).keys},
	{"GET " + Root + "playground", access.UI, (*server).playground},
	{"POST " + Root + "playground", access.UI, (*server).playground},
	{"GET " + Root + "explain", access.UI, (*server).explain},
	{"POST " + Root + "explain", access.UI, (*server).explain},
	{"POST " + Root + "logout", access.UI, (*server).logout},
}

// policy lets a page have the style sheet and the pictures of this server and send forms to it, and nothing else.
const policy = "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' data:; form-action 'self'; frame-ancestors 'none'; base-uri 'none'"

// ServeHTTP answers one request.
func (s *server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	h.Set("Content-Security-Policy", policy)
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Referrer-Policy", "same-origin") // with none at all, browsers do not say where a form comes from
	h.Set("Cross-Origin-Opener-Policy", "same-origin")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
	h.Set("Cache-Control", "no-store")
	if s.open() && !s.ownHost(r.Host) {
		http.Error(w, "these pages are shown by the names of this machine alone: name this one in hosts, or give the gateway keys", http.StatusForbidden)
		return
	}
	r.Body = http.MaxBytesReader(w, r.Body, maxForm)
	s.mux.ServeHTTP(w, r)
}

// maxForm bounds what a form may hold.
const maxForm = 1 << 20

// A visit is a request of somebody who may make it.
type visit struct {
	*http.Request
	caller *access.Caller // nil where there is no gate
	id     string         // of the session, or of a browser without one
}

// may reports whether the visitor may do something.
func (v *visit) may(verb access.Verb) bool { return v.caller == nil || v.caller.Can(verb) }

// page lets visitors through to a page who may see it, and requests that change something only from pages of ours.
func (s *server) page(p *page) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		v, ok := s.visitor(w, r)
		switch {
		case !ok && r.Method != http.MethodPost:
			http.Redirect(w, r, loginPath(r), http.StatusSeeOther)
		case !ok:
			s.problem(w, r, http.StatusUnauthorized, "Your session has ended. Log in, and send it again.")
		case !v.may(p.verb):
			s.problem(w, r, http.StatusForbidden, "The key you logged in with is not for this: it lacks the verb "+string(p.verb)+".")
		case r.Method == http.MethodPost && !s.genuine(w, v.Request, v.id):
		default:
			p.serve(s, w, v)
		}
	}
}

// A view is what a template is given.
type view struct {
	Title, Here string
	User        string // the name of the key, where there are keys
	LoggedIn    bool
	Admin       bool
	Token       string // for forms
	Now         time.Time
	Refresh     bool
	Body        any
}

// show writes a page. Here is its place in the navigation.
func (s *server) show(w http.ResponseWriter, v *visit, status int, name, title string, body any) {
	out := view{Title: title, Here: name, Token: s.token(v.id), Now: s.Now(), Body: body, Admin: v.may(access.Admin)}
	if v.caller != nil && !s.open() {
		out.User, out.LoggedIn = cmp.Or(v.caller.Name, "a key"), true
	}
	s.write(w, status, name, &out)
}

func (s *server) write(w http.ResponseWriter, status int, name string, v *view) {
	var b bytes.Buffer
	if err := s.pages[name].ExecuteTemplate(&b, "layout", v); err != nil {
		s.Logger.Error("a page could not be made", "page", name, "error", err)
		http.Error(w, "the page could not be made", http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.WriteHeader(status)
	_, _ = w.Write(b.Bytes())
}

// problem answers with a page that says what is wrong.
func (s *server) problem(w http.ResponseWriter, r *http.Request, status int, text string) {
	v, ok := s.visitor(w, r)
	if !ok {
		v = &visit{Request: r}
	}
	out := view{Title: http.StatusText(status), Here: "problem", Now: s.Now(), Body: text, LoggedIn: ok && !s.open(), Token: s.token(v.id)}
	s.write(w, status, "problem", &out)
}

// failed answers with the page of an error of a source.
func (s *server) failed(w http.ResponseWriter, r *http.Request, err error) {
	status := http.StatusInternalServerError
	switch callwright.KindOf(err) {
	case callwright.KindNotFound:
		status = http.StatusNotFound
	case callwright.KindInvalid:
		status = http.StatusBadRequest
	case callwright.KindUnavailable:
		status = http.StatusServiceUnavailable
	}
	s.problem(w, r, status, err.Error())
}

// sourceTime bounds how long the sources of a page may take.
const sourceTime = 10 * time.Second

func bounded(r *http.Request) (context.Context, context.CancelFunc) {
	return context.WithTimeout(r.Context(), sourceTime)
}

// parsePages parses each page with the layout around it.
func parsePages() map[string]*template.Template {
	layout := template.Must(template.New("").Funcs(functions).ParseFS(files, "templates/layout.html"))
	names, err := fs.Glob(files, "templates/*.html")
	if err != nil {
		panic("dashboard: " + err.Error()) // the pattern is valid
	}
	out := map[string]*template.Template{}
	for _, file := range names {
		name := strings.TrimSuffix(strings.TrimPrefix(file, "templates/"), ".html")
		if name != "layout" {
			out[name] = template.Must(template.Must(layout.Clone()).ParseFS(files, file))
		}
	}
	return out
}
