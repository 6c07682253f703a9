package gateway

import (
	"errors"
	"io"
	"mime"
	"net/http"
	"os"
	"strconv"
	"time"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/internal/pool"
)

// readPooledJSON reads a JSON request body within the limits. If Config.Reuse.Bodies is set, its memory returns to the
// pool when the request has ended.
func (s *Server) readPooledJSON(x *exchange, r *http.Request) ([]byte, error) {
	l, err := s.borrowJSON(x, r)
	if err != nil {
		return nil, err
	}
	if s.cfg.Reuse.Bodies {
		x.body = l
	}
	return l.Bytes, nil
}

// readJSON reads a JSON request body within the limits into memory that is not reused.
func (s *Server) readJSON(x *exchange, r *http.Request) ([]byte, error) {
	l, err := s.borrowJSON(x, r)
	if err != nil {
		return nil, err
	}
	return l.Bytes, nil
}

// borrowJSON reads a JSON request body within the limits into pooled memory. The caller may return the memory to the
// pool or keep it.
func (s *Server) borrowJSON(x *exchange, r *http.Request) (*pool.Loan, error) {
	ct := r.Header.Get("Content-Type")
	kind := mediaType(ct)
	if kind != mediaJSON && kind != mediaForm {
		return nil, notJSON(ct)
	}
	l, err := s.borrowBody(x, r)
	if err != nil {
		return nil, err
	}
	x.request = l.Bytes
	if kind == mediaForm && !jsonx.IsObject(jsonx.Trim(l.Bytes)) {
		return nil, notJSON(ct)
	}
	if err := x.settings.limits.check(l.Bytes); err != nil {
		return nil, err
	}
	return l, nil
}

// maxInitialBody is the maximum number of bytes allocated for the Content-Length of a request before its body arrives.
const maxInitialBody = 64 << 10

// borrowBody reads a request body up to the size limit into pooled memory. The read deadline is Config.Patience, if the
// connection supports deadlines.
func (s *Server) borrowBody(x *exchange, r *http.Request) (*pool.Loan, error) {
	most := x.settings.limits.Body
	if r.ContentLength > most {
		return nil, tooLarge(most)
	}
	rc := http.NewResponseController(x)
	_ = rc.SetReadDeadline(time.Now().Add(s.cfg.Patience))
	body := pool.Borrow(int(min(max(r.ContentLength+1, 0), maxInitialBody))) // one byte more to detect the end
	_, err := body.ReadAll(http.MaxBytesReader(nil, r.Body, most), r.ContentLength)
	var over *http.MaxBytesError
	switch {
	case errors.As(err, &over):
		return nil, tooLarge(most)
	case errors.Is(err, os.ErrDeadlineExceeded):
		return nil, &callwright.Error{Kind: callwright.KindInvalid, Status: http.StatusRequestTimeout,
			Message: "the body was not complete within " + s.cfg.Patience.String()}
	case errors.Is(err, io.ErrUnexpectedEOF):
		return nil, &callwright.Error{Kind: callwright.KindInvalid, Message: "the body ended before it was complete"}
	case err != nil:
		return nil, &callwright.Error{Kind: callwright.KindCanceled, Err: err}
	}
	_ = rc.SetReadDeadline(time.Time{})
	return body, nil
}

// The accepted media types of a request body. curl and other clients send mediaForm by default, whatever the body is.
const (
	mediaJSON = "application/json"
	mediaForm = "application/x-www-form-urlencoded"
)

// mediaType returns the media type in a Content-Type header without its parameters. An empty header means JSON. A
// header that cannot be parsed is returned unchanged.
func mediaType(header string) string {
	if header == "" || header == mediaJSON {
		return mediaJSON
	}
	kind, _, err := mime.ParseMediaType(header)
	if err != nil {
		return header
	}
	return kind
}

func notJSON(said string) error {
	return &callwright.Error{Kind: callwright.KindMediaType,
		Message: "expected content type application/json, got " + strconv.Quote(callwright.Excerpt(said))}
}

func tooLarge(limit int64) *callwright.Error {
	return &callwright.Error{Kind: callwright.KindTooLarge, Message: "the body is larger than " + strconv.FormatInt(limit, 10) + " bytes"}
}
