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

// Root is the URL path of the dashboard. All its pages are below it.
const Root = "/ui/"

// A Config has the data sources of the pages. Every field is optional.
type Config struct {
	// Access has the keys and their usage. If nil, the pages need no login.
	Access *access.Gate
	// Keys creates and changes keys, and lists their usage. If nil, the pages cannot do so.
	Keys *keyapi.API
	// Hosts returns additional accepted host names, for a gateway without keys. It is called once per request.
	Hosts func() []string
	// Reports lists the reports of requests, from which the metrics are computed.
	Reports Reports
	// Traces has the contents of requests. If nil, requests are listed by their reports.
	Traces trace.LogReader
	// Replayer replays requests of Traces. If nil, the pages have no button for it.
	Replayer Replayer
	// Bundler makes evidence bundles of requests of Traces. If nil, the pages have no link to them.
	Bundler Bundler
	// Models lists the models with their known facts. Facts changes these facts.
	Models Models
	Facts  Facts
	// Runs are the runs of agents. RunCommand is the command line that continues a run, without its last arguments:
	// --resume and the id of the run.
	Runs       Runs
	RunCommand string
	// Evals are the evaluation runs.
	Evals Evals
	// Probes returns the results of capability probes of models.
	Probes Probes
	// Explainer returns the request that the gateway would send for a client's request.
	Explainer Explainer
	// Health returns the problems of the gateway. It is called once per page.
	Health func() *health.Status
	// Running returns the requests in progress. It is called once per page.
	Running func() progress.Listing
	// Now returns the current time; nil means time.Now.
	Now func() time.Time
	// Logger logs pages that could not be rendered; nil disables logging.
	Logger *slog.Logger
}

// Reports lists reports like archive.Reports. It is called concurrently, a few times per page.
type Reports interface {
	List(ctx context.Context, q archive.Query) ([]*archive.Report, error)
}

// Models returns models. Its methods are called concurrently: All once per page, One for each shown model that is not
// in the list.
type Models interface {
	// All returns all models of the list with their known facts, without a request to their providers.
	All(ctx context.Context) []Model
	// One returns the model with a name, which need not be in the list. If no request can be sent to it, its Problem has
	// the reason.
	One(ctx context.Context, name callwright.ModelID) Model
}

// Facts changes the facts about models, for keys with access.Admin. It is called concurrently.
type Facts interface {
	// Learn stores a fact, such as an override by an operator. An override that has already expired removes the stored
	// one.
	Learn(ctx context.Context, model callwright.ModelID, f caps.Fact) error
	// Forget removes the learned and probed facts with a key, or all of them if key is empty.
	Forget(ctx context.Context, model callwright.ModelID, key string) error
}

// A Model is a model with its known facts.
type Model = modellist.Model

//go:embed templates static
var files embed.FS

// A server is the http.Handler of the pages.
type server struct {
	Config
	mux      *http.ServeMux
	pages    func() map[string]*htmltemplate.Set // parsed for the first page, since most gateways never show one
	static   *static.Files
	secret   [32]byte // key of the form tokens
	sessions guard.Sessions
	logins   guard.Throttle
	figures  figureCache
	runs     *runlist.List  // nil if Config.Runs is nil
	evals    *evallist.List // nil if Config.Evals is nil
	hosts    guard.Hosts
}

