package redact_test

import (
	"bytes"
	"encoding/base64"
	"errors"
	"net/url"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/internal/redact"
)

var secretText = rapid.StringMatching(`[A-Za-z0-9_+/="\\é-]{8,40}`)

// TestForms: a secret is hidden in each form in which it may be written, whatever stands around it.
func TestForms(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		secret := secretText.Draw(t, "secret")
		before, after := rapid.StringMatching(`[a-z: ]{0,5}`).Draw(t, "before"), rapid.StringMatching(`[a-z: ]{0,5}`).Draw(t, "after")
		s := redact.Of(secret)
		for name, form := range map[string]string{"plain": secret, "quoted": inJSON(secret), "query": url.QueryEscape(secret), "path": url.PathEscape(secret)} {
			if got := s.Text(before + form + after); strings.Contains(got, form) || !strings.Contains(got, redact.Mark) {
				t.Fatalf("%s: got %q", name, got)
			}
		}
		for _, alphabet := range []*base64.Encoding{base64.StdEncoding, base64.URLEncoding, base64.RawStdEncoding, base64.RawURLEncoding} {
			code := alphabet.EncodeToString([]byte(before + secret + after))
			got := string(s.Bytes([]byte(code)))
			if !strings.Contains(got, redact.Mark) {
				t.Fatalf("base64 %q: got %q", code, got)
			}
			for _, part := range strings.Split(got, redact.Mark) { // what is left gives no more than a byte at each end
				if plain, err := alphabet.DecodeString(part); err == nil && len(secret) > 8 && bytes.Contains(plain, []byte(secret[2:len(secret)-2])) {
					t.Fatalf("base64 %q: %q is left", code, plain)
				}
			}
		}
	})
}

// inJSON is a text as it stands inside a JSON string.
func inJSON(text string) string {
	quoted := jsonx.AppendQuote(nil, text)
	return string(quoted[1 : len(quoted)-1])
}

// written is a string as a provider may write it in JSON: some characters as escapes.
func written(t *rapid.T, text string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range text {
		if r < 0x10000 && r != 0xfffd && rapid.IntRange(0, 5).Draw(t, "escape") == 0 {
			const hex = "0123456789abcdef"
			b.WriteString(`\u`)
			for shift := 12; shift >= 0; shift -= 4 {
				b.WriteByte(hex[r>>shift&15])
			}
			continue
		}
		quoted := jsonx.AppendQuote(nil, string(r))
		b.Write(quoted[1 : len(quoted)-1])
	}
	return b.String() + `"`
}

// delta is the ways in which APIs write a piece of a text.
var delta = []struct{ name, before, after string }{
	{"chat", `data: {"id":"chatcmpl-1","choices":[{"index":0,"delta":{"role":"assistant","content":`, "},\"finish_reason\":null}]}\n\n"},
	{"responses", "event: response.output_text.delta\ndata: {\"type\":\"response.output_text.delta\",\"item_id\":\"msg_1\",\"delta\":", "}\n\n"},
	{"anthropic", `data: {"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":`, "}}\n\n"},
	{"gemini", `{"candidates":[{"content":{"role":"model","parts":[{"text":`, "}]}}]}\n,\r\n"},
	{"ollama", `{"model":"m","message":{"role":"assistant","content":`, "},\"done\":false}\n"},
}

// TestSplit: a secret that a stream splits over its pieces in any way is not whole in their join, and all else is as it was.
func TestSplit(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		secret := secretText.Draw(t, "secret")
		lead, tail := rapid.StringMatching(`[A-Za-z ]{0,9}`).Draw(t, "lead"), rapid.StringMatching(`[0-9 ]{0,9}`).Draw(t, "tail")
		form := rapid.SampledFrom([]string{secret, inJSON(secret), base64.RawStdEncoding.EncodeToString([]byte(secret + "!"))}).Draw(t, "form")
		text := []rune(lead + form + tail)
		d := rapid.SampledFrom(delta).Draw(t, "API")
		var stream strings.Builder
		stream.WriteString(": a comment\n\n")
		pieces := 0
		for rest := text; len(rest) > 0; pieces++ {
			n := rapid.IntRange(1, len(rest)).Draw(t, "piece")
			stream.WriteString(d.before + written(t, string(rest[:n])) + d.after)
			rest = rest[n:]
		}
		body := stream.String()
		got := string(redact.Of(secret).Stream([]byte(body)))
		joined := join(got, d.before)
		if strings.Contains(joined, form) || !strings.Contains(joined, redact.Mark) {
			t.Fatalf("%s: the pieces of %q join to %q", d.name, body, joined)
		}
		if parts := strings.SplitN(joined, redact.Mark, 2); !strings.HasPrefix(lead+form, parts[0]) || !strings.HasSuffix(form+tail, strings.TrimPrefix(parts[1], redact.Mark)) {
			t.Fatalf("%s: %q became %q", d.name, string(text), joined)
		}
		if n := strings.Count(got, d.before); n != pieces || strings.Count(got, "\n") != strings.Count(body, "\n") {
			t.Fatalf("%s: %d pieces became %d in %q", d.name, pieces, n, got)
		}
	})
}

