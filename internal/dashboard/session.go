package dashboard

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/callwright/callwright/internal/access"
	"github.com/callwright/callwright/internal/dashboard/internal/guard"
	"github.com/callwright/callwright/internal/dashboard/internal/humane"
)

// Settings of sessions.
const (
	cookieName = "callwright_session"
	maxKey     = 4096 // maximum length of a key in bytes
)

// open reports whether no key is required.
func (s *server) open() bool { return s.Access == nil || s.Access.Open() }

// newID returns a random id of 256 bits.
func newID() string {
	var raw [32]byte
	_, _ = rand.Read(raw[:]) // never fails
	return base64.RawURLEncoding.EncodeToString(raw[:])
}

// idOf returns the id in the browser's cookie. It sets a cookie with a new id if there is none.
func idOf(w http.ResponseWriter, r *http.Request) string {
	if c, err := r.Cookie(cookieName); err == nil && len(c.Value) == base64.RawURLEncoding.EncodedLen(32) {
		return c.Value
	}
	id := newID()
	setCookie(w, r, id)
	r.AddCookie(&http.Cookie{Name: cookieName, Value: id}) // so that later calls for this request find it
	return id
}

func setCookie(w http.ResponseWriter, r *http.Request, id string) {
	http.SetCookie(w, &http.Cookie{
		Name: cookieName, Value: id, Path: Root, MaxAge: int(guard.SessionTime / time.Second), HttpOnly: true,
		Secure: r.TLS != nil, SameSite: http.SameSiteStrictMode,
	})
}

// visitor returns the visitor of a request. ok is false if a key is required and the browser has no session with a
// valid key.
func (s *server) visitor(w http.ResponseWriter, r *http.Request) (*visit, bool) {
	id := idOf(w, r)
	switch {
	case s.Access == nil:
		return &visit{Request: r, id: id}, true
	case s.open():
		return &visit{Request: r, caller: s.Access.Anybody(), id: id}, true
	}
	key := s.sessions.Key(id, s.Now())
	if key == nil {
		return nil, false
	}
	caller, err := s.Access.Find([][]byte{key})
	if err != nil || !caller.Can(access.UI) {
		s.sessions.End(id)
		return nil, false
	}
	return &visit{Request: r, caller: caller, id: id}, true
}

// token returns the CSRF token of a session or browser id, which its forms must contain.
func (s *server) token(id string) string {
	mac := hmac.New(sha256.New, s.secret[:])
	_, _ = mac.Write([]byte(id))
	return base64.RawURLEncoding.EncodeToString(mac.Sum(nil))
}

// genuine reports whether a form was sent by a page of this server. If not, it writes an error page.
func (s *server) genuine(w http.ResponseWriter, r *http.Request, id string) bool {
	if !guard.SameOrigin(r) {
		s.problem(w, r, http.StatusForbidden, "The form was sent by a page of another site.")
		return false
	}
	if err := r.ParseForm(); err != nil {
		if large := (*http.MaxBytesError)(nil); errors.As(err, &large) {
			s.problem(w, r, http.StatusRequestEntityTooLarge, "The form is larger than 1 MiB.")
		} else {
			s.problem(w, r, http.StatusBadRequest, "The form cannot be read.")
		}
		return false
	}
	if !hmac.Equal([]byte(r.PostForm.Get("token")), []byte(s.token(id))) {
		s.problem(w, r, http.StatusForbidden, "The form is out of date. Reload its page and send it again.")
		return false
	}
	return true
}

// loginPath returns the path of the login page, with the requested page as the target after the login.
func loginPath(r *http.Request) string {
	return Root + "login?" + url.Values{"next": {r.URL.RequestURI()}}.Encode()
}

// next returns the path to which a login leads: the path to if it is below Root, otherwise Root.
func next(to string) string {
	if u, err := url.Parse(to); err == nil && u.Scheme == "" && u.Host == "" && strings.HasPrefix(to, Root) &&
		!strings.ContainsAny(to, "\\\r\n") {
		return to
	}
	return Root
}

// A loginPage is the content of the login page.
type loginPage struct{ Next, Problem string }

func (s *server) showLogin(w http.ResponseWriter, r *http.Request) {
	to := next(r.URL.Query().Get("next"))
	if _, ok := s.visitor(w, r); ok {
		http.Redirect(w, r, to, http.StatusSeeOther)
		return
	}
	s.loginForm(w, r, http.StatusOK, loginPage{Next: to})
}

func (s *server) loginForm(w http.ResponseWriter, r *http.Request, status int, p loginPage) {
	s.write(w, status, "login", &view{Title: "Log in", Here: "login", Token: s.token(idOf(w, r)), Now: s.Now(), Body: p})
}

func (s *server) login(w http.ResponseWriter, r *http.Request) {
	if !s.genuine(w, r, idOf(w, r)) {
		return
	}
	to := next(r.PostForm.Get("next"))
	if s.open() {
		http.Redirect(w, r, to, http.StatusSeeOther)
		return
	}
	if wait := s.logins.Wait(r.RemoteAddr, s.Now()); wait > 0 {
		seconds := int((wait + time.Second - 1) / time.Second)
		w.Header().Set("Retry-After", strconv.Itoa(seconds))
		s.loginForm(w, r, http.StatusTooManyRequests,
			loginPage{to, "Too many logins from your address failed. Try again in " + humane.Plural(seconds, "second", "seconds") + "."})
		return
	}
	key := strings.TrimSpace(r.PostForm.Get("key"))
	if len(key) > maxKey {
		key = ""
	}
	caller, err := s.Access.Find([][]byte{[]byte(key)})
	if err != nil || key == "" {
		s.logins.Fail(r.RemoteAddr, s.Now())
		s.loginForm(w, r, http.StatusUnauthorized, loginPage{to, "The key is unknown or has expired."})
		return
	}
	if !caller.Can(access.UI) {
		s.loginForm(w, r, http.StatusForbidden, loginPage{to, "This key does not allow these pages: it lacks the verb ui."})
		return
	}
	s.logins.Succeed(r.RemoteAddr)
	s.sessions.End(idOf(w, r))
	id := newID()
	s.sessions.Add(id, []byte(key), s.Now())
	setCookie(w, r, id)
	http.Redirect(w, r, to, http.StatusSeeOther)
}

func (s *server) logout(w http.ResponseWriter, v *visit) {
	s.sessions.End(v.id)
	setCookie(w, v.Request, newID())
	http.Redirect(w, v.Request, Root, http.StatusSeeOther)
}
