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

// Received is a provider's answer to one body: the data of an entry of [KindReceived].
type Received struct {
	Provider string
	Wire     callwright.WireName
	Status   int               // 0: there was no answer
	Sent     map[string]string // what in the header of the request to it holds no secret
	Header   http.Header       // what in its header says how the body is read and when to ask again; nothing else is recorded
	Body     []byte            // as far as it came and was kept
	Size     int64             // of the body that came, where that is more than Body has
	// Broken is the error with which the connection ended, before the answer or within it. Late says that nothing came
	// for too long.
	Broken string
	Late   bool
	// Skipped is the time for which the model was not asked, because of an earlier failure of that Kind; 0 where it was
	// asked.
	Skipped time.Duration
	Kind    callwright.Kind
	// Withheld says that the answer is about the key. Its body, which may show a part of the key, is left out.
	Withheld bool
}

// receivedForm is how it stands in an entry.
type receivedForm struct {
	Provider string              `json:"provider,omitempty"`
	Wire     callwright.WireName `json:"wire,omitempty"`
	Status   int                 `json:"status,omitempty"`
	Sent     map[string]string   `json:"sent_header,omitempty"`
	Header   map[string]string   `json:"header,omitempty"`
	Text     string              `json:"text,omitempty"`
	Base64   []byte              `json:"base64,omitempty"` // in place of a text that is not UTF-8
	Size     int64               `json:"size,omitempty"`   // where the text is not all
	Broken   string              `json:"broken,omitempty"`
	Late     bool                `json:"late,omitempty"`
	Withheld bool                `json:"withheld,omitempty"`
	Skipped  time.Duration       `json:"skipped_ns,omitempty"`
	Kind     callwright.Kind     `json:"kind,omitempty"` // of the failure for which it was skipped
}

// ProviderAnswer returns the provider's answer of an entry that records one.
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

// data is it as the data of an entry, with the length of the body in its place where contents are left out.
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
	b, _ := jsonx.Marshal(f) // of texts and numbers alone
	return b
}

// Data is it as the data of an entry of [KindReceived].
func (r *Received) Data() json.RawMessage { return r.data(false) }

// Whole reports whether the answer came and was kept to its end.
func (r *Received) Whole() bool {
	return r.Status != 0 && r.Broken == "" && !r.Withheld && r.Size <= int64(len(r.Body))
}

// Response gives the answer to req as a transport does: the body that was recorded, and the error with which it broke.
// Where there was no answer it fails with that error. An answer whose body is withheld has the status 401.
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

// errNotKept breaks a body of which the trace does not have all.
var errNotKept = errors.New("the rest was not recorded")

// breaks is a reader that fails.
type breaks struct{ err error }

func (b breaks) Read([]byte) (int, error) { return 0, b.err }

// late is the error of a connection on which nothing came for too long.
type late struct{ text string }

func (l late) Error() string { return l.text }

// Timeout tells it from other errors, see net.Error.
func (late) Timeout() bool { return true }

// Temporary is the other method of a net.Error.
func (late) Temporary() bool { return true }

// recordedMembers are members of an answer's header that say how it is read, when to ask again and which id the
// provider gave it; recordedPrefixes begin the names of more.
var (
	recordedMembers = map[string]bool{
		"Content-Type": true, "Date": true, "Retry-After": true, "Retry-After-Ms": true, "X-Should-Retry": true,
		"X-Request-Id": true, "Request-Id": true,
	}
	recordedPrefixes = []string{"X-Ratelimit-", "Anthropic-Ratelimit-"}
)

// recordedHeader returns the recorded fields of a header. A refusal has a date, since a time to wait in it may count
// from there.
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