// join is the text that the pieces of a stream make.
func join(stream, before string) string {
	var b strings.Builder
	for {
		at := strings.Index(stream, before)
		if at < 0 {
			return b.String()
		}
		stream = stream[at+len(before):]
		end := jsonx.SkipValue([]byte(stream), 0)
		text, _ := jsonx.String([]byte(stream[:end]))
		b.WriteString(text)
		stream = stream[end:]
	}
}

// TestStreamWithoutSecrets: what has no secret stays as it is, byte for byte.
func TestStreamWithoutSecrets(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		body := []byte(rapid.StringMatching(`(data: \{"(a|content)":"[a-k\\"]{0,9}"\}\n){0,5}"?[a-k\n"]{0,9}`).Draw(t, "body"))
		before := bytes.Clone(body)
		if got := redact.Of("secret-0123456789").Stream(body); !bytes.Equal(got, before) || !bytes.Equal(body, before) {
			t.Fatalf("%q became %q", before, got)
		}
	})
}

// TestTable: the rules that concern single places.
func TestTable(t *testing.T) {
	const secret = "sk-0123456789"
	s := redact.Of(secret, "team7", "abc", "none")
	for name, c := range map[string]struct{ got, want string }{
		"cut note":             {s.Text("key sk-01234…"), "key …"},
		"cut beyond":           {s.Text("key sk-0123456789 and more…"), "key [redacted] and more…"},
		"short in a text":      {s.Text("the team7 of abc"), "the team7 of abc"},
		"short as a value":     {string(s.Stream([]byte(`{"team7":"team7","x":"a team7","y":"abc","z":"none"}`))), `{"team7":"[redacted]","x":"a team7","y":"abc","z":"none"}`},
		"structure":            {string(s.Stream([]byte(`{"type":"s","delta":"k-0123456789"}`))), `{"type":"s","delta":"k-0123456789"}`},
		"two members":          {string(s.Stream([]byte("{\"a\":\"sk-01\",\"b\":\"x\"}\n{\"a\":\"23456789\",\"b\":\"y\"}"))), "{\"a\":\"[redacted]\",\"b\":\"x\"}\n{\"a\":\"\",\"b\":\"y\"}"},
		"twice":                {string(s.Stream([]byte(`["sk-0123","456789 sk-01234","56789"]`))), `["[redacted]"," [redacted]",""]`},
		"cut in a piece":       {string(s.Cut([]byte("{\"a\":\"sk-01\"}\n{\"a\":\"234"))), "{\"a\":\"[redacted]\"}\n{\"a\":\""},
		"cut in the last text": {string(s.Cut([]byte("{\"a\":\"my sk-01\"}\n"))), "{\"a\":\"my [redacted]\"}\n"},
		"whole pieces":         {string(s.Stream([]byte("{\"a\":\"sk-01\"}\n{\"a\":\"234\"}"))), "{\"a\":\"sk-01\"}\n{\"a\":\"234\"}"},
	} {
		if c.got != c.want {
			t.Errorf("%s: got %q, want %q", name, c.got, c.want)
		}
	}
}

// TestValues: errors and reports of the vocabulary lose secrets in every text that people see, and an error that has none is the same.
func TestValues(t *testing.T) {
	const secret = "sk-0123456789"
	s := redact.Of(secret)
	e := &callwright.Error{Kind: callwright.KindInvalid, Message: "m " + secret, Code: secret, Path: "/" + secret, Recovered: secret, Body: []byte(secret), Feature: secret, Err: errors.New("c " + secret)}
	if got := s.Error(e); strings.Contains(got.Error()+got.Code+got.Recovered+string(got.Body)+string(got.Feature), secret) || got.Kind != e.Kind || e.Message != "m "+secret {
		t.Errorf("got %+v", got)
	}
	cause := errors.New("none")
	if got := s.Error(&callwright.Error{Err: cause}); !errors.Is(got, cause) {
		t.Error("the cause of an error without secrets is gone")
	}
	r := &callwright.Report{
		Notes:    []callwright.Note{{Was: secret, Now: secret, Why: secret, Path: secret}},
		Attempts: []callwright.Attempt{{Error: secret}},
		Invalid:  []callwright.InvalidCall{{Raw: secret, Violations: []callwright.Violation{{Message: secret}}}},
	}
	if got := mustJSON(t, s.Report(r)); strings.Contains(string(got), secret) || r.Notes[0].Was != secret {
		t.Errorf("got %s", got)
	}
}

func mustJSON(t *testing.T, v any) []byte {
	t.Helper()
	b, err := jsonx.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return b
}
