package trace

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/jsonx"
)

// Received is the data of an entry of [KindReceived]: the provider's HTTP response to one sent body.
type Received struct {
	Provider string
	Wire     callwright.WireName
	Status   int               // HTTP status; 0 if there was no response
	Sent     map[string]string // request headers without secrets
	Header   http.Header       // response headers about encoding, limits, retries and ids; others are not recorded
	Body     []byte            // as far as it was received and recorded
	Size     int64             // size of the received body in bytes, which may exceed len(Body)
	// Broken is the error that ended the connection before the end of the response. Late means that the error was a
	// timeout.
	Broken string
	Late   bool
	// Skipped, if not 0, is how long the model is skipped after an earlier failure of that Kind. Nothing was sent then.
	Skipped time.Duration
	Kind    callwright.Kind
	// Withheld means that the response is about the API key. Its body is omitted because it may contain a part of the key.
	Withheld bool
}

// receivedForm is the JSON form of Received.
type receivedForm struct {
	Provider string              `json:"provider,omitempty"`
	Wire     callwright.WireName `json:"wire,omitempty"`
	Status   int                 `json:"status,omitempty"`
	Sent     map[string]string   `json:"sent_header,omitempty"`
	Header   map[string]string   `json:"header,omitempty"`
	Text     string              `json:"text,omitempty"`
	Base64   []byte              `json:"base64,omitempty"` // in place of a text that is not UTF-8
	Size     int64               `json:"size,omitempty"`   // if Text is incomplete
	Broken   string              `json:"broken,omitempty"`
	Late     bool                `json:"late,omitempty"`
	Withheld bool                `json:"withheld,omitempty"`
	Skipped  time.Duration       `json:"skipped_ns,omitempty"`
	Kind     callwright.Kind     `json:"kind,omitempty"` // kind of the failure that caused the skip
}

// ProviderAnswer decodes the provider's response from an entry of KindReceived.
func (e *Entry) ProviderAnswer() (*Received, error) {
	var f receivedForm
	dec := json.NewDecoder(bytes.NewReader(e.Data))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&f); err != nil {
		return nil, &callwright.Error{Op: opRead, Kind: callwright.KindInvalid, Message: "entry " + seqOf(e), Err: err}
	}
	r := &Received{
		Provider: f.Provider, Wire: f.Wire, Status: f.Status, Sent: f.Sent, Header: http.Header{}, Body: f.Base64,
		Broken: f.Broken, Late: f.Late, Withheld: f.Withheld,
		Skipped: f.Skipped, Kind: f.Kind,
	}
	if f.Text != "" {
		r.Body = []byte(f.Text)
	}
	r.Size = max(f.Size, int64(len(r.Body)))
	for name, value := range f.Header {
		r.Header.Set(name, value)
	}
	return r, nil
}

// data returns the JSON form. If redacted, it has the size of the body in place of the body.
func (r *Received) data(redacted bool) json.RawMessage {
	f := receivedForm{Provider: r.Provider, Wire: r.Wire, Status: r.Status, Sent: r.Sent, Broken: r.Broken, Late: r.Late,
		Withheld: r.Withheld, Skipped: r.Skipped, Kind: r.Kind}
	for name, values := range r.Header {
		if f.Header == nil {
			f.Header = map[string]string{}
		}
		f.Header[name] = strings.Join(values, ", ")
	}
	switch {
	case redacted:
		f.Size, f.Broken = r.Size, textSize(r.Broken)
	case utf8.Valid(r.Body):
		f.Text = string(r.Body)
	default:
		f.Base64 = r.Body
	}
	if r.Size > int64(len(r.Body)) {
		f.Size = r.Size
	}
	b, _ := jsonx.Marshal(f) // cannot fail: only strings and numbers
	return b
}

// Data returns the data for an entry of [KindReceived].
func (r *Received) Data() json.RawMessage { return r.data(false) }

// Whole reports whether the response was received and recorded completely.
func (r *Received) Whole() bool {
	return r.Status != 0 && r.Broken == "" && !r.Withheld && r.Size <= int64(len(r.Body))
}

// Response returns the HTTP response to req as a transport does: with the recorded body, and the recorded error at its
// end. If there was no response, it returns that error. A withheld response has status 401.
func (r *Received) Response(req *http.Request) (*http.Response, error) {
	if req.Body != nil {
		_, _ = io.Copy(io.Discard, req.Body)
		_ = req.Body.Close()
	}
	if r.Status == 0 {
		return nil, r.failure()
	}
	status := r.Status
	if r.Withheld {
		status = http.StatusUnauthorized
	}
	body := io.Reader(bytes.NewReader(r.Body))
	if !r.Whole() && !r.Withheld {
		body = io.MultiReader(body, breaks{r.failure()})
	}
	return &http.Response{
		Status: http.StatusText(status), StatusCode: status, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		Header: r.Header.Clone(), Request: req,
		ContentLength: -1, Body: io.NopCloser(body),
	}, nil
}

func (r *Received) failure() error {
	switch {
	case r.Late:
		return late{r.Broken}
	case r.Broken != "":
		return errors.New(r.Broken)
	}
	return errNotKept
}

// errNotKept is the read error of a body that was not recorded completely.
var errNotKept = errors.New("the rest was not recorded")

// breaks is an io.Reader that returns err.
type breaks struct{ err error }

func (b breaks) Read([]byte) (int, error) { return 0, b.err }

// late is a timeout error.
type late struct{ text string }

func (l late) Error() string { return l.text }

// Timeout implements net.Error.
func (late) Timeout() bool { return true }

// Temporary implements net.Error.
func (late) Temporary() bool { return true }

// recordedMembers are the response headers that are recorded: about encoding, retries and request ids. recordedPrefixes
// are prefixes of further ones.
var (
	recordedMembers = map[string]bool{
		"Content-Type": true, "Date": true, "Retry-After": true, "Retry-After-Ms": true, "X-Should-Retry": true,
		"X-Request-Id": true, "Request-Id": true,
	}
	recordedPrefixes = []string{"X-Ratelimit-", "Anthropic-Ratelimit-"}
)

// recordedHeader returns the recorded headers of a response. An error response gets a Date if it has none, because its
// Retry-After may be relative to it.
func recordedHeader(h http.Header, status int, now time.Time) http.Header {
	out := http.Header{}
	for name, values := range h {
		keep := recordedMembers[name]
		for _, p := range recordedPrefixes {
			keep = keep || strings.HasPrefix(name, p)
		}
		if keep {
			out[name] = values
		}
	}
	switch {
	case status/100 == 2:
		out.Del("Date")
	case out.Get("Date") == "":
		out.Set("Date", now.UTC().Format(http.TimeFormat))
	}
	return out
}
