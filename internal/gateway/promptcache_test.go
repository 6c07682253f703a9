package gateway_test

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/gateway"
	"github.com/callwright/callwright/internal/provider"
	"github.com/callwright/callwright/reliable"
)

// A cachingProvider is a server of Anthropic's API that caches prompts as https://platform.claude.com/docs/en/build-with-claude/prompt-caching
// says: up to each mark, and found again by one that is at most 20 blocks later. A block counts as one token.
type cachingProvider struct {
	mu   sync.Mutex
	seen map[string]bool // what is cached: the blocks of a prompt up to a mark
}

func (c *cachingProvider) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var req struct {
		Tools    []map[string]any
		System   any
		Messages []struct {
			Role    string
			Content any
		}
	}
	if err := json.NewDecoder(r.Body).Decode(&req); err != nil {
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	var blocks []string
	var marks []int
	add := func(role string, v any) {
		list, isList := v.([]any)
		if s, ok := v.(string); ok {
			list, isList = []any{map[string]any{"type": "text", "text": s}}, true
		}
		if !isList && v != nil {
			list = []any{v}
		}
		for _, b := range list {
			block := b.(map[string]any)
			_, marked := block["cache_control"]
			delete(block, "cache_control")
			text, _ := json.Marshal(block)
			if blocks = append(blocks, role+string(text)); marked {
				marks = append(marks, len(blocks))
			}
		}
	}
	for _, t := range req.Tools {
		add("tool", t)
	}
	add("system", req.System)
	for _, m := range req.Messages {
		add(m.Role, m.Content)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	read, written := 0, 0
	for _, end := range marks {
		for n := end; n > 0 && n > end-20; n-- {
			if c.seen[strings.Join(blocks[:n], "\n")] {
				read = max(read, n)
				break
			}
		}
	}
	for _, end := range marks {
		c.seen[strings.Join(blocks[:end], "\n")] = true
		written = max(written, end-read)
	}
	w.Header().Set("Content-Type", "application/json")
	fmt.Fprintf(w, `{"id":"m","type":"message","role":"assistant","model":"m","content":[{"type":"text","text":"fine"}],"stop_reason":"end_turn","stop_sequence":null,`+
		`"usage":{"input_tokens":%d,"cache_creation_input_tokens":%d,"cache_read_input_tokens":%d,"output_tokens":1}}`, len(blocks)-read-written, written, read)
}

// A cachingModel is asked in one way of caching.
type cachingModel struct {
	*provider.Remote
	mode callwright.CacheMode
}

func (m cachingModel) Generate(ctx context.Context, req *callwright.Request) (*callwright.Response, error) {
	asked := *req
	asked.Cache = m.mode
	return m.Remote.Generate(ctx, &asked)
}

// cachingModels has the models of a directory, asked in one way of caching.
type cachingModels struct {
	directory
	mode callwright.CacheMode
}

func (d cachingModels) Resolve(name string) (*reliable.Client, error) {
	p, model := callwright.ModelID(name).Split()
	return reliable.New(cachingModel{d.directory[p].Model(model), d.mode}), nil
}

// A conversation by a client whose API has no word for caching is read from the cache of a provider that wants marks, all of it but for
// what is new; the client, the report and the log are told. Without the marks nothing is.
func TestConversationIsFoundInTheCache(t *testing.T) {
	for _, mode := range []callwright.CacheMode{"", callwright.CacheAuto, callwright.CacheClient} {
		log := &logged{}
		up := models(t, &cachingProvider{seen: map[string]bool{}})
		srv := serve(t, gateway.Config{Models: cachingModels{up, mode}, Logger: slog.New(slog.NewJSONHandler(log, nil))})
		messages := []string{`{"role":"system","content":"` + strings.Repeat("Be brief. ", 500) + `"}`}
		for turn := range 8 {
			messages = append(messages, fmt.Sprintf(`{"role":"user","content":"say %d"}`, turn))
			body := `{"model":"anthropic/claude-sonnet-4-5","messages":[` + strings.Join(messages, ",") + `],"tools":[{"type":"function","function":{"name":"f","parameters":{"type":"object"}}}]}`
			got := post(t, srv.URL+chat, body, "Callwright-Report", "body")
			var answer struct {
				Usage struct {
					Prompt  int `json:"prompt_tokens"`
					Details struct {
						Cached  int `json:"cached_tokens"`
						Written int `json:"cache_write_tokens"`
					} `json:"prompt_tokens_details"`
				}
				Report callwright.Report `json:"callwright"`
			}
			if err := json.Unmarshal([]byte(got.body), &answer); err != nil {
				t.Fatal(err, got.body)
			}
			all := 1 + 1 + 1 + 2*turn // tools, instructions and messages
			want, written, hits := 0, all, 0
			if turn > 0 {
				want, written, hits = all-2, 2, 1
			}
			if mode == callwright.CacheClient {
				want, written, hits = 0, 0, 0
			}
			u, rep := answer.Usage, &answer.Report
			if u.Prompt != all || u.Details.Cached != want || u.Details.Written != written || rep.CachedTokens != want || rep.CacheHits != hits {
				t.Errorf("cache %q, turn %d: of %d tokens %d were read, %d written, reported %d in %d; want %d, %d, %d", mode, turn, u.Prompt, u.Details.Cached, u.Details.Written, rep.CachedTokens, rep.CacheHits, all, want, written)
			}
			var lines []map[string]any
			for range 200 {
				if lines = log.lines(t); len(lines) > 0 {
					break
				}
				time.Sleep(5 * time.Millisecond)
			}
			number := func(key string) int { // a field that is zero is left out
				n, _ := lines[0][key].(float64)
				return int(n)
			}
			if len(lines) != 1 || number("cached_tokens") != want || number("cache_hits") != hits {
				t.Errorf("cache %q, turn %d: logged %v", mode, turn, lines)
			}
			messages = append(messages, `{"role":"assistant","content":"fine"}`)
		}
	}
}
