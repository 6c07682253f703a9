package config_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/config"
	"pgregory.net/rapid"
)

// A lister is a provider that lists models, and counts how often it was asked.
type lister struct {
	*httptest.Server
	asked atomic.Int64
}

// listing starts a provider that has models.
func listing(t testing.TB, models ...string) *lister {
	t.Helper()
	l := &lister{}
	var entries []string
	for _, m := range models {
		entries = append(entries, fmt.Sprintf(`{"id":%q}`, m))
	}
	l.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		l.asked.Add(1)
		w.Header().Set("Content-Type", "application/json")
		_, _ = fmt.Fprintf(w, `{"data":[%s]}`, strings.Join(entries, ","))
	}))
	t.Cleanup(l.Close)
	return l
}

// TestBareNames: the name of a model without its provider is that of the one configured provider that is known to have it, and an error says what may have been meant.
func TestBareNames(t *testing.T) {
	one, two := listing(t, "tiny", "shared", "meta-llama/Llama-3.3-70B", "qwen3:latest", "dated-2025-01-31", "other-preview"), listing(t, "shared", "large")
	replacer := strings.NewReplacer("$ONE", one.URL+"/v1", "$TWO", two.URL+"/v1")
	const labs = "providers: {one: {base_url: $ONE}, two: {base_url: $TWO}}\n"
	for _, c := range []struct {
		name, text string
		env        []string
		want       string // the model, or a part of the error
	}{
		// By the lists of providers.
		{"tiny", labs, nil, "one/tiny"},
		{"large", labs, nil, "two/large"},
		{"shared", labs, nil, "model shared is offered by 2 providers: did you mean one/shared or two/shared?"},
		{"meta-llama/Llama-3.3-70B", labs, nil, "one/meta-llama/Llama-3.3-70B"},
		{"Llama-3.3-70B", labs, nil, "did you mean one/meta-llama/Llama-3.3-70B?"},
		{"qwen3", labs, nil, "one/qwen3"},
		{"dated", labs, nil, "one/dated"},
		{"other", labs, nil, "model other is not known: did you mean one/other-preview?"},
		{"tinny", labs, nil, "model tinny is not known: did you mean one/tiny?"},
		{"telepathy", labs, nil, "model telepathy is not known: expected one/NAME or two/NAME"},
		{"telepathy", labs, []string{"GROQ_API_KEY=k"}, "model telepathy is not known: expected one/NAME, two/NAME or groq/NAME"},
		{"one/anything", labs, nil, "one/anything"},
		// By what is shipped, of providers of the configuration alone.
		{"gpt-4o-mini", "providers: {openai: {}}", []string{"OPENAI_API_KEY=k"}, "openai/gpt-4o-mini"},
		{"gpt-4o-mini", "providers: {openai: {}}", nil, "openai/gpt-4o-mini"},
		{"gpt-4.1", "providers: {openai: {}, groq: {}}", nil, "openai/gpt-4.1"},
		{"gpt-4o-mini", "providers: {openai: {}, openai-responses: {}}", []string{"OPENAI_API_KEY=k"}, "did you mean openai/gpt-4o-mini or openai-responses/gpt-4o-mini?"},
		{"gpt-4o-mini", labs, []string{"OPENAI_API_KEY=k"}, "model gpt-4o-mini is not known: did you mean openai/gpt-4o-mini?"},
		{"gpt-4o-mini", labs, nil, "model gpt-4o-mini is not known: expected one/NAME or two/NAME"},
		{"gpt-4o-mini", "providers: {openai: {base_url: $ONE}}", nil, "model gpt-4o-mini is not known: expected openai/NAME"},
		{"gpt-4o-mni", "providers: {openai: {}}", []string{"OPENAI_API_KEY=k"}, "is not known: did you mean openai/gpt-4o-mini"},
		{"gpt-4o-mni", "providers: {openai: {}}", nil, "is not known: expected the key of a provider"},
		{"claude-sonnet-4-5", "providers: {anthropic: {}, openai: {}, openrouter: {}}", nil, "anthropic/claude-sonnet-4-5"},
		{"llama3.3", "providers: {ollama: {base_url: \"http://127.0.0.1:1\"}}", nil, "is not known: expected ollama/NAME"},
		// By the models of the configuration.
		{"special", "providers: {one: {base_url: $ONE}}\nmodels: {fast: {model: one/special}}", nil, "one/special"},
		{"spare", "providers: {one: {base_url: $ONE}}\nmodels: {fast: {model: one/tiny, fallbacks: [groq/spare]}}", nil, "groq/spare"},
		{"set", "providers: {one: {base_url: $ONE}}\nmodels: {one/set: {mode: text}}", nil, "one/set"},
		{"tiny", "providers: {one: {base_url: $ONE}}\nmodels: {tiny: {mode: text}}", nil, "one/tiny"},
		{"gpt-4o", "providers: {openai: {}}\nmodels: {gpt-4o: {mode: text}}", nil, "openai/gpt-4o"},
		{"fsat", labs + "models: {fast: {model: one/tiny}}", nil, "model fsat is not known: did you mean fast?"},
		{"tiny", labs + "models: {tiny: {model: two/large}}", nil, "two/large"},
		{"tiny", labs + "models: {\"t*\": {model: two/large}}", nil, "two/large"},
		// The simulator has to be named.
		{"native", "providers: {sim: {}, one: {base_url: $ONE}}", nil, "model native is not known: did you mean sim/native"},
		{"tiny", "providers: {sim: {}, one: {base_url: $ONE}}", nil, "one/tiny"},
		{"gorq/x", labs, nil, `unknown provider "gorq" in "gorq/x": did you mean groq/x?`},
		{"a\nb", labs, nil, `model "a\nb" is not known`},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := registry(t, parse(t, replacer.Replace(c.text)), config.WithEnv(env(c.env...)), config.AskLists())
			client, err := r.Resolve(c.name)
			switch {
			case err != nil && (callwright.KindOf(err) != callwright.KindNotFound || !strings.Contains(err.Error(), c.want)):
				t.Errorf("%s: got %v, want %s", c.text, err, c.want)
			case err == nil && client.ID() != callwright.ModelID(c.want):
				t.Errorf("%s: got %s, want %s", c.text, client.ID(), c.want)
			case err == nil:
				ids, err := r.Candidates(c.name)
				if err != nil || ids[0] != client.ID() {
					t.Errorf("%s: the candidates are %v, %v", c.text, ids, err)
				}
			}
		})
	}
}

