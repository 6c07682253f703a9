package gateway_test

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"math"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/internal/gateway"
	"github.com/callwright/callwright/internal/longtest"
	"github.com/callwright/callwright/reliable"
)

// tokenizers are simulated vocabularies: how many tokens a text has.
var tokenizers = map[string]func(text string) float64{
	"four bytes each":   func(s string) float64 { return float64(len(s)) / 4 },
	"two bytes each":    func(s string) float64 { return float64(len(s)) / 2 },
	"one a character":   func(s string) float64 { return float64(utf8.RuneCountInString(s)) },
	"parts of words":    func(s string) float64 { return pieces(s, 4, 1) },
	"whole words":       func(s string) float64 { return pieces(s, 12, 3) },
	"each digit, dense": func(s string) float64 { return 1.7 * pieces(s, 5, 1) },
}

// pieces counts words in pieces of so many letters, numbers of so many digits, and every other character but blanks.
func pieces(s string, letters, digits int) float64 {
	n, run := 0, 0
	last := ' '
	for _, r := range s {
		kind, size := 'x', 1
		switch {
		case unicode.IsDigit(r):
			kind, size = '0', digits
		case r < utf8.RuneSelf && unicode.IsLetter(r):
			kind, size = 'a', letters
		case r == ' ':
			last = ' '
			continue
		}
		if kind != last || kind == 'x' || run == size {
			n, run = n+1, 0
		}
		last = kind
		run++
	}
	return float64(n)
}

// words are what contents are made of.
var words = map[string][]string{
	"prose":   strings.Fields("the agreement between both parties ends when notice is given in writing and a reasonable period of consideration has passed without objection"),
	"code":    {"func", "main()", "{", "}", "if", "err", "!=", "nil", "return", "x[i]", ":=", "range", "fmt.Println(\"%d\\n\",", "value)", "\n\t\t"},
	"json":    {`{"name":`, `"value",`, `"count":`, `12345,`, `"nested":`, `{"a":`, `true},`, `"list":[1,2,3]}`, `"é":"ü"`},
	"chinese": {"他们", "在", "同意", "的", "时候", "没有", "反对", "这个", "合同", "。"},
	"numbers": {"2026-11-23", "3.14159", "1048576", "99%", "0x7f", "12:45", "-1"},
	"russian": strings.Fields("соглашение между сторонами прекращается когда уведомление дано письменно"),
}

// text draws a text of a kind.
func text(r *rand.Rand, kind string, n int) string {
	var b strings.Builder
	for range n {
		b.WriteString(words[kind][r.IntN(len(words[kind]))])
		b.WriteByte(' ')
	}
	return b.String()
}

// countingModel serves a model that says how many tokens it read by a tokenizer, with so many beside the text.
func countingModel(t *testing.T, count func(string) float64, beside float64) (ask func(model, body string) float64, estimate func(model, body string) (float64, string)) {
	srv := gateway.New(gateway.Config{Models: models(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		raw, _ := io.ReadAll(r.Body)
		fmt.Fprintf(w, `{"id":"c","object":"chat.completion","model":"m","choices":[{"index":0,"message":{"role":"assistant","content":"ok"},"finish_reason":"stop"}],"usage":{"prompt_tokens":%d,"completion_tokens":1}}`,
			truth(t, string(raw), count, beside))
	}))})
	do := func(path, body string) *inMemory {
		req, _ := http.NewRequestWithContext(t.Context(), http.MethodPost, "http://localhost"+path, strings.NewReader(body))
		w := &inMemory{header: http.Header{}}
		srv.ServeHTTP(w, req)
		if w.status != 0 && w.status != 200 {
			t.Fatalf("%s: %d %s", path, w.status, w.body.String())
		}
		return w
	}
	ask = func(model, body string) float64 {
		do(messages, `{"max_tokens":1,"model":"`+model+`",`+body+`}`)
		return float64(truth(t, `{`+body+`}`, count, beside))
	}
	estimate = func(model, body string) (float64, string) {
		w := do(countTokens, `{"model":"`+model+`",`+body+`}`)
		var n struct {
			Tokens float64 `json:"input_tokens"`
		}
		if err := json.Unmarshal([]byte(w.body.String()), &n); err != nil {
			t.Fatalf("%v: %s", err, w.body.String())
		}
		return n.Tokens, w.header.Get("Callwright-Report")
	}
	return ask, estimate
}

// inMemory is a ResponseWriter in memory.
type inMemory struct {
	header http.Header
	status int
	body   strings.Builder
}

func (w *inMemory) Header() http.Header         { return w.header }
func (w *inMemory) WriteHeader(status int)      { w.status = status }
func (w *inMemory) Write(b []byte) (int, error) { return w.body.Write(b) }

// truth counts the tokens of a chat: those of the texts, three for each message, and what is beside.
func truth(t *testing.T, body string, count func(string) float64, beside float64) int {
	var chat struct {
		Messages []struct{ Content json.RawMessage }
	}
	if err := json.Unmarshal([]byte(body), &chat); err != nil {
		t.Fatalf("%v: %s", err, body)
	}
	n := beside
	for _, m := range chat.Messages {
		var s string
		if err := json.Unmarshal(m.Content, &s); err != nil {
			var parts []struct{ Text string }
			if err := json.Unmarshal(m.Content, &parts); err != nil {
				t.Fatalf("%v: %s", err, m.Content)
			}
			for _, p := range parts {
				s += p.Text
			}
		}
		n += 3 + count(s)
	}
	return int(math.Ceil(n))
}

