package shortlog_test

import (
	"bytes"
	"errors"
	"log/slog"
	"strings"
	"testing"
	"time"
	"unicode"

	"github.com/callwright/callwright/cmd/callwright/internal/paint"
	"github.com/callwright/callwright/cmd/callwright/internal/shortlog"
	"pgregory.net/rapid"
)

// at is when each record of the tests is made.
var at = time.Date(2026, 3, 4, 17, 20, 5, 999, time.UTC)

// marked shows a style as a letter before the text in brackets.
func marked(style paint.Style, text string) string {
	name := map[paint.Style]string{paint.Red: "red", paint.Green: "green", paint.Bold: "bold", paint.Faint: "faint"}[style]
	if name == "" {
		return text
	}
	return name + "[" + text + "]"
}

// The lines of records, without and with styles.
func TestLines(t *testing.T) {
	request := []any{"method", "POST", "path", "/v1/chat/completions"}
	tests := []struct {
		name    string
		level   slog.Level
		message string
		attrs   []any
		want    string
		styled  string // "" for the same with a faint time
	}{
		{"healed", slog.LevelInfo, "request", append(request, "status", 200, "duration_ms", 243.2, "wire", "openai", "key", "ada", "model", "fast", "outcome", "healed", "class", "F02",
			"report", "rep_1", "served", "llamahost/llama-3.3-70b", "attempts", 1, "mode", "native", "notes", 2, "rules", []string{"dialect.hermes"}),
			"17:20:05 200 243ms ada fast -> llamahost/llama-3.3-70b healed: call in tags", "faint[17:20:05] 200 243ms ada fast -> llamahost/llama-3.3-70b green[healed]: call in tags"},
		{"passed", slog.LevelInfo, "request", append(request, "status", 200, "duration_ms", 0.72, "model", "sim/native", "outcome", "passed", "served", "sim/native", "attempts", 1),
			"17:20:05 200 0.7ms sim/native passed", ""},
		{"translated after tries", slog.LevelInfo, "request", append(request, "status", 200, "duration_ms", 1234.5, "model", "fast", "outcome", "translated", "served", "lab/m", "attempts", 2, "retries", 3, "fallback", true),
			"17:20:05 200 1.23s fast -> lab/m translated (2 attempts, 3 retries)", ""},
		{"failed", slog.LevelError, "request", append(request, "status", 502, "duration_ms", 75000, "key", "ada", "model", "fast", "outcome", "failed", "served", "lab/m", "attempts", 1, "retries", 1,
			"kind", "bad_answer", "error", "provider.decode: lab/m: the answer is no JSON"),
			"17:20:05 502 1m15s ada fast -> lab/m failed (1 retry): bad answer: the answer is no JSON",
			"faint[17:20:05] red[502] 1m15s ada fast -> lab/m red[failed] (1 retry): bad answer: the answer is no JSON"},
		{"model in the middle of an error", slog.LevelWarn, "request", append(request, "status", 404, "duration_ms", 12.0, "model", "x/y", "outcome", "failed", "kind", "not_found", "error", "no such model: x/y: expected fast"),
			"17:20:05 404 12ms x/y failed: not found: no such model: x/y: expected fast", "faint[17:20:05] red[404] 12ms x/y red[failed]: not found: no such model: x/y: expected fast"},
		{"error that begins with its kind", slog.LevelWarn, "request", append(request, "status", 429, "duration_ms", 12.0, "model", "x/y", "outcome", "failed", "kind", "rate_limited", "error", "x/y: rate limited: try again"),
			"17:20:05 429 12ms x/y failed: rate limited: try again", "faint[17:20:05] red[429] 12ms x/y red[failed]: rate limited: try again"},
		{"kind alone", slog.LevelWarn, "request", append(request, "status", 504, "duration_ms", 12.0, "model", "x/y", "outcome", "failed", "kind", "timeout"),
			"17:20:05 504 12ms x/y failed: timeout", "faint[17:20:05] red[504] 12ms x/y red[failed]: timeout"},
		{"aborted without an error", slog.LevelWarn, "request", append(request, "status", 499, "duration_ms", 12.0, "aborted", true, "model", "x/y", "outcome", "failed"),
			"17:20:05 499 12ms x/y failed: interrupted", "faint[17:20:05] red[499] 12ms x/y red[failed]: interrupted"},
		{"no model", slog.LevelWarn, "request", []any{"method", "GET", "path", "/nope", "status", 404, "duration_ms", 0.05, "kind", "not_found", "error", "no such path"},
			"17:20:05 404 0.1ms GET /nope: not found: no such path", "faint[17:20:05] red[404] 0.1ms GET /nope: not found: no such path"},
		{"unknown class", slog.LevelInfo, "request", append(request, "status", 200, "duration_ms", 10, "model", "m", "outcome", "healed", "class", "F99"), "17:20:05 200 10ms m healed: F99", "faint[17:20:05] 200 10ms m green[healed]: F99"},
		{"retry", slog.LevelInfo, "retry", []any{"report", "rep_1", "model", "lab/m", "kind", "provider_error", "reason", "500 provider_error", "seconds", 0.447}, "17:20:05 retry lab/m in 447ms: 500 provider error", ""},
		{"wait", slog.LevelInfo, "wait", []any{"model", "lab/m", "kind", "rate_limited", "reason", "the model is limited", "seconds", 2.0}, "17:20:05 wait lab/m for 2s: the model is limited", ""},
		{"skip", slog.LevelInfo, "skip", []any{"model", "lab/m", "kind", "rate_limited", "seconds", 28.25}, "17:20:05 skip lab/m for 28.3s: rate limited", ""},
		{"fallback", slog.LevelWarn, "fallback", []any{"model", "lab/m", "next", "far/n", "kind", "timeout", "reason", "lab/m: no answer in 30s"}, "17:20:05 fallback lab/m -> far/n: no answer in 30s", "faint[17:20:05] bold[fallback] lab/m -> far/n: no answer in 30s"},
		{"slow", slog.LevelWarn, "slow", []any{"model", "lab/m", "kind", "timeout", "reason", "no data yet: timeouts.first_byte ends the try after 10m0s", "seconds", 30.0}, "17:20:05 slow lab/m for 30s: no data yet: timeouts.first_byte ends the try after 10m0s", "faint[17:20:05] bold[slow] lab/m for 30s: no data yet: timeouts.first_byte ends the try after 10m0s"},
		{"breaker open", slog.LevelWarn, "breaker open", []any{"model", "lab/m", "kind", "provider_error", "seconds", 30.0}, "17:20:05 breaker open lab/m for 30s: provider error", "faint[17:20:05] bold[breaker open] lab/m for 30s: provider error"},
		{"breaker closed", slog.LevelInfo, "breaker closed", []any{"model", "lab/m"}, "17:20:05 breaker closed lab/m", ""},
		{"another message", slog.LevelInfo, "configuration used", []any{"file", "callwright.yaml", "models", 3}, "17:20:05 configuration used file=callwright.yaml models=3", ""},
		{"a word of a notice without a model", slog.LevelInfo, "wait", []any{"for", "the store"}, `17:20:05 wait for="the store"`, ""},
		{"warning", slog.LevelWarn, "report not kept", []any{"id", "rep_1", "error", errors.New("disk full")}, `17:20:05 warning: report not kept id=rep_1 error="disk full"`, `faint[17:20:05] bold[warning:] report not kept id=rep_1 error="disk full"`},
		{"error", slog.LevelError, "panic", []any{"stack", "a\nb", slog.Group("at", "line", 3)}, `17:20:05 error: panic stack="a\nb" at.line=3`, `faint[17:20:05] red[error:] panic stack="a\nb" at.line=3`},
	}
	for _, tt := range tests {
		if tt.styled == "" {
			tt.styled = "faint[17:20:05]" + strings.TrimPrefix(tt.want, "17:20:05")
		}
		r := slog.NewRecord(at, tt.level, tt.message, 0)
		r.Add(tt.attrs...)
		var plain, styled bytes.Buffer
		if err := shortlog.New(&plain, slog.LevelDebug, nil).Handle(t.Context(), r); err != nil || plain.String() != tt.want+"\n" {
			t.Errorf("%s: expected %q, got %q, %v", tt.name, tt.want, &plain, err)
		}
		if err := shortlog.New(&styled, slog.LevelDebug, marked).Handle(t.Context(), r); err != nil || styled.String() != tt.styled+"\n" {
			t.Errorf("%s: expected %q, got %q, %v", tt.name, tt.styled, &styled, err)
		}
	}
}

