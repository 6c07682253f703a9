package dashboard

import (
	"bytes"
	"cmp"
	"context"
	"crypto/rand"
	"embed"
	"io/fs"
	"log/slog"
	"maps"
	"net/http"
	"path"
	"strings"
	"sync"
	"time"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/internal/access"
	"github.com/callwright/callwright/internal/archive"
	"github.com/callwright/callwright/internal/dashboard/internal/evallist"
	"github.com/callwright/callwright/internal/dashboard/internal/guard"
	"github.com/callwright/callwright/internal/dashboard/internal/modellist"
	"github.com/callwright/callwright/internal/dashboard/internal/runlist"
	"github.com/callwright/callwright/internal/dashboard/internal/static"
	"github.com/callwright/callwright/internal/eval/report"
	"github.com/callwright/callwright/internal/health"
	"github.com/callwright/callwright/internal/htmltemplate"
	"github.com/callwright/callwright/internal/keyapi"
	"github.com/callwright/callwright/internal/probe"
	"github.com/callwright/callwright/internal/progress"
	"github.com/callwright/callwright/internal/trace"
)

// Root is the path below which the pages are.
const Root = "/ui/"

// A Config says what the pages show. Every member may be left out.
type Config struct {
	// Access knows the keys and what they used; nil lets in whoever may reach the pages.
	Access *access.Gate
	// Keys makes and changes keys, and tells what was used; nil does not.
	Keys *keyapi.API
	// Hosts gives further names of this machine, where there are no keys. It is called once a page.
	Hosts func() []string
	// Reports are those of requests, of which the figures are made.
	Reports Reports
	// Traces have what was said in requests; without them requests are listed by their reports.
	Traces trace.LogReader
	// Replayer plays what is in Traces again; without it there is no button for that.
	Replayer Replayer
	// Bundler makes evidence bundles of what is in Traces; without it there is no link to them.
	Bundler Bundler
	// Models are listed with what is known of them, and Facts changes that.
	Models Models
	Facts  Facts
	// Runs are those of agents, and RunCommand the command line that continues with one where its id follows --resume.
	Runs       Runs
	RunCommand string
	// Evals are runs of the evaluation harness.
	Evals Evals
	// Probes are the cards of models that were probed.
	Probes Probes
	// Explainer says what would be sent for a request.
	Explainer Explainer
	// Health returns what is wrong. It is called once a page.
	Health func() *health.Status
	// Running returns the requests that are being answered. It is called once a page.
	Running func() progress.Listing
	// Now is the clock; nil is that of the machine.
	Now func() time.Time
	// Logger is told of pages that could not be made; nil logs nothing.
	Logger *slog.Logger
}

// Reports lists reports, as archive.Reports does. It is called concurrently, a few times a page.
type Reports interface {
	List(ctx context.Context, q archive.Query) ([]*archive.Report, error)
}

// Models says which models there are. Both methods are called concurrently, All once a page, One for each model that is
// shown and not listed.
type Models interface {
	// All returns all models that are listed, with what is known of them without asking their providers.
	All(ctx context.Context) []Model
	// One returns a model that is asked for by its name. It need not be listed; its Problem says why it cannot be
	// asked.
	One(ctx context.Context, name callwright.ModelID) Model
}

// Facts changes what is known of models, for keys with access.Admin. It is called concurrently.
type Facts interface {
	// Learn keeps a fact: an override that an operator sets. One that has ended already takes the place of the one
	// before.
	Learn(ctx context.Context, model callwright.ModelID, f caps.Fact) error
	// Forget drops the facts of a key that were found, or all of them where the key is empty.
	Forget(ctx context.Context, model callwright.ModelID, key string) error
}

// A Model is what is known of a model.
type Model = modellist.Model

//go:embed templates static
var files embed.FS

// A server answers for the pages.
type server struct {
	Config
	mux      *http.ServeMux
	pages    func() map[string]*htmltemplate.Set // parsed for the first page: most gateways show none
	static   *static.Files
	secret   [32]byte // of the tokens
	sessions guard.Sessions
	logins   guard.Throttle
	figures  figureCache
	runs     *runlist.List  // nil without Runs
	evals    *evallist.List // nil without Evals
	hosts    guard.Hosts
}

