package linebuffer_test

import (
	"bytes"
	"errors"
	"io"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/callwright/callwright/cmd/callwright/internal/linebuffer"
	"pgregory.net/rapid"
)

var forms = map[string]func(io.Writer) slog.Handler{
	"text": func(w io.Writer) slog.Handler { return slog.NewTextHandler(w, nil) },
	"json": func(w io.Writer) slog.Handler { return slog.NewJSONHandler(w, nil) },
}

// fast formats as the handler of package slog with the same name.
var fast = map[string]func(io.Writer) slog.Handler{"text": func(w io.Writer) slog.Handler { return linebuffer.NewTextHandler(w, slog.LevelInfo) }, "json": forms["json"]}

var value = rapid.OneOf(
	rapid.Map(rapid.String(), slog.StringValue), rapid.Map(rapid.Int(), slog.IntValue), rapid.Map(rapid.Float64Range(-1e9, 1e9), slog.Float64Value),
	rapid.Map(rapid.Bool(), slog.BoolValue), rapid.Map(rapid.SliceOfN(rapid.String(), 0, 2), func(s []string) slog.Value { return slog.AnyValue(s) }),
	rapid.Just(slog.AnyValue(errors.New("it failed"))), rapid.Just(slog.DurationValue(time.Second)), rapid.Just(slog.GroupValue(slog.Int("a", 1), slog.Int("b", 2))),
	rapid.Just(slog.TimeValue(time.Unix(0, 0).UTC())), rapid.Just(slog.AnyValue(nil)), rapid.Map(rapid.Float64(), slog.Float64Value),
	rapid.Map(rapid.Uint64(), slog.Uint64Value), rapid.Map(rapid.Int64(), func(n int64) slog.Value { return slog.TimeValue(time.Unix(n/1e9, n%1e9)) }),
	rapid.Map(rapid.StringOf(rapid.RuneFrom([]rune("ab\\=\" \x7f\u00a0\u2028\ufffd\u00e9\t"))), slog.StringValue),
)

var at = rapid.OneOf(rapid.Just(time.Time{}), rapid.Map(rapid.Int64Range(0, 1e18), func(n int64) time.Time { return time.Unix(0, n) }),
	rapid.Map(rapid.Int64Range(0, 1e18), func(n int64) time.Time { return time.Unix(0, n).In(time.FixedZone("", 19800)) }))

// A buffered log has the lines that its handler writes by itself, in the order in which they came, with what else is written between them.
func TestSameLines(t *testing.T) {
	for name, form := range forms {
		t.Run(name, rapid.MakeCheck(func(t *rapid.T) {
			var got, want bytes.Buffer
			lines := linebuffer.New(&got)
			one, other := lines.Handler(fast[name]), form(&want)
			for range rapid.IntRange(0, 40).Draw(t, "steps") {
				attr := slog.Attr{Key: rapid.String().Draw(t, "key"), Value: value.Draw(t, "value")}
				switch rapid.IntRange(0, 20).Draw(t, "step") {
				case 0:
					one, other = one.WithAttrs([]slog.Attr{attr}), other.WithAttrs([]slog.Attr{attr})
				case 1:
					one, other = one.WithGroup("group"), other.WithGroup("group")
				case 2:
					_, _ = io.WriteString(lines, "plain\n")
					_, _ = io.WriteString(&want, "plain\n")
				case 3:
					lines.Flush()
				default:
					r := slog.NewRecord(at.Draw(t, "time"), slog.Level(rapid.IntRange(0, 9).Draw(t, "level")), rapid.String().Draw(t, "message"), 0)
					for range rapid.IntRange(0, 8).Draw(t, "attributes") {
						r.AddAttrs(attr)
					}
					_ = one.Handle(t.Context(), r)
					_ = other.Handle(t.Context(), r)
				}
			}
			lines.Flush()
			if got.String() != want.String() {
				t.Errorf("got %s\nwant %s", &got, &want)
			}
		}))
	}
}

// Every line is written soon, and only what its level lets through.
func TestLinesAreWrittenSoon(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var out bytes.Buffer
		log := slog.New(linebuffer.New(&out).Handler(forms["text"]))
		for range 3 {
			before := out.Len()
			log.Info("one", "n", 1)
			log.Debug("not told")
			time.Sleep(time.Second)
			synctest.Wait()
			if text := out.String()[before:]; strings.Count(text, "\n") != 1 || !strings.HasSuffix(text, "level=INFO msg=one n=1\n") {
				t.Errorf("got %q", text)
			}
		}
	})
}

// What a value refers to may change after it was logged.
func TestChangedLater(t *testing.T) {
	var out bytes.Buffer
	lines := linebuffer.New(&out)
	n := 1
	slog.New(lines.Handler(forms["json"])).Info("one", "value", struct{ N *int }{&n})
	n = 2
	lines.Flush()
	if !strings.Contains(out.String(), `"value":{"N":1}`) {
		t.Errorf("got %s", &out)
	}
}

// Many may write at once, and each line is whole.
func TestManyWriters(t *testing.T) {
	var out bytes.Buffer
	lines := linebuffer.New(&out)
	log := slog.New(lines.Handler(forms["text"]))
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for range 100 {
				log.Info("one", "n", 1)
				log.Info("two", "error", io.EOF)
			}
		})
	}
	wg.Wait()
	lines.Flush()
	for _, line := range []string{"msg=one n=1\n", "msg=two error=EOF\n"} {
		if got := strings.Count(out.String(), line); got != 800 {
			t.Errorf("got %d of 800 lines %q", got, line)
		}
	}
}

// BenchmarkLine measures the line of a request.
func BenchmarkLine(b *testing.B) {
	lines := linebuffer.New(io.Discard)
	h := lines.Handler(fast["text"])
	r := slog.NewRecord(time.Now(), slog.LevelInfo, "request", 0)
	r.AddAttrs(slog.String("method", "POST"), slog.String("path", "/v1/chat/completions"), slog.Int("status", 200), slog.Float64("duration_ms", 1.234),
		slog.String("wire", "openai"), slog.String("model", "mine"), slog.String("report", "rep_0123456789abcdef"), slog.String("served", "lab/m"),
		slog.Int("attempts", 1), slog.String("mode", "native"), slog.Int("input_tokens", 3000), slog.Int("output_tokens", 120), slog.Bool("untouched", true))
	b.ReportAllocs()
	for b.Loop() {
		_ = h.Handle(b.Context(), r)
	}
	lines.Flush()
}
