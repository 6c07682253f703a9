package trace_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"iter"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/companion"
	"github.com/callwright/callwright/internal/trace"
	"github.com/google/go-cmp/cmp"
)

// A fetcher is a model that makes one HTTP request, reads the answer with read, and closes it.
type fetcher struct {
	through http.RoundTripper
	header  http.Header
	query   string
	read    func(io.Reader) ([]byte, error)
	got     []byte
	err     error
}

func (f *fetcher) Generate(ctx context.Context, _ *callwright.Request) (*callwright.Response, error) {
	at := &url.URL{Scheme: "http", Host: "lab.test", Path: "/v1/chat", RawQuery: f.query}
	req := (&http.Request{Method: http.MethodPost, URL: at, Header: f.header}).WithContext(ctx)
	resp, err := f.through.RoundTrip(req)
	if f.err = err; err != nil {
		return nil, &callwright.Error{Kind: callwright.KindUnavailable, Err: err}
	}
	defer resp.Body.Close()
	f.got, f.err = f.read(resp.Body)
	return &callwright.Response{}, nil
}

func (f *fetcher) Stream(context.Context, *callwright.Request) iter.Seq2[callwright.Event, error] {
	return events(nil)
}

// roundTrip is a transport that is a function.
type roundTrip func(*http.Request) (*http.Response, error)

func (f roundTrip) RoundTrip(req *http.Request) (*http.Response, error) { return f(req) }

// answers gives one answer.
func answers(status int, body io.Reader, header ...string) roundTrip {
	h := http.Header{}
	for i := 0; i+1 < len(header); i += 2 {
		h.Set(header[i], header[i+1])
	}
	return func(*http.Request) (*http.Response, error) {
		return &http.Response{StatusCode: status, Header: h, Body: io.NopCloser(body)}, nil
	}
}

const key = "sk-secret-0123456789"

// aboutKeys is what a codec makes of errors that are about the key.
func aboutKeys(_ int, _ http.Header, body []byte) *callwright.Error {
	if bytes.Contains(body, []byte("API_KEY_INVALID")) {
		return &callwright.Error{Kind: callwright.KindAuth}
	}
	return &callwright.Error{Kind: callwright.KindInvalid}
}

// checkReceived expects what a trace has of an answer, and gives it again.
func checkReceived(t *testing.T, file []byte, want trace.Received) {
	t.Helper()
	want.Provider, want.Wire = "lab", callwright.WireOpenAI
	if want.Header == nil {
		want.Header = http.Header{}
	}
	got := received(t, file)
	if diff := cmp.Diff(&want, got, cmp.Transformer("text", func(b []byte) string { return string(b) })); diff != "" {
		t.Fatal(diff)
	}
	again := &fetcher{through: roundTrip(func(r *http.Request) (*http.Response, error) { return got.Response(r) }), read: io.ReadAll}
	_, _ = again.Generate(t.Context(), ask())
	if whole := got.Whole(); whole != (again.err == nil && !got.Withheld) || whole && !bytes.Equal(again.got, want.Body) {
		t.Errorf("given again: %q, %v", again.got, again.err)
	}
}

