package caps_test

import (
	"strconv"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/internal/modeltable"
)

// shippedForCases are those of TestShippedFor.
var shippedForCases = []struct {
	provider, model string
	want            map[string]string // fact key to its text form, "" for unknown
}{
	{"openai", "gpt-4o-mini", map[string]string{
		"tools": "yes", "json_schema": "yes", "dialect": "", "max_context": "128000", "id_max": "40",
		"max_tokens_key": "max_completion_tokens", "max_tools": "128"}},
	{"openai", "gpt-4.1-nano", map[string]string{"json_schema": "yes", "max_context": "1047576"}},
	{"lab", "zai-org/GLM-4.7-FP8", map[string]string{"reasoning_start": "primed"}},
	{"lab", "zai-org/GLM-4.6", map[string]string{"reasoning_start": ""}},
	{"vllm", "Qwen/Qwen3.5-9B", map[string]string{"reasoning_start": "primed"}},
	{"vllm", "Qwen/Qwen3-30B-A3B-Thinking-2507", map[string]string{"reasoning_start": "primed"}},
	{"vllm", "Qwen/Qwen3-Next-80B-A3B-Thinking", map[string]string{"reasoning_start": "primed"}},
	{"vllm", "Qwen/Qwen3-30B-A3B-Instruct-2507", map[string]string{"reasoning_start": ""}},
	{"vllm", "moonshotai/Kimi-K2.6", map[string]string{"reasoning_start": "primed"}},
	{"vllm", "moonshotai/Kimi-K2-Instruct-0905", map[string]string{"reasoning_start": ""}},
	{"lab", "deepseek-ai/DeepSeek-V3.2", map[string]string{"reasoning_start": "primed"}},
	{"lab", "deepseek-ai/DeepSeek-V4.1-Flash", map[string]string{"reasoning_start": "primed"}},
	{"lab", "deepseek-ai/DeepSeek-V3-0324", map[string]string{"reasoning_start": ""}},
	{"openai", "gpt-4-1106-preview", map[string]string{"json_schema": "no", "parallel_tools": "yes"}},
	{"openai", "gpt-4", map[string]string{"json_schema": "no", "parallel_tools": "no", "max_context": "8192"}},
	{"openai", "gpt-5.4-mini", map[string]string{"tools": "yes", "max_context": "400000"}},
	{"openai", "gpt-5-chat-latest", map[string]string{"tools": "no"}},
	{"openai", "o3-mini", map[string]string{"parallel_field": "no", "parallel_tools": "no", "tools": "yes"}},
	{"openai", "o1-preview-2024-09-12", map[string]string{"tools": "no"}},
	{"azure", "my-deployment", map[string]string{"tools": "yes", "max_tools": "128"}},
	{"anthropic", "claude-sonnet-4-5-20250929", map[string]string{
		"tools": "yes", "json_schema": "yes", "json_object": "no", "choice_forced": "yes", "result_images": "yes",
		"id_extra": "_-", "name_max": "128", "max_output": "64000", "tools_for_calls": "true"}},
	{"anthropic", "claude-sonnet-4-20250514", map[string]string{"json_schema": "no", "choice_forced": "yes"}},
	{"anthropic", "claude-fable-5-1", map[string]string{"choice_forced": "no", "max_context": "1000000"}},
	{"anthropic", "claude-opus-5-5", map[string]string{"choice_forced": "no", "json_schema": "yes"}},
	{"anthropic", "claude-opus-5", map[string]string{"choice_forced": "yes", "max_output": "128000"}},
	{"anthropic", "claude-3-5-haiku-latest", map[string]string{"max_output": "8192", "json_schema": "no"}},
	{"openai", "gpt-3.5-turbo", map[string]string{"tools": "yes", "json_schema": "no", "max_context": "16385"}},
	{"openai-responses", "gpt-3.5-turbo", map[string]string{"tools": "yes"}},
	{"groq", "llama-3.3-70b-versatile", map[string]string{
		"tools": "yes", "json_with_tools": "no", "json_schema": "no", "dialect": "llama3_json", "max_context": "131072"}},
	{"groq", "openai/gpt-oss-120b", map[string]string{
		"json_schema": "yes", "dialect": "harmony", "parallel_tools": "no", "reasoning": "reasoning"}},
	{"groq", "meta-llama/llama-4-scout-17b-16e-instruct", map[string]string{"json_schema": "yes", "dialect": "llama4_pythonic"}},
	{"groq", "groq/compound-mini", map[string]string{"tools": "no"}},
	{"openrouter", "anthropic/claude-sonnet-4.5", map[string]string{
		"tools": "yes", "id_extra": "_-", "dialect": "anthropic_invoke", "tools_for_calls": "true"}},
	{"openrouter", "mistralai/mistral-nemo:free", map[string]string{"id_exact": "9", "dialect": "mistral_array"}},
	{"openrouter", "qwen/qwen3-coder:free", map[string]string{"tools": "yes", "dialect": "qwen3_coder"}},
	{"openrouter", "somebody/something", map[string]string{"tools": "", "stream_tools": "yes"}},
	{"xai", "grok-4.20-multi-agent-0309", map[string]string{"tools": "no", "reasoning": "reasoning_content"}},
	{"xai", "grok-4.3", map[string]string{"tools": "yes", "max_context": "1000000"}},
	{"deepseek", "deepseek-chat", map[string]string{"reasoning_back": "never", "string_content": "true", "json_schema": "no"}},
	{"deepseek", "deepseek-v4-pro", map[string]string{"reasoning_back": "always", "dialect": "deepseek_v4"}},
	{"mistral", "mistral-large-latest", map[string]string{
		"id_exact": "9", "no_user_after_tool": "true", "result_name": "true", "dialect": "mistral_args"}},
	{"mistral", "magistral-medium-latest", map[string]string{"reasoning": "content"}},
	{"together", "meta-llama/Meta-Llama-3-8B-Instruct-Lite", map[string]string{"tools": "no", "max_context": "8192"}},
	{"together", "Qwen/Qwen2.5-7B-Instruct-Turbo", map[string]string{"tools": "yes", "dialect": "hermes", "choice_forced": "no"}},
	{"fireworks", "accounts/fireworks/models/glm-5p1", map[string]string{"dialect": "glm47", "reasoning": "reasoning_content"}},
	{"fireworks", "accounts/fireworks/models/kimi-k2p6", map[string]string{"dialect": "kimi_k2"}},
	{"fireworks", "accounts/fireworks/models/llama-v3p1-70b-instruct", map[string]string{"dialect": "llama3_json", "max_context": "131072"}},
	{"bedrock", "us.anthropic.claude-sonnet-4-5-20250929-v1:0", map[string]string{"dialect": "anthropic_invoke", "max_output": "64000"}},
	{"bedrock", "meta.llama3-1-70b-instruct-v1:0", map[string]string{"dialect": "llama3_json"}},
	{"cohere", "c4ai-aya-expanse-8b", map[string]string{"tools": "no"}},
	{"openrouter", "ai21/jamba-large-1.7", map[string]string{"json_schema": "no", "dialect": "jamba"}},
	{"gemini-openai", "gemini-2.5-flash-image", map[string]string{"tools": "no"}},
	{"openai", "gpt-4o-2024-05-13", map[string]string{"json_schema": "no"}}, // as the provider's own description has it
	{"ollama", "llama3.1:8b", map[string]string{"tools": "yes", "reasoning": "thinking"}},
	{"ollama-openai", "llama3.1:8b", map[string]string{"tools": "yes", "choice_forced": "no", "string_content": "true"}},
	{"openai-responses", "gpt-4o-mini", map[string]string{"tools": "yes", "id_max": "64", "name_max": "128", "result_images": "yes", "max_tools": "128"}},
	{"openai-responses", "o1-mini", map[string]string{"tools": "no"}},
	{"gemini", "gemini-2.5-flash", map[string]string{"tools": "yes", "json_with_tools": "no", "name_max": "128", "result_images": "no"}},
	{"vertex", "gemini-3-pro-preview", map[string]string{"json_with_tools": "yes", "result_images": "yes"}},
	{"gemini", "gemini-3-pro-image-preview", map[string]string{"tools": "no"}},
	{"gemini-openai", "gemini-2.5-flash", map[string]string{"tools": "yes", "name_max": "64"}},
	{"gemini", "gemma-3-27b-it", map[string]string{"tools": "no"}},
	{"moonshot", "kimi-k2.6", map[string]string{"choice_forced": "no", "json_schema": "yes", "reasoning_back": "calls"}},
	{"moonshot", "kimi-k2-0905-preview", map[string]string{"choice_forced": "", "json_schema": "no", "reasoning_back": ""}},
	{"moonshot", "moonshot-v1-8k", map[string]string{"json_schema": "yes"}},
	{"zai", "glm-4.6", map[string]string{"choice_forced": "no", "json_schema": "no", "dialect": "glm45"}},
	{"dashscope", "qwen3.7-plus", map[string]string{"json_schema": "yes"}},
	{"dashscope", "qwen-plus", map[string]string{"json_schema": "no", "reasoning": "reasoning_content"}},
	{"minimax", "MiniMax-M2", map[string]string{"tools": "yes", "id_extra": "_-", "choice_forced": "no", "dialect": "minimax_m2"}},
	{"cerebras", "gpt-oss-120b", map[string]string{"json_schema": "yes", "dialect": "harmony"}},
	{"cohere", "command-a-03-2025", map[string]string{"json_with_tools": "no"}},
	{"tgi", "any", map[string]string{"tools": "no"}},
	{"perplexity", "sonar", map[string]string{"tools": "no"}},
	{"ollama", "llama3", map[string]string{"tools": "no"}},
	{"ollama", "llama3:70b", map[string]string{"tools": "no", "dialect": "llama3_json"}},
	{"ollama", "gemma3:4b", map[string]string{"tools": "no", "dialect": "pythonic"}},
	{"ollama", "qwen2.5-coder:7b", map[string]string{"tools": "yes", "dialect": "hermes"}},
	{"ollama", "deepseek-r1:8b", map[string]string{"tools": "yes", "dialect": "deepseek_v3"}},
	{"vllm", "mistralai/Mistral-Small-3.1-24B-Instruct-2503", map[string]string{"id_exact": "9", "dialect": "mistral_args"}},
	{"vllm", "deepseek-ai/DeepSeek-R1-Distill-Qwen-32B", map[string]string{"dialect": "hermes", "tools": ""}},
	{"llamacpp", "NousResearch/Hermes-3-Llama-3.1-8B", map[string]string{"dialect": "hermes", "json_with_tools": "no"}},
	{"vllm", "IQuestLab/IQuest-Coder-V2-40B-Instruct", map[string]string{"dialect": "iquestcoder"}},
	{"vllm", "TeleAI/TeleChat4-35B", map[string]string{"dialect": "telechat4"}},
	{"lmstudio", "qwen/qwen3-4b-2507", map[string]string{"dialect": "hermes", "json_object": "no"}},
	{"groq", "kimi-k2-instruct", map[string]string{"system_role": "system", "json_with_tools": "no"}},
	{"openai", "o1-mini", map[string]string{"system_role": "user", "efforts": "low,medium,high"}},
	{"openai", "gpt-5", map[string]string{"efforts": "minimal,low,medium,high", "system_role": ""}},
	{"openai", "gpt-5.6-sol", map[string]string{"efforts": "none,low,medium,high,xhigh,max"}},
	{"openai", "gpt-6-astra", map[string]string{"efforts": "low,medium,high,xhigh,max"}},
	{"anthropic", "claude-opus-4-7", map[string]string{"drop_fields": "temperature,top_p,top_k", "prefill": "no"}},
	{"anthropic", "claude-opus-4-6", map[string]string{"drop_fields": "", "prefill": "no"}},
	{"anthropic", "claude-sonnet-4-5", map[string]string{"drop_fields": "", "prefill": ""}},
	{"anthropic", "claude-fable-5", map[string]string{"efforts": "low,medium,high,xhigh,max"}},
	{"mistral", "mistral-small-latest", map[string]string{"prefill": "prefix", "system_role": "system"}},
	{"vllm", "Qwen/Qwen3-8B", map[string]string{"one_system": "true"}},
	{"llamacpp", "Qwen2.5-Coder-1.5B-Instruct-GGUF", map[string]string{"mode_success": "native=24+0-36 json_schema=44+0-16 text=38+0-22", "dialect": "hermes"}},
	{"llamacpp", "qwen2.5-coder-0.5b-instruct-q4_k_m.gguf", map[string]string{"mode_success": "native=32+0-64 json_schema=36+0-60 json_object=19+0-41 text=47+0-49"}},
	{"llamacpp", "Qwen2.5-Coder-7B-Instruct", map[string]string{"mode_success": ""}},
	{"vllm", "Qwen2.5-Coder-1.5B-Instruct", map[string]string{"mode_success": ""}},
	{"llamacpp", "qwen3-8b", map[string]string{"parallel_unasked": "no"}},
	{"moonshot", "kimi-k3", map[string]string{"system_role": "system", "efforts": "low,high,max"}},
	{"zai", "glm-4.6", map[string]string{"no_null_content": "true", "system_role": "system"}},
	{"gemini", "gemini-2.5-pro", map[string]string{"json_with_tools": "no", "efforts": "minimal,low,medium,high"}},
	{"gemini", "gemini-3-pro-preview", map[string]string{"json_with_tools": "yes", "efforts": "low,medium,high"}},
	{"lab", "own-model", map[string]string{"tools": "", "dialect": "", "json_schema": ""}},
	{"lab", "gpt-4o-lookalike", map[string]string{"tools": "", "max_context": "128000"}},
}

