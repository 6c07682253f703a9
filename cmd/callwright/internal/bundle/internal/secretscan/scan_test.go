package secretscan_test

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/url"
	"runtime"
	"strings"
	"testing"

	"github.com/callwright/callwright/cmd/callwright/internal/bundle/internal/secretscan"
	"pgregory.net/rapid"
)

const alnum = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"

func drawn(t *rapid.T, letters string, n int) string {
	var b strings.Builder
	random := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "letters"), 1))
	for range n {
		b.WriteByte(letters[random.IntN(len(letters))])
	}
	return b.String()
}

// A canary is a secret with a text that it stands in.
type canary struct{ secret, text string }

// canaries draw secrets of each kind.
var canaries = map[string]func(t *rapid.T) canary{
	"provider's key": func(t *rapid.T) canary {
		s := "sk-" + drawn(t, alnum, 32)
		return canary{s, "use the key " + s + " for it"}
	},
	"project key": func(t *rapid.T) canary { s := "sk-proj-" + drawn(t, alnum+"_-", 40) + "x"; return canary{s, s} },
	"AWS id": func(t *rapid.T) canary {
		s := "AKIA" + drawn(t, "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567", 16)
		return canary{s, "id " + s + "."}
	},
	"AWS secret by name": func(t *rapid.T) canary {
		s := drawn(t, alnum+"/+", 40)
		return canary{s, "aws_secret_access_key = " + s}
	},
	"environment": func(t *rapid.T) canary {
		s := drawn(t, alnum, 14) + "7"
		return canary{s, "HOME=/root\nDB_PASSWORD=" + s + "\nLANG=C"}
	},
	"export": func(t *rapid.T) canary {
		s := drawn(t, alnum, 20) + "7"
		return canary{s, "export SERVICE_API_KEY='" + s + "'"}
	},
	"bearer": func(t *rapid.T) canary {
		s := drawn(t, alnum+"-._", 24) + "9z"
		return canary{s, "Authorization: Bearer " + s}
	},
	"userinfo": func(t *rapid.T) canary {
		s := drawn(t, alnum, 12) + "3"
		return canary{s, "postgres://admin:" + s + "@db.example:5432/app"}
	},
	"query": func(t *rapid.T) canary {
		s := drawn(t, alnum, 18) + "5"
		return canary{s, "https://api.example/v1?alt=sse&key=" + s + "&x=1"}
	},
	"GitHub": func(t *rapid.T) canary { s := "ghp_" + drawn(t, alnum, 36); return canary{s, "git clone with " + s} },
	"web token": func(t *rapid.T) canary {
		s := "eyJ" + drawn(t, alnum, 20) + ".eyJ" + drawn(t, alnum, 30) + "." + drawn(t, alnum, 20)
		return canary{s, "cookie " + s}
	},
	"private key": func(t *rapid.T) canary {
		s := drawn(t, alnum+"/+", 64)
		return canary{s, "-----BEGIN RSA PRIVATE KEY-----\n" + s + "\n" + drawn(t, alnum, 20) + "\n-----END RSA PRIVATE KEY-----"}
	},
	"random key": func(t *rapid.T) canary {
		s := "aB3" + drawn(t, alnum+"/+", 29) + "xYz8Qw2K"
		return canary{s, "here: " + s + " and no name"}
	},
}

func quoted(s string) string { b, _ := json.Marshal(s); return string(b) }