// TestReceived: what a transport gives is recorded as it came, without what shows credentials, and can be given again.
func TestReceived(t *testing.T) {
	broke := errors.New("connection reset")
	json := http.Header{"Content-Type": {"application/json"}, "X-Request-Id": {"r"}}
	dated := http.Header{"Date": {"Wed, 01 Jul 2026 12:00:00 GMT"}}
	half := func(r io.Reader) ([]byte, error) { return io.ReadAll(io.LimitReader(r, 3)) }
	for name, c := range map[string]struct {
		next  roundTrip
		query string
		read  func(io.Reader) ([]byte, error)
		want  trace.Received
	}{
		"whole": {
			next: answers(200, strings.NewReader(`{"a":"<é>"}`), "Content-Type", "application/json", "Set-Cookie", "a=b", "X-Request-Id", "r", "Date", "Wed, 01 Jul 2026 12:00:00 GMT"),
			want: trace.Received{Status: 200, Header: json, Body: []byte(`{"a":"<é>"}`), Size: 12},
		},
		"empty":       {next: answers(204, strings.NewReader("")), want: trace.Received{Status: 204}},
		"not UTF-8":   {next: answers(200, strings.NewReader("a\xff\n")), want: trace.Received{Status: 200, Body: []byte("a\xff\n"), Size: 3}},
		"too long":    {next: answers(200, strings.NewReader(strings.Repeat("a", 50))), want: trace.Received{Status: 200, Body: []byte(strings.Repeat("a", 40)), Size: 50}},
		"broken":      {next: answers(200, io.MultiReader(strings.NewReader("abc"), iotest.ErrReader(broke))), want: trace.Received{Status: 200, Body: []byte("abc"), Size: 3, Broken: "connection reset"}},
		"late":        {next: answers(200, io.MultiReader(strings.NewReader("abc"), iotest.ErrReader(context.DeadlineExceeded))), want: trace.Received{Status: 200, Body: []byte("abc"), Size: 3, Broken: "context deadline exceeded", Late: true}},
		"not read":    {next: answers(200, strings.NewReader("abcdef")), read: half, want: trace.Received{Status: 200, Body: []byte("abc"), Size: 3, Broken: "not read to its end"}},
		"no answer":   {next: func(*http.Request) (*http.Response, error) { return nil, broke }, want: trace.Received{Broken: "connection reset"}},
		"to wait":     {next: answers(429, strings.NewReader("{}"), "Retry-After", "7", "X-Ratelimit-Reset-Tokens", "1s", "Date", dated.Get("Date")), want: trace.Received{Status: 429, Header: http.Header{"Retry-After": {"7"}, "X-Ratelimit-Reset-Tokens": {"1s"}, "Date": dated["Date"]}, Body: []byte("{}"), Size: 2}},
		"without key": {next: answers(401, strings.NewReader("wrong key sk-secr***")), want: trace.Received{Status: 401, Header: dated, Withheld: true}},
		"of the key":  {next: answers(400, strings.NewReader("API_KEY_INVALID sk-secr***")), want: trace.Received{Status: 400, Header: dated, Withheld: true}},
		"key shown":   {next: answers(400, strings.NewReader("got "+key+" of team-blue")), want: trace.Received{Status: 400, Header: dated, Body: []byte("got [redacted] of [redacted]"), Size: 28}},
		"key cut":     {next: answers(400, strings.NewReader(strings.Repeat("a", 30)+key)), want: trace.Received{Status: 400, Header: dated, Body: []byte(strings.Repeat("a", 30)), Size: 50}},
		"key in a field": {
			next: answers(200, strings.NewReader("a"), "X-Request-Id", "r "+key, "X-Ratelimit-Left", key, "X-Other", key),
			want: trace.Received{Status: 200, Header: http.Header{"X-Request-Id": {"r [redacted]"}, "X-Ratelimit-Left": {"[redacted]"}}, Body: []byte("a"), Size: 1},
		},
		"key said":         {next: answers(200, strings.NewReader("got "+key+" of team-blue")), want: trace.Received{Status: 200, Body: []byte("got [redacted] of team-blue"), Size: 27}},
		"key in the error": {next: func(*http.Request) (*http.Response, error) { return nil, errors.New("no way for " + key) }, want: trace.Received{Broken: "no way for [redacted]"}},
		"key in the address": {
			next: answers(500, strings.NewReader("?key=k-0123456789")), query: "key=k-0123456789&alt=sse",
			want: trace.Received{Status: 500, Header: dated, Body: []byte("?key=[redacted]"), Size: 15},
		},
	} {
		t.Run(name, func(t *testing.T) {
			var file bytes.Buffer
			w := trace.NewWriter(&file, trace.WithClock(clock()), trace.WithMaxAnswer(40))
			tap := w.Transport(c.next, trace.Endpoint{Provider: "lab", Wire: callwright.WireOpenAI, DecodeError: aboutKeys})
			f := &fetcher{through: tap, header: http.Header{"Authorization": {"Bearer " + key}, "X-Team": {"team-blue"}, "Accept": {"text/event-stream"}}, query: c.query, read: io.ReadAll}
			if c.read != nil {
				f.read = c.read
			}
			_, _ = trace.Record(f, w).Generate(t.Context(), ask())
			if err := w.Err(); err != nil || strings.Contains(file.String(), key) || strings.Contains(file.String(), "0123456789") {
				t.Fatalf("%v\n%s", err, file.String())
			}
			checkReceived(t, file.Bytes(), c.want)
		})
	}
}