// New returns the handler of all paths below Root.
func New(cfg Config) http.Handler {
	s := &server{Config: cfg, mux: http.NewServeMux(), static: staticFiles(), hosts: guard.OwnHosts(cfg.Hosts)}
	s.pages = sync.OnceValue(func() map[string]*htmltemplate.Set { return parsePages(s.static) })
	_, _ = rand.Read(s.secret[:]) // never fails
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

// A page is a handler with its pattern and the access verb that a key needs for it.
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

// policy is the content security policy of all pages. It only allows scripts, style sheets, images, connections and
// forms of this server.
const policy = "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; img-src 'self' data:; form-action 'self'; frame-ancestors 'none'; base-uri 'none'"

// ServeHTTP serves one request.
func (s *server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	h.Set("Content-Security-Policy", policy)
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Referrer-Policy", "same-origin") // without a referrer, browsers omit the origin of forms
	h.Set("Cross-Origin-Opener-Policy", "same-origin")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
	h.Set("Cache-Control", "no-store")
	if s.open() && !s.hosts.Own(r.Host) {
		http.Error(w, "without keys, these pages answer only to host names of this machine: add this host name to hosts, or configure keys",
			http.StatusForbidden)
		return
	}
	r.Body = http.MaxBytesReader(w, r.Body, maxForm)
	s.mux.ServeHTTP(w, r)
}

// maxForm is the maximum size of a request body in bytes.
const maxForm = 1 << 20

// A visit is a request of an authenticated visitor.
type visit struct {
	*http.Request
	caller *access.Caller // nil if Config.Access is nil
	id     string         // id of the session, or of a browser without a session
	reload bool           // a browser without scripts reloads the page every few seconds
}

// may reports whether the visitor's key has an access verb.
func (v *visit) may(verb access.Verb) bool { return v.caller == nil || v.caller.Can(verb) }

// name returns the name of the visitor's key, "" if no key is needed.
func (v *visit) name() string {
	if v.caller == nil {
		return ""
	}
	return v.caller.Name
}

// page returns the handler of a page. It checks the login, the verb of the visitor's key, and that a POST request comes
// from a page of this server.
func (s *server) page(p *page) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		v, ok := s.visitor(w, r)
		switch {
		case !ok && r.Method != http.MethodPost && !partOfPage(r):
			http.Redirect(w, r, loginPath(r), http.StatusSeeOther)
		case !ok:
			s.problem(w, r, http.StatusUnauthorized, "Your session has ended. Log in and send the form again.")
		case !v.may(p.verb):
			s.problem(w, r, http.StatusForbidden, "Your key does not allow this: it lacks the verb "+string(p.verb)+".")
		case r.Method == http.MethodPost && !s.genuine(w, v.Request, v.id):
		default:
			p.serve(s, w, v)
		}
	}
}

// A view is the data of a page template.
type view struct {
	Title, Here string
	User        string // name of the visitor's key, "" if no key is needed
	LoggedIn    bool
	Admin       bool   // the visitor's key has the verb admin
	Token       string // CSRF token for forms
	Now         time.Time
	Reload      bool // without JavaScript, the browser reloads the page every 5 s
	Body        any
}

// show writes a page. name is the name of its template and of its entry in the navigation.
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
		s.Logger.Error("page not rendered", "page", name, "error", err)
		http.Error(w, "the page could not be rendered", http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.WriteHeader(status)
	_, _ = w.Write(b.Bytes())
}

// partOfPage reports whether a script requests an update of a part of its page.
func partOfPage(r *http.Request) bool { return r.Header.Get("HX-Request") != "" }

// problem writes a page with an error message. If a script sent the request, it makes the browser reload the page.
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

// writeErrorPage writes an error page with the HTTP status for the kind of err.
func (s *server) writeErrorPage(w http.ResponseWriter, r *http.Request, err error) {
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

// sourceTime is the maximum time of the data sources of a page.
const sourceTime = 10 * time.Second

func withSourceTimeout(r *http.Request) (context.Context, context.CancelFunc) {
	return context.WithTimeout(r.Context(), sourceTime)
}

// staticFiles returns the scripts, style sheets and images of the pages.
func staticFiles() *static.Files {
	s, err := static.New(files, Root+"static/")
	if err != nil {
		panic("dashboard: " + err.Error()) // embedded files can be read
	}
	return s
}

// sheet returns a handler that writes a style sheet.
func sheet(text string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/css; charset=utf-8")
		_, _ = w.Write([]byte(text))
	}
}

// parsePages parses the template of each page together with the layout. The keys of the result are the page names.
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
		panic("dashboard: " + err.Error()) // embedded files can be read
	}
	return htmltemplate.Text{Name: name, Source: string(text)}
}
