package keyapi

import (
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/access"
	"github.com/callwright/callwright/internal/keyring"
	"github.com/callwright/callwright/internal/ledger"
	"github.com/callwright/callwright/internal/openapi"
	"github.com/callwright/callwright/schema"
)

// An API serves the administration of keys over HTTP. All fields are required.
type API struct {
	Gate *access.Gate
	Ring *keyring.Ring
	Book *ledger.Book
}

// A Handler answers a request of a caller. It returns a [*callwright.Error] for a request that it rejects.
type Handler func(w http.ResponseWriter, r *http.Request, c *access.Caller) error

// A route is an operation with its handler. The path has the syntax of http.ServeMux patterns, without a method.
type route struct {
	openapi.Operation
	serve func(a *API, w http.ResponseWriter, r *http.Request, in *request) error
}

// A request is a request of a caller with its body, which is valid by the schema of the operation. body is nil for an
// operation without a body.
type request struct {
	caller *access.Caller
	body   []byte
}

// Handlers returns a handler for each path of Operations. A handler answers a method that its path lacks with status
// 405.
func (a *API) Handlers() map[string]Handler {
	byPath := map[string][]route{}
	for _, rt := range routes {
		byPath[rt.Path] = append(byPath[rt.Path], rt)
	}
	out := map[string]Handler{}
	for path, here := range byPath {
		out[path] = func(w http.ResponseWriter, r *http.Request, c *access.Caller) error {
			method := r.Method
			if method == http.MethodHead {
				method = http.MethodGet
			}
			for i := range here {
				rt := &here[i]
				if rt.Method != method {
					continue
				}
				text, err := rt.read(w, r)
				if err != nil {
					return err
				}
				return rt.serve(a, w, r, &request{c, text})
			}
			return Refuse(w, r, methodsOf(here)...)
		}
	}
	return out
}

func methodsOf(routes []route) (out []string) {
	for _, rt := range routes {
		out = append(out, rt.Method)
	}
	return out
}

// Refuse returns an error with status 405 for a request whose path lacks its method. It sets the header Allow to
// methods.
func Refuse(w http.ResponseWriter, r *http.Request, methods ...string) error {
	slices.Sort(methods)
	allowed := strings.Join(methods, ", ")
	w.Header().Set("Allow", allowed)
	return &callwright.Error{Kind: callwright.KindInvalid, Status: http.StatusMethodNotAllowed,
		Message: "expected " + allowed + ", got " + r.Method}
}

// maxBody is the maximum size of a request body in bytes.
const maxBody = 1 << 20

// bodySchemas returns the compiled schemas of request bodies, by operation id.
var bodySchemas = sync.OnceValue(func() map[string]*schema.Schema {
	out := map[string]*schema.Schema{}
	types := &openapi.Types{Enums: Enums(), Refine: Refine}
	for i := range routes {
		of := routes[i].BodySchema(types)
		if of == nil {
			continue
		}
		raw, err := json.Marshal(of)
		if err == nil {
			out[routes[i].ID], err = schema.Compile(raw)
		}
		if err != nil {
			panic("keyapi: the schema of " + routes[i].ID + ": " + err.Error()) // the table of routes is invalid
		}
	}
	return out
})

// read reads the body of a request and validates it by the schema of the operation. It returns nil for an operation
// without a body.
func (rt *route) read(w http.ResponseWriter, r *http.Request) ([]byte, error) {
	if rt.Body == nil {
		return nil, nil
	}
	text, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
	if large := (*http.MaxBytesError)(nil); errors.As(err, &large) {
		return nil, callwright.Errorf("", callwright.KindTooLarge, "", "expected a body of at most %d bytes", maxBody)
	}
	if err != nil {
		return nil, callwright.Errorf("", callwright.KindInvalid, "", "the body is incomplete: %v", err)
	}
	if len(text) == 0 && rt.BodyOptional {
		return []byte("{}"), nil
	}
	var doc any
	if json.Unmarshal(text, &doc) != nil {
		return nil, callwright.Errorf("", callwright.KindInvalid, "", "expected one JSON object in the body")
	}
	for _, v := range bodySchemas()[rt.ID].Validate(text) {
		return nil, callwright.Errorf("", callwright.KindInvalid, v.Path, "%s", callwright.Excerpt(v.Message))
	}
	return json.Marshal(doc) // converts an integer such as 5.0 to 5
}

// answer writes a response with a status and a value as JSON.
func answer(w http.ResponseWriter, status int, v any) error {
	text, err := json.Marshal(v)
	if err != nil {
		return err
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_, _ = w.Write(append(text, '\n'))
	return nil
}