func TestShippedFor(t *testing.T) {
	for _, c := range shippedForCases {
		t.Run(c.provider+"/"+c.model, func(t *testing.T) {
			known := caps.ShippedFor(c.provider, c.model)
			got := map[string]string{}
			for key := range c.want {
				got[key] = fact(known, key)
			}
			if d := cmp.Diff(c.want, got); d != "" {
				t.Errorf("facts (-want +got)\n%s", d)
			}
			for key, src := range known.Sources {
				if src != caps.Shipped {
					t.Errorf("%s comes from %s", key, src)
				}
			}
		})
	}
}

func TestShippedForWire(t *testing.T) {
	known := caps.ShippedForWire("ollama")
	if known.ChoiceField != caps.No || known.Sources["choice_field"] != caps.Shipped {
		t.Errorf("got %+v", known)
	}
	if other := caps.ShippedForWire("telepathy"); len(other.Sources) > 0 {
		t.Errorf("got %+v", other)
	}
	if over := caps.ShippedFor("ollama", "qwen3:8b").Over(known); over.Tools != caps.Yes || over.ParallelField != caps.No {
		t.Errorf("got %+v", over)
	}
}

// An API alone does not limit the names of tools, but for Gemini's, which its maker alone serves. Endpoints with a documented rule have it.
func TestNamesAreLimitedByEndpoints(t *testing.T) {
	for _, wire := range []string{"openai", "responses", "anthropic", "ollama"} {
		if known := caps.ShippedForWire(wire); known.NameMax != 0 || known.NameExtra != "" {
			t.Errorf("whoever serves %s takes names of %d characters with %q", wire, known.NameMax, known.NameExtra)
		}
	}
	for _, self := range []string{"vllm", "llamacpp", "sglang", "lmstudio", "ollama", "ollama-openai"} {
		if known := caps.ShippedFor(self, "m"); known.NameMax != 0 {
			t.Errorf("%s takes names of %d characters", self, known.NameMax)
		}
	}
	for provider, most := range map[string]int{
		"openai": 64, "openai-responses": 128, "azure": 64, "anthropic": 128, "gemini": 128, "vertex": 128, "groq": 64, "openrouter": 64, "mistral": 64,
		"deepseek": 64, "moonshot": 64, "xai": 64,
	} {
		if known := caps.ShippedFor(provider, "m"); known.NameMax != most {
			t.Errorf("%s takes names of %d characters, want %d", provider, known.NameMax, most)
		}
	}
}