// TestKeyNobodyTellsOf: where errors are not read, those are without their body that are about the key by their status.
func TestKeyNobodyTellsOf(t *testing.T) {
	for status, withheld := range map[int]bool{http.StatusUnauthorized: true, http.StatusForbidden: true, http.StatusNotFound: false, http.StatusOK: false} {
		var file bytes.Buffer
		w := trace.NewWriter(&file)
		f := &fetcher{through: w.Transport(answers(status, strings.NewReader("sk-secr***")), trace.Endpoint{Provider: "lab"}), read: io.ReadAll}
		_, _ = trace.Record(f, w).Generate(t.Context(), ask())
		if got := received(t, file.Bytes()); got.Withheld != withheld || withheld != (len(got.Body) == 0) || string(f.got) != "sk-secr***" {
			t.Errorf("%d: %+v, read as %q", status, got, f.got)
		}
	}
}

// received is the one answer of a trace.
func received(t *testing.T, file []byte) *trace.Received {
	t.Helper()
	entries, err := trace.ReadAll(bytes.NewReader(file))
	if err != nil {
		t.Fatal(err)
	}
	var found *trace.Received
	for _, e := range entries {
		if e.Kind != trace.KindReceived {
			continue
		}
		if found != nil {
			t.Fatal("more than one answer")
		}
		if found, err = e.ProviderAnswer(); err != nil {
			t.Fatal(err)
		}
	}
	if found == nil {
		t.Fatalf("no answer in %s", file)
	}
	return found
}

// An echo is a model that sends its key, and says what was answered: as one text, and streamed in pieces of a few bytes.
type echo struct{ fetcher }

func (e *echo) Generate(ctx context.Context, req *callwright.Request) (*callwright.Response, error) {
	_, _ = e.fetcher.Generate(ctx, req)
	return &callwright.Response{Parts: []callwright.Part{callwright.Text{Text: string(e.got)}}, Raw: &callwright.Raw{Wire: callwright.WireOpenAI, Bytes: e.got}}, nil
}

func (e *echo) Stream(ctx context.Context, req *callwright.Request) iter.Seq2[callwright.Event, error] {
	_, _ = e.fetcher.Generate(ctx, req)
	list := []callwright.Event{callwright.TextBegin{}}
	for piece := range slices.Chunk(e.got, 5) {
		list = append(list, callwright.TextDelta{Text: string(piece)})
	}
	return events(append(list, callwright.End{Finish: callwright.FinishStop}))
}

// TestKeyInAnswer: what a model makes of an answer shows no key either, of several the longest, and its bytes are still those that were received.
func TestKeyInAnswer(t *testing.T) {
	for _, secret := range []string{key, `sk-"quoted"\and/more`} {
		var file bytes.Buffer
		w := trace.NewWriter(&file)
		m := &echo{fetcher{
			through: w.Transport(answers(200, strings.NewReader("you sent "+secret)), trace.Endpoint{Provider: "lab", Wire: callwright.WireOpenAI}),
			header:  http.Header{"Authorization": {"Bearer " + secret}, "X-Short-Key": {secret[:9]}}, read: io.ReadAll,
		}}
		recorded := trace.Record(m, w)
		if _, err := recorded.Generate(t.Context(), ask()); err != nil {
			t.Fatal(err)
		}
		m.through = w.Transport(answers(200, strings.NewReader("you sent "+secret)), trace.Endpoint{})
		for _, err := range recorded.Stream(t.Context(), ask()) {
			if err != nil {
				t.Fatal(err)
			}
		}
		entries, err := trace.ReadAll(&file)
		if err != nil || w.Err() != nil {
			t.Fatal(err, w.Err())
		}
		var said []string
		for _, e := range entries {
			switch e.Kind {
			case trace.KindReceived:
				got, err := e.ProviderAnswer()
				if err != nil {
					t.Fatal(err)
				}
				said = append(said, string(got.Body))
			case trace.KindAnswer:
				resp, err := e.Response()
				if err != nil {
					t.Fatal(err)
				}
				if e.RawReceived == e.Streamed || resp.Raw != nil {
					t.Errorf("streamed %t, bytes received %t, and again %v", e.Streamed, e.RawReceived, resp.Raw)
				}
				said = append(said, resp.Text())
			}
		}
		const want = "you sent [redacted]"
		if diff := cmp.Diff([]string{want, want, want, want}, said); diff != "" {
			t.Error(diff)
		}
	}
}