// wraps put a text into another form.
var wraps = map[string]func(text string) string{
	"as it is":  func(s string) string { return s },
	"member":    func(s string) string { return `{"role":"user","content":` + quoted(s) + `}` },
	"arguments": func(s string) string { return `{"arguments":` + quoted(`{"command":`+quoted(s)+`}`) + `}` },
	"escaped": func(s string) string {
		var b strings.Builder
		for _, r := range s {
			fmt.Fprintf(&b, `\u%04x`, r)
		}
		return `{"content":"` + b.String() + `"}`
	},
	"base64":      func(s string) string { return `{"data":"` + base64.StdEncoding.EncodeToString([]byte(s)) + `"}` },
	"base64 form": func(s string) string { return "data=" + base64.StdEncoding.EncodeToString([]byte(s)) + "&x=1" },
	"base64 URL": func(s string) string {
		return "blob " + base64.RawURLEncoding.EncodeToString([]byte("before it: "+s)) + " end"
	},
	"percent": func(s string) string { return "https://host.example/go?to=" + url.QueryEscape(s) },
	"log": func(s string) string {
		return "level=info body=" + strings.Trim(quoted(`{"content":`+quoted(s)+`}`), `"`) + " é\\u00e9t\\u00e9 \\ud83d\\ude00 \\ud83d \\uzz"
	},
	"hex": func(s string) string { return "dump " + hex.EncodeToString([]byte(s)) },
	"gzip": func(s string) string {
		var b bytes.Buffer
		z := gzip.NewWriter(&b)
		_, _ = z.Write([]byte(strings.Repeat("log line\n", 20) + s))
		_ = z.Close()
		return `{"file":"` + base64.StdEncoding.EncodeToString(b.Bytes()) + `"}`
	},
}

// streams write a text as the pieces of a stream.
var streams = map[string]func(pieces []string) string{
	"content": func(pieces []string) string {
		var b strings.Builder
		for _, p := range pieces {
			fmt.Fprintf(&b, "data: {\"id\":\"c1\",\"choices\":[{\"index\":0,\"delta\":{\"content\":%s}}]}\n\n", quoted(p))
		}
		return b.String() + "data: [DONE]\n\n"
	},
	"two calls in turns": func(pieces []string) string {
		var b strings.Builder
		for i, p := range pieces {
			fmt.Fprintf(&b, "data: {\"choices\":[{\"delta\":{\"tool_calls\":[{\"index\":0,\"function\":{\"arguments\":%s}}]}}]}\n\n", quoted(p))
			fmt.Fprintf(&b, "data: {\"choices\":[{\"delta\":{\"tool_calls\":[{\"index\":1,\"function\":{\"arguments\":\"other %d \"}}]}}]}\n\n", i)
		}
		return b.String()
	},
	"partial JSON": func(pieces []string) string {
		var b strings.Builder
		for _, p := range pieces {
			fmt.Fprintf(&b, "event: content_block_delta\ndata: {\"type\":\"content_block_delta\",\"index\":1,\"delta\":{\"type\":\"input_json_delta\",\"partial_json\":%s}}\n\n", quoted(p))
		}
		return b.String()
	},
	"lines": func(pieces []string) string {
		var b strings.Builder
		for _, p := range pieces {
			fmt.Fprintf(&b, "{\"message\":{\"role\":\"assistant\",\"content\":%s},\"done\":false}\n", quoted(p))
		}
		return b.String()
	},
}

// shown returns all that a reader of a text can make of it: the text, its strings read, joined, and without line ends.
func shown(text string) string {
	var all, strs strings.Builder
	all.WriteString(text)
	for line := range strings.Lines(text) {
		line = strings.TrimPrefix(strings.TrimSpace(line), "data: ")
		var v any
		if json.Unmarshal([]byte(line), &v) == nil {
			texts(v, &strs)
		}
	}
	return all.String() + "\n" + strs.String()
}

func texts(v any, out *strings.Builder) {
	switch v := v.(type) {
	case string:
		out.WriteString(v)
		var inner any
		if json.Unmarshal([]byte(v), &inner) == nil {
			texts(inner, out)
		}
	case []any:
		for _, e := range v {
			texts(e, out)
		}
	case map[string]any:
		for _, e := range v {
			texts(e, out)
		}
	}
}

// formsOf returns the forms in which a secret must not be shown.
func formsOf(secret string) []string {
	forms := []string{secret, url.QueryEscape(secret), url.PathEscape(secret), hex.EncodeToString([]byte(secret))}
	for before := range 3 {
		code := base64.StdEncoding.EncodeToString([]byte(strings.Repeat("x", before) + secret))
		forms = append(forms, code[(before*8+5)/6:(before+len(secret))*8/6])
	}
	return forms
}