// New returns the handler of everything below Root.
func New(cfg Config) http.Handler {
	s := &server{Config: cfg, mux: http.NewServeMux(), static: staticFiles(), hosts: guard.OwnHosts(cfg.Hosts)}
	s.pages = sync.OnceValue(func() map[string]*htmltemplate.Set { return parsePages(s.static) })
	_, _ = rand.Read(s.secret[:]) // it never fails
	if s.Now == nil {
		s.Now = time.Now
	}
	if s.Logger == nil {
		s.Logger = slog.New(slog.DiscardHandler)
	}
	if s.Runs != nil {
		s.runs = runlist.New(s.Runs)
	}
	if s.Evals != nil {
		s.evals = evallist.New(s.Evals, Root+"trials/")
	}
	s.mux.HandleFunc("GET "+Root+"static/{name}", func(w http.ResponseWriter, r *http.Request) {
		if !s.static.Serve(w, r.PathValue("name")) {
			s.problem(w, r, http.StatusNotFound, "There is no such file.")
		}
	})
	s.mux.HandleFunc("GET "+Root+"report.css", sheet(report.FragmentStyle()))
	s.mux.HandleFunc("GET "+Root+"probe.css", sheet(probe.FragmentStyle()))
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
	{"POST " + Root + "traces/{id}/replay", access.UI, (*server).replay},
	{"GET " + Root + "traces/{id}/bundle", access.UI, (*server).bundle},
	{"GET " + Root + "running", access.UI, (*server).listRunning},
	{"GET " + Root + "models", access.UI, (*server).models},
	{"GET " + Root + "models/{name...}", access.UI, (*server).model},
	{"POST " + Root + "facts", access.Admin, (*server).changeFacts},
	{"GET " + Root + "probes/{name...}", access.UI, (*server).probe},
	{"GET " + Root + "runs", access.UI, (*server).listRuns},
	{"GET " + Root + "runs/{id}", access.UI, (*server).run},
	{"POST " + Root + "runs/{id}", access.Admin, (*server).decide},
	{"GET " + Root + "evals", access.UI, (*server).listEvals},
	{"GET " + Root + "evals/{name...}", access.UI, (*server).eval},
	{"GET " + Root + "trials/{run}/{trial}", access.UI, (*server).trial},
	{"GET " + Root + "keys", access.UI, (*server).keys},
	{"POST " + Root + "keys", access.Admin, (*server).changeKeys},
	{"GET " + Root + "keys/usage.csv", access.UI, (*server).usageCSV},
	{"GET " + Root + "playground", access.UI, (*server).playground},
	{"POST " + Root + "playground", access.UI, (*server).playground},
	{"GET " + Root + "explain", access.UI, (*server).explain},
	{"POST " + Root + "explain", access.UI, (*server).explain},
	{"POST " + Root + "logout", access.UI, (*server).logout},
}

// policy lets a page have the scripts, the style sheets and the pictures of this server, and ask it and send forms to
// it, and nothing else.
const policy = "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; img-src 'self' data:; form-action 'self'; frame-ancestors 'none'; base-uri 'none'"

// ServeHTTP answers one request.
func (s *server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	h.Set("Content-Security-Policy", policy)
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Referrer-Policy", "same-origin") // with none at all, browsers do not say where a form comes from
	h.Set("Cross-Origin-Opener-Policy", "same-origin")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
	h.Set("Cache-Control", "no-store")
	if s.open() && !s.hosts.Own(r.Host) {
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
	reload bool           // a browser without scripts loads the page anew every few seconds
}

// may reports whether the visitor may do something.
func (v *visit) may(verb access.Verb) bool { return v.caller == nil || v.caller.Can(verb) }

// name is that of the visitor's key, empty where nobody needs one.
func (v *visit) name() string {
	if v.caller == nil {
		return ""
	}
	return v.caller.Name
}

// page lets visitors through to a page who may see it, and requests that change something only from pages of ours.
func (s *server) page(p *page) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		v, ok := s.visitor(w, r)
		switch {
		case !ok && r.Method != http.MethodPost && !partOfPage(r):
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
	Reload      bool
	Body        any
}

// show writes a page. Here is its place in the navigation.
func (s *server) show(w http.ResponseWriter, v *visit, status int, name, title string, body any) {
	out := view{Title: title, Here: name, Token: s.token(v.id), Now: s.Now(), Body: body, Admin: v.may(access.Admin), Reload: v.reload}
	if v.caller != nil && !s.open() {
		out.User, out.LoggedIn = cmp.Or(v.caller.Name, "a key"), true
	}
	s.write(w, status, name, &out)
}

func (s *server) write(w http.ResponseWriter, status int, name string, v *view) {
	var b bytes.Buffer
	if err := s.pages()[name].Execute(&b, "layout", v); err != nil {
		s.Logger.Error("a page could not be made", "page", name, "error", err)
		http.Error(w, "the page could not be made", http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.WriteHeader(status)
	_, _ = w.Write(b.Bytes())
}

// partOfPage reports whether a script asks, for a part of the page that it keeps up to date.
func partOfPage(r *http.Request) bool { return r.Header.Get("HX-Request") != "" }

// problem answers with a page that says what is wrong. A script has the browser load that.
func (s *server) problem(w http.ResponseWriter, r *http.Request, status int, text string) {
	if partOfPage(r) {
		w.Header().Set("HX-Refresh", "true")
	}
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
	case callwright.KindConflict:
		status = http.StatusConflict
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

// staticFiles are the scripts, the style sheets and the pictures of the pages.
func staticFiles() *static.Files {
	s, err := static.New(files, Root+"static/")
	if err != nil {
		panic("dashboard: " + err.Error()) // what is embedded can be read
	}
	return s
}

// sheet answers with a style sheet.
func sheet(text string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/css; charset=utf-8")
		_, _ = w.Write([]byte(text))
	}
}

// parsePages parses each page with the layout around it.
func parsePages(static *static.Files) map[string]*htmltemplate.Set {
	layout := readTemplate("layout")
	all := maps.Clone(functions)
	all["static"] = static.Path
	names, err := fs.Glob(files, "templates/*.html")
	if err != nil {
		panic("dashboard: " + err.Error()) // the pattern is valid
	}
	out := map[string]*htmltemplate.Set{}
	for _, file := range names {
		name := strings.TrimSuffix(path.Base(file), ".html")
		if name != layout.Name {
			out[name] = htmltemplate.MustParse(all, methods, layout, readTemplate(name))
		}
	}
	return out
}

func readTemplate(name string) htmltemplate.Text {
	text, err := files.ReadFile("templates/" + name + ".html")
	if err != nil {
		panic("dashboard: " + err.Error()) // what is embedded can be read
	}
	return htmltemplate.Text{Name: name, Source: string(text)}
}