// TestReceivedRedacted: without contents the size is left.
func TestReceivedRedacted(t *testing.T) {
	var file bytes.Buffer
	w := trace.NewWriter(&file, trace.WithoutContent())
	f := &fetcher{through: w.Transport(answers(200, strings.NewReader("words")), trace.Endpoint{Provider: "lab"}), read: io.ReadAll}
	_, _ = trace.Record(f, w).Generate(t.Context(), ask())
	if got := received(t, file.Bytes()); got.Size != 5 || len(got.Body) != 0 || strings.Contains(file.String(), "words") {
		t.Errorf("%+v in %s", got, file.String())
	}
	entries, err := trace.ReadAll(&file)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := trace.NewTransport(entries); callwright.KindOf(err) != callwright.KindInvalid {
		t.Errorf("given again: %v", err)
	}
}

// TestOthersPass: requests that belong to no recorded one, and those of another writer, pass unrecorded.
func TestOthersPass(t *testing.T) {
	var file, other bytes.Buffer
	w := trace.NewWriter(&file)
	f := &fetcher{through: w.Transport(answers(200, strings.NewReader("words")), trace.Endpoint{}), read: io.ReadAll}
	if _, err := f.Generate(t.Context(), ask()); err != nil || string(f.got) != "words" || file.Len() != 0 {
		t.Errorf("%q, %v, %s", f.got, err, file.String())
	}
	_, _ = trace.Record(f, trace.NewWriter(&other)).Generate(t.Context(), ask())
	if strings.Contains(other.String(), "received") || file.Len() != 0 {
		t.Error("another writer has it")
	}
}

// TestReads: a tap changes neither what a read gives nor where it ends.
func TestReads(t *testing.T) {
	const text = "data: 1\n\ndata: 2\n\n"
	for name, cut := range map[string]func(io.Reader) io.Reader{"whole": func(r io.Reader) io.Reader { return r }, "halves": iotest.HalfReader, "bytes": iotest.OneByteReader, "with its end": iotest.DataErrReader} {
		var want, got []string
		reads := func(to *[]string) func(io.Reader) ([]byte, error) {
			return func(r io.Reader) ([]byte, error) {
				buf := make([]byte, 10)
				for {
					n, err := r.Read(buf)
					*to = append(*to, string(buf[:n]))
					if err != nil {
						return nil, err
					}
				}
			}
		}
		plain := &fetcher{through: answers(200, cut(strings.NewReader(text))), read: reads(&want)}
		_, _ = plain.Generate(t.Context(), ask())
		w := trace.NewWriter(io.Discard)
		tapped := &fetcher{through: w.Transport(answers(200, cut(strings.NewReader(text))), trace.Endpoint{}), read: reads(&got)}
		_, _ = trace.Record(tapped, w).Generate(t.Context(), ask())
		if diff := cmp.Diff(want, got); diff != "" || !errors.Is(tapped.err, plain.err) {
			t.Errorf("%s: %v, %s", name, tapped.err, diff)
		}
	}
}

// TestTransport: a body gets its own answer, any other the next one, each provider its own; behind the last there is none.
func TestTransport(t *testing.T) {
	var file bytes.Buffer
	w := trace.NewWriter(&file)
	for i, from := range []string{"a", "a", "b"} {
		body := strings.NewReader(from + string(rune('1'+i)))
		f := &fetcher{through: w.Transport(answers(200, body), trace.Endpoint{Provider: from}), read: io.ReadAll}
		_, _ = trace.Record(sending{f, `{"n":` + string(rune('1'+i)) + `}`}, w).Generate(t.Context(), ask())
	}
	tr := transport(t, file.Bytes())
	for _, c := range []struct{ provider, body, want string }{{"a", `{"n":2}`, "a2"}, {"b", `{"n":1}`, "b3"}, {"a", `{"n":9}`, "a1"}, {"a", `{"n":1}`, ""}} {
		req, _ := http.NewRequestWithContext(t.Context(), http.MethodPost, "http://lab.test", strings.NewReader(c.body))
		resp, err := tr.Of(c.provider).RoundTrip(req)
		if c.want == "" {
			if callwright.KindOf(err) != callwright.KindNotFound || tr.Remaining() != 0 {
				t.Errorf("behind the last: %v", err)
			}
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		got, err := io.ReadAll(resp.Body)
		if err != nil || string(got) != c.want {
			t.Errorf("%s of %s: %q, %v", c.body, c.provider, got, err)
		}
		_ = resp.Body.Close()
	}
}

// sending says that it sends a body before it fetches.
type sending struct {
	*fetcher
	body string
}

func (s sending) Generate(ctx context.Context, req *callwright.Request) (*callwright.Response, error) {
	companion.Of(req).OnSend([]byte(s.body))
	return s.fetcher.Generate(ctx, req)
}