func keys[V any](m map[string]V) []string {
	var out []string
	for k := range m {
		out = append(out, k)
	}
	return out
}

func checkHidden(t *rapid.T, s *secretscan.Scan, secret, text string) {
	before := strings.Clone(text)
	hidden := string(s.Hide("request", []byte(text)))
	if text != before {
		t.Fatal("the text was changed")
	}
	all := shown(hidden)
	for _, form := range formsOf(secret) {
		if strings.Contains(all, form) {
			t.Fatalf("%s is shown as %s in\n%s\nof\n%s", secret, form, hidden, text)
		}
	}
	if s.Leaks([]byte(hidden)) {
		t.Fatalf("a layer has %s in\n%s", secret, hidden)
	}
	if !s.Leaks([]byte(text)) || len(s.ListRemoved()) == 0 {
		t.Fatalf("%s was not found in\n%s", secret, text)
	}
	for _, r := range s.ListRemoved() {
		if strings.Contains(fmt.Sprint(r), secret) {
			t.Fatal("the list has the secret")
		}
	}
}

// TestHide: no secret is shown, of whatever kind and in whatever form it stands.
func TestHide(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := canaries[rapid.SampledFrom(sorted(keys(canaries))).Draw(t, "kind")](t)
		text := c.text
		for range rapid.IntRange(1, 2).Draw(t, "deep") {
			text = wraps[rapid.SampledFrom(sorted(keys(wraps))).Draw(t, "form")](text)
		}
		var s secretscan.Scan
		s.Look([]byte(text))
		checkHidden(t, &s, c.secret, text)
	})
}

// TestHideInStreams: no secret is shown that a stream has in pieces.
func TestHideInStreams(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := canaries[rapid.SampledFrom(sorted(keys(canaries))).Draw(t, "kind")](t)
		text := c.text
		if rapid.Bool().Draw(t, "in arguments") {
			text = `{"command":` + quoted(text) + `}`
		}
		var pieces []string
		for rest := text; rest != ""; {
			n := rapid.IntRange(1, min(len(rest), 9)).Draw(t, "length")
			pieces, rest = append(pieces, rest[:n]), rest[n:]
		}
		stream := streams[rapid.SampledFrom(sorted(keys(streams))).Draw(t, "stream")](pieces)
		var s secretscan.Scan
		s.Look([]byte(stream))
		checkHidden(t, &s, c.secret, stream)
	})
}

// TestNoSecrets: texts without secrets stay as they are.
func TestNoSecrets(t *testing.T) {
	for _, text := range []string{
		`{"model":"lab/m","max_tokens":300,"messages":[{"role":"user","content":"What is the weather in Oslo? Tell the token usage and the secret of your success."}]}`,
		`{"id":"chatcmpl-9f8e7d6c5b4a39281706","usage":{"prompt_tokens":12,"completion_tokens":7,"total_tokens":19},"choices":[{"finish_reason":"tool_calls","message":{"tool_calls":[{"id":"call_0123456789abcdef0123456789abcdef","function":{"name":"get_weather","arguments":"{\"city\":\"Oslo\"}"}}]}}]}`,
		`{"tools":[{"function":{"name":"login","parameters":{"properties":{"password":{"type":"string","description":"the password of the user"},"api_key":{"type":"string"}},"required":["password"]}}}]}`,
		"api_key: env:GROQ_API_KEY\nheaders: {Authorization: \"Bearer ${TOKEN}\"}\n",
		"the basic understanding of bearer instruments",
		"https://example.com/a@b and mail to ada@example.com",
		"commit 0123456789abcdef0123456789abcdef01234567 in /usr/share/doc/package/examples",
	} {
		var s secretscan.Scan
		s.Look([]byte(text))
		if got := string(s.Hide("text", []byte(text))); got != text || len(s.ListRemoved()) > 0 {
			t.Errorf("got %s\nof  %s", got, text)
		}
	}
}

