package conformance

import (
	"context"
	"fmt"
	"html"
	"strconv"
	"strings"
	"unicode/utf16"
)

// Checks of argument values, tool names and schemas.

func checkNumbers(ctx context.Context, t *trial) verdict {
	return bothWays(func(stream bool) verdict {
		return t.untilCalled(ctx, ordering(stream, []tool{add}, numbers), func(got *answer) verdict {
			if isOrdered(got.calls, numbers) {
				return pass("called %s", describeCalls(got.calls))
			}
			args, _ := parse([]byte(got.calls[0].args))
			for key, want := range map[string]int64{"a": 9007199254740993, "b": 9223372036854775807} {
				if n := args.at(key); isRounded(n, want) {
					return fail(got, "%d was returned as %s, rounded to a 64-bit float", want, n.raw())
				}
			}
			return otherwise(got, numbers)
		})
	})
}

// isRounded reports whether n differs from want and equals it after a conversion to a 64-bit floating point number.
func isRounded(n tree, want int64) bool {
	text := n.raw()
	if !n.isNumber() || text == strconv.FormatInt(want, 10) {
		return false
	}
	f, err := strconv.ParseFloat(text, 64)
	return err == nil && f == float64(want)
}

func checkBigSchema(ctx context.Context, t *trial) verdict {
	return t.judgeHistoryAnswer(t.send(ctx, &request{messages: []message{user(greeting)}, tools: []tool{bounded}}))
}

func checkUnicode(ctx context.Context, t *trial) verdict { return checkText(ctx, t, scripts) }

func checkMarkup(ctx context.Context, t *trial) verdict { return checkText(ctx, t, markup) }

// checkText orders a call with a text argument and checks whether the server damaged the text.
func checkText(ctx context.Context, t *trial, want call) verdict {
	ordered, _ := parse([]byte(want.args))
	return bothWays(func(stream bool) verdict {
		return t.untilCalled(ctx, ordering(stream, []tool{note}, want), func(got *answer) verdict {
			if isOrdered(got.calls, want) {
				return pass("called %s", describeCalls(got.calls))
			}
			args, _ := parse([]byte(got.calls[0].args))
			if why := damage(ordered.at("text").text(), args.at("text").text()); why != "" {
				return fail(got, "%s: %s", why, describeCalls(got.calls))
			}
			return otherwise(got, want)
		})
	})
}

// damage describes a known kind of damage by which want became got, "" if none applies.
func damage(want, got string) string {
	escapedHTML := strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;")
	for _, d := range []struct {
		why  string
		made string
	}{
		{"entities were decoded", html.UnescapeString(want)},
		{"characters were written as entities", html.EscapeString(want)},
		{"characters were written as entities", escapedHTML.Replace(want)},
		{"spaces at the ends were removed", strings.TrimSpace(want)},
		{"a line end at each end was removed", strings.TrimSuffix(strings.TrimPrefix(want, "\n"), "\n")},
		{"escapes were doubled", escapedTwice(want)},
		{"UTF-8 was read as Latin-1", latin1(want)},
	} {
		if d.made != want && d.made == got {
			return d.why
		}
	}
	if strings.ContainsRune(got, '\uFFFD') {
		return "characters were lost"
	}
	return ""
}

// escapedTwice returns a text in which each non-ASCII character is a literal JSON escape, such as \u00fc.
func escapedTwice(text string) string {
	var b strings.Builder
	for _, r := range text {
		if r < 0x80 {
			b.WriteRune(r)
			continue
		}
		for _, unit := range utf16.Encode([]rune{r}) {
			fmt.Fprintf(&b, `\u%04x`, unit)
		}
	}
	return b.String()
}

// latin1 returns a text whose UTF-8 bytes were decoded as Latin-1.
func latin1(text string) string {
	var b strings.Builder
	for i := range len(text) {
		b.WriteRune(rune(text[i]))
	}
	return b.String()
}

func checkLongName(ctx context.Context, t *trial) verdict { return t.nameKept(ctx, longName, false) }

func checkDottedName(ctx context.Context, t *trial) verdict {
	return t.nameKept(ctx, dottedName, true)
}

// nameKept orders a call of a tool with an unusual name and checks that the call has the same name. mayRefuse allows
// the server to reject the tool.
func (t *trial) nameKept(ctx context.Context, special tool, mayRefuse bool) verdict {
	want := call{name: special.name, args: inOslo.args}
	return bothWays(func(stream bool) verdict {
		got := t.send(ctx, ordering(stream, []tool{special}, want))
		if mayRefuse && got.isRefused() && !noTools.Match(got.body) {
			return pass("refused: %s", short(string(got.body)))
		}
		if v, refused := t.refusal(got); refused {
			return v
		}
		for _, c := range got.calls {
			if c.name != special.name && plainName(c.name) == plainName(special.name) {
				return fail(got, "the call names the tool %q, but the declared name is %q", c.name, special.name)
			}
		}
		if len(got.calls) == 0 {
			return notTested("the model did not call a tool: %s", describeText(got))
		}
		return pass("accepted, and answered with %s", describeAnswer(got))
	})
}

// plainName returns the first 20 letters and digits of a name. Adapting a name to the rules of a provider usually keeps
// them.
func plainName(name string) string {
	name = strings.NewReplacer(".", "", "-", "", "_", "", ":", "").Replace(name)
	return name[:min(len(name), 20)]
}

func checkNested(ctx context.Context, t *trial) verdict {
	return t.untilCalled(ctx, ordering(false, []tool{trip}, nested), func(got *answer) verdict {
		if !isOrdered(got.calls, nested) {
			return otherwise(got, nested)
		}
		return pass("called %s", describeCalls(got.calls))
	})
}

func checkKeywords(ctx context.Context, t *trial) verdict {
	return t.judgeHistoryAnswer(t.send(ctx, &request{messages: []message{user(greeting)}, tools: []tool{find}}))
}

func checkStrict(ctx context.Context, t *trial) verdict {
	strict := weather
	strict.strict = true
	return t.judgeHistoryAnswer(t.send(ctx, &request{messages: []message{user(greeting)}, tools: []tool{strict}}))
}

func checkFormat(ctx context.Context, t *trial) verdict {
	return bothWays(func(stream bool) verdict {
		got := t.send(ctx, &request{messages: []message{user(aboutSea)}, format: seaSchema, stream: stream})
		if v, refused := t.refusal(got); refused {
			return v
		}
		if got.finish == finishLength {
			return notTested("the token limit was reached")
		}
		doc, err := parse([]byte(strings.TrimSpace(got.text)))
		if err != nil {
			return fail(got, "the answer is not JSON: %s", describeText(got))
		}
		continents := map[string]bool{"Africa": true, "America": true, "Asia": true, "Australia": true, "Europe": true}
		if !doc.at("sea").isString() || !continents[doc.at("continent").text()] {
			return fail(got, "the answer does not satisfy the schema: %s", short(got.text))
		}
		return pass("it is %s", short(got.text))
	})
}