func TestEveryProviderIsKnown(t *testing.T) {
	for _, name := range []string{
		"openai", "anthropic", "groq", "openrouter", "xai", "deepseek", "mistral", "together", "fireworks", "ollama", "vllm",
		"llamacpp", "lmstudio", "azure",
	} {
		if known := caps.ShippedFor(name, "some-model"); len(known.Sources) == 0 {
			t.Errorf("nothing is known of %s", name)
		}
	}
}

// A name may be anything, and its case and its path do not matter.
func FuzzShippedFor(f *testing.F) {
	for _, name := range []string{"", "/", "gpt-4o", "a/b/Llama-3.3", "glm-5p1", "--..__", "\xff3", "Qwen2.5:7b@latest"} {
		f.Add("openrouter", name)
	}
	f.Fuzz(func(t *testing.T, provider, model string) {
		plain := caps.ShippedFor(provider, model)
		if d := cmp.Diff(plain, caps.ShippedFor(provider, "some-host/"+asciiUpper(model))); d != "" {
			t.Errorf("%q differs by its spelling\n%s", model, d)
		}
	})
}

func asciiUpper(s string) string {
	b := []byte(s)
	for i, c := range b {
		if 'a' <= c && c <= 'z' {
			b[i] = c - 'a' + 'A'
		}
	}
	return string(b)
}