// TestBareNamesOfLists: for any lists, a name is resolved where exactly one provider has it. A suggestion is a model of a provider, there are at most three, and each resolves.
func TestBareNamesOfLists(t *testing.T) {
	names := rapid.SampledFrom([]string{"alpha", "alpha-2", "alpha-mini", "beta", "beta-large", "org/gamma", "delta"})
	rapid.Check(t, func(rt *rapid.T) {
		lists := rapid.SliceOfN(rapid.SliceOfNDistinct(names, 0, 5, rapid.ID[string]), 1, 3).Draw(rt, "lists")
		asked := rapid.OneOf(names, rapid.StringMatching(`[a-z]{1,5}(-[a-z]{1,4})?`)).Draw(rt, "asked")
		var text strings.Builder
		text.WriteString("providers:\n")
		var has []callwright.ModelID
		for i, list := range lists {
			host := fmt.Sprintf("lab%d", i)
			fmt.Fprintf(&text, "  %s: {base_url: %s/v1}\n", host, listing(t, list...).URL)
			if slices.Contains(list, asked) {
				has = append(has, callwright.ModelID(host+"/"+asked))
			}
		}
		r := registry(t, parse(t, text.String()), config.AskLists())
		client, err := r.Resolve(asked)
		if len(has) == 1 {
			if err != nil || client.ID() != has[0] {
				rt.Fatalf("%s: got %v, %v, want %s", asked, client, err, has[0])
			}
			return
		}
		if err == nil {
			rt.Fatalf("%s: got %s, and %v have it", asked, client.ID(), has)
		}
		if len(asked) > 2 && len(has) > 1 && !strings.Contains(err.Error(), string(has[0])) {
			rt.Fatalf("%s: %v does not name %v", asked, err, has)
		}
		_, said, found := strings.Cut(err.Error(), "did you mean ")
		if !found {
			return
		}
		suggested := strings.Split(strings.ReplaceAll(strings.TrimSuffix(said, "?"), " or ", ", "), ", ")
		for _, name := range suggested {
			if _, err := r.Resolve(name); err != nil || len(suggested) > 3 {
				rt.Fatalf("%s: suggested %v: %v", asked, suggested, err)
			}
		}
	})
}

// TestBareNamesAskNobody: a gateway resolves names by the lists that it has, and asks for none. A list that says otherwise changes it, and another configuration with the
// same provider keeps what is known.
func TestBareNamesAskNobody(t *testing.T) {
	one, two := listing(t, "tiny"), listing(t, "tiny")
	text := "providers: {one: {base_url: " + one.URL + "/v1}, two: {base_url: " + two.URL + "/v1}}\n"
	live, err := config.NewLive(parse(t, text), config.WithEnv(env()))
	if err != nil {
		t.Fatal(err)
	}
	defer live.Close()
	resolved := func(want string) {
		t.Helper()
		before := one.asked.Load() + two.asked.Load()
		client, err := live.Resolve("tiny")
		got := ""
		if err == nil {
			got = string(client.ID())
		}
		if got != want || one.asked.Load()+two.asked.Load() != before {
			t.Errorf("got %q, %v, want %q; asked %d times", got, err, want, one.asked.Load()+two.asked.Load()-before)
		}
	}
	look := func(name string) {
		t.Helper()
		endpoint, _, err := live.Registry().Endpoint(name)
		if err == nil {
			_, err = endpoint.Reach(t.Context())
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	resolved("")
	look("one")
	resolved("one/tiny")
	resolved("one/tiny")
	if err := live.Replace(parse(t, text+"models: {fast: {model: one/tiny}}\n")); err != nil {
		t.Fatal(err)
	}
	resolved("one/tiny")
	look("two")
	resolved("")
	if err := live.Replace(parse(t, "providers: {two: {base_url: "+two.URL+"/v1}}\n")); err != nil {
		t.Fatal(err)
	}
	resolved("two/tiny")
	if err := live.Replace(parse(t, "providers: {two: {base_url: "+one.URL+"/v1}}\n")); err != nil {
		t.Fatal(err)
	}
	resolved("")
}