// TestLearn: secrets that are known are hidden where nothing tells them from other texts, short ones too.
func TestLearn(t *testing.T) {
	var s secretscan.Scan
	s.Learn("credential of the configuration", "correct horse battery", "hunt42")
	for text, want := range map[string]string{
		"it is correct horse battery, or hunt42": "it is [redacted], or [redacted]",
		`{"a":"x hunt42"}`:                       `{"a":"x [redacted]"}`,
		"nothing":                                "nothing",
	} {
		if got := string(s.Hide("text", []byte(text))); got != want {
			t.Errorf("got %s, expected %s", got, want)
		}
	}
	if got := fmt.Sprint(s.ListRemoved()); got != "[{credential of the configuration text 3}]" {
		t.Error(got)
	}
}

// compress returns a text as gzip compresses it.
func compress(text []byte) []byte {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	_, _ = z.Write(text)
	_ = z.Close()
	return b.Bytes()
}

// TestTooMuch: a text that cannot be read whole is hidden, and the list says so.
func TestTooMuch(t *testing.T) {
	large := bytes.Repeat([]byte("          \n"), 400_000)
	deep := "the end of the text"
	for range 14 {
		deep = base64.StdEncoding.EncodeToString([]byte(deep))
	}
	many := []string{}
	for i := range 3 {
		many = append(many, quoted(base64.StdEncoding.EncodeToString(compress(append([]byte{byte('a' + i)}, large[:4_000_000]...)))))
	}
	token := base64.StdEncoding.EncodeToString([]byte("ghp_" + strings.Repeat("a1B2", 9)))
	tokens := []string{}
	for i := range 1100 {
		tokens = append(tokens, fmt.Sprintf("ghp_%s%04d", strings.Repeat("a1B2", 9), i))
	}
	for name, text := range map[string]string{
		"large":        quoted(base64.StdEncoding.EncodeToString(compress(large))),
		"deep":         quoted(deep),
		"behind it":    `{"a":` + quoted(deep) + `,"b":` + quoted(token) + `}`,
		"many":         "[" + strings.Join(many, ",") + "]",
		"many secrets": quoted(strings.Join(tokens, " ")),
	} {
		var s secretscan.Scan
		s.Look([]byte(text))
		if got := string(s.Hide("text", []byte(text))); got != `"[redacted]"` || !s.Leaks([]byte(text)) || len(s.ListRemoved()) != 1 {
			t.Errorf("%s: got %.80s, removed %v", name, got, s.ListRemoved())
		}
		if got := s.Text(text); got != `"[redacted]"` {
			t.Errorf("%s: got %.80s", name, got)
		}
	}
}

// TestLongPlaces: the places of strings cost no more memory than the text.
func TestLongPlaces(t *testing.T) {
	var list []string
	for i := range 20_000 {
		list = append(list, fmt.Sprintf(`"number %012d"`, i))
	}
	text := []byte(`{"x_id":"` + strings.Repeat("x", 1<<20) + `","m":[` + strings.Join(list, ",") + `]}`)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	var s secretscan.Scan
	s.Look(text)
	runtime.ReadMemStats(&after)
	if n := after.TotalAlloc - before.TotalAlloc; n > 100*uint64(len(text)) {
		t.Errorf("%d bytes were allocated for a text of %d", n, len(text))
	}
}

// TestByChance: a secret is found beside texts that look encoded and are not.
func TestByChance(t *testing.T) {
	const token = "ghp_a1B2a1B2a1B2a1B2a1B2a1B2"
	for _, text := range []string{
		"x^2 + 1 and " + quoted(`{"k":`+quoted(strings.Replace(token, "_", `\u005f`, 1))+`}`),
		"https://host.example/?d=50%&k=" + strings.Replace(token, "_", "%5F", 1),
	} {
		var s secretscan.Scan
		s.Look([]byte(text))
		if got := string(s.Hide("text", []byte(text))); strings.Contains(got, "a1B2a1B2") || len(s.ListRemoved()) == 0 {
			t.Errorf("got %s", got)
		}
	}
}