// talk draws the messages of a conversation about one of some kinds of things at a time.
func talk(r *rand.Rand, kinds []string) string {
	var list []string
	for i := range 1 + 2*r.IntN(4) {
		raw, _ := json.Marshal(text(r, kinds[r.IntN(len(kinds))], 20+r.IntN(200)))
		list = append(list, fmt.Sprintf(`{"role":"%s","content":%s}`, []string{"user", "assistant"}[i%2], raw))
	}
	return `"messages":[` + strings.Join(list, ",") + `]`
}

// A calibrated estimate is never more than 2 % below what the provider then says, and not far above, whatever the vocabulary, the content and
// the size.
func TestCalibratedCount(t *testing.T) {
	besides := []float64{0, 12, 400}
	if !longtest.IsEnabled() {
		besides = besides[1:2]
	}
	const rounds = 20
	for n, name := range keys(tokenizers) {
		for _, beside := range besides {
			for seed, kinds := range [][]string{{"prose"}, {"code", "json"}, {"chinese", "numbers", "russian"}} {
				r := rand.New(rand.NewPCG(uint64(n), uint64(seed)))
				ask, estimate := countingModel(t, tokenizers[name], beside)
				if _, how := estimate("openai/m", `"messages":[{"role":"user","content":"hi"}]`); how != "tokens=estimated" {
					t.Fatalf("calibrated by nothing: %s", how)
				}
				calibrated := 0
				for range rounds {
					body := talk(r, kinds)
					got, how := estimate("openai/m", body)
					want := ask("openai/m", body)
					if how != "tokens=calibrated" {
						continue
					}
					calibrated++
					if got < 0.98*want || got > 1.4*want {
						t.Errorf("%s, %v, %v beside: estimated %v, the provider says %v", name, kinds, beside, got, want)
					}
				}
				if calibrated < rounds/3 {
					t.Errorf("%s, %v, %v beside: %d of %d estimates were calibrated", name, kinds, beside, calibrated, rounds)
				}
			}
		}
	}
}

func keys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }

// learning is a directory of models with one capability store for learned facts.
type learning struct {
	directory
	capsStore caps.Store
}

func (l learning) Resolve(name string) (*reliable.Client, error) {
	provider, model := callwright.ModelID(name).Split()
	return reliable.New(l.directory[provider].Model(model), reliable.WithCapsStore(l.capsStore)), nil
}

// What was learned of a model's tokens is there for another gateway, and after a restart; a provider that reports what cannot be teaches nothing.
func TestCountLearned(t *testing.T) {
	upstream := models(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		raw, _ := io.ReadAll(r.Body)
		n := float64(truth(t, string(raw), tokenizers["each digit, dense"], 40))
		switch {
		case strings.Contains(string(raw), `"many"`):
			n *= 100
		case strings.Contains(string(raw), `"none"`):
			n = 0
		}
		fmt.Fprintf(w, `{"id":"c","object":"chat.completion","model":"m","choices":[{"index":0,"message":{"role":"assistant","content":"ok"},"finish_reason":"stop"}],"usage":{"prompt_tokens":%d,"completion_tokens":1}}`, int(n))
	}))
	capsStore := caps.NewMemory(time.Now)
	r := rand.New(rand.NewPCG(1, 2))
	count := func(url, body string) (n float64, how string) {
		got := post(t, url+countTokens, body)
		var said struct {
			Tokens float64 `json:"input_tokens"`
		}
		if err := json.Unmarshal([]byte(got.body), &said); err != nil {
			t.Fatalf("%v: %s", err, got.body)
		}
		return said.Tokens, got.header.Get("Callwright-Report")
	}
	first := serve(t, gateway.Config{Models: learning{upstream, capsStore}}).URL
	for _, model := range []string{"m", "many", "none"} {
		for range 8 {
			if got := post(t, first+messages, `{"max_tokens":1,"model":"openai/`+model+`",`+talk(r, []string{"prose", "code"})+`}`); got.status != 200 {
				t.Fatalf("got %d %s", got.status, got.body)
			}
		}
	}
	second := serve(t, gateway.Config{Models: learning{upstream, capsStore}}).URL
	for range 20 {
		body := talk(r, []string{"prose", "code"})
		n, how := count(second, `{"model":"openai/m",`+body+`}`)
		if want := float64(truth(t, `{`+body+`}`, tokenizers["each digit, dense"], 40)); how != "tokens=calibrated" || n < 0.98*want || n > 1.5*want {
			t.Errorf("%s: estimated %v, the provider says %v", how, n, want)
		}
		for _, model := range []string{"many", "none"} {
			if _, how := count(second, `{"model":"openai/`+model+`",`+body+`}`); how != "tokens=estimated" {
				t.Errorf("%s: %s", model, how)
			}
		}
	}
	facts, err := capsStore.Facts(t.Context(), "openai/m")
	if err != nil || !slices.ContainsFunc(facts, func(f caps.Fact) bool {
		return f.Key == "token_measure" && f.Source == caps.Learned && f.Expires.After(time.Now().AddDate(0, 0, 29))
	}) {
		t.Errorf("learned %+v, %v", facts, err)
	}
}