func BenchmarkShippedFor(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		caps.ShippedFor("groq", "meta-llama/llama-4-scout-17b-16e-instruct")
	}
}

// A pattern that is not in plain form matches nothing.
func TestPatternsArePlain(t *testing.T) {
	for written, plain := range caps.Patterns() {
		if written != plain {
			t.Errorf("%q should be written %q", written, plain)
		}
	}
}

// The table of single models is in order, has each model once, and is found by the names that providers have for models.
func TestSingleModels(t *testing.T) {
	before, n := "", 0
	for _, r := range modeltable.Rows() {
		key := r.Provider + " " + caps.PlainName(r.Model)
		if key <= before {
			t.Fatalf("%q after %q", key, before)
		}
		before = key
		n++
		c := caps.ShippedFor(r.Provider, r.Model)
		for key, want := range map[string]string{"tools": r.Tools, "max_context": sizeText(r.MaxContext), "max_output": sizeText(r.MaxOutput)} {
			if got := fact(c, key); want != "-" && got != want {
				t.Errorf("%s of %s: %s is %q, want %q", r.Model, r.Provider, key, got, want)
			}
		}
	}
	if n < 500 {
		t.Errorf("%d models", n)
	}
}

// sizeText is a size, - for none.
func sizeText(n int) string {
	if n == 0 {
		return "-"
	}
	return strconv.Itoa(n)
}