// Attributes and groups of a logger stand before those of its records, and its level decides.
func TestLogger(t *testing.T) {
	var out bytes.Buffer
	log := slog.New(shortlog.New(&out, slog.LevelInfo, nil))
	one := log.With("a", 1).WithGroup("g").With("b", 2)
	log.Debug("not told")
	one.Info("told", "c", 3)
	log.With("d", 4).Info("other")
	lines := strings.Split(out.String(), "\n")
	if len(lines) != 3 || !strings.HasSuffix(lines[0], " told a=1 g.b=2 g.c=3") || !strings.HasSuffix(lines[1], " other d=4") {
		t.Errorf("got %q", lines)
	}
}

// Whatever a record has, it is one line without control characters.
func TestOneLine(t *testing.T) {
	keys := rapid.SampledFrom([]string{"status", "duration_ms", "key", "model", "served", "outcome", "class", "kind", "error", "reason", "seconds", "next", "attempts", "retries", "path", "other"})
	values := rapid.OneOf(rapid.Map(rapid.String(), slog.StringValue), rapid.Map(rapid.Int(), slog.IntValue), rapid.Map(rapid.Float64(), slog.Float64Value),
		rapid.Map(rapid.Bool(), slog.BoolValue), rapid.Map(rapid.SliceOf(rapid.String()), func(s []string) slog.Value { return slog.AnyValue(s) }),
		rapid.Map(rapid.String(), func(s string) slog.Value { return slog.AnyValue(errors.New(s)) }))
	rapid.Check(t, func(t *rapid.T) {
		message := rapid.OneOf(rapid.SampledFrom([]string{"request", "retry", "fallback", "breaker open"}), rapid.String()).Draw(t, "message")
		r := slog.NewRecord(at, slog.LevelInfo, message, 0)
		for range rapid.IntRange(0, 10).Draw(t, "attributes") {
			r.AddAttrs(slog.Attr{Key: rapid.OneOf(keys, rapid.String()).Draw(t, "key"), Value: values.Draw(t, "value")})
		}
		var out bytes.Buffer
		if err := shortlog.New(&out, slog.LevelInfo, nil).Handle(t.Context(), r); err != nil {
			t.Fatal(err)
		}
		line, whole := strings.CutSuffix(out.String(), "\n")
		if !whole || strings.IndexFunc(line, unicode.IsControl) >= 0 {
			t.Errorf("got %q", line)
		}
	})
}
