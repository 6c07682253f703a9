package unread_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/callwright/callwright/internal/unread"
)

func isDeclared(name string) bool { return name == "get_weather" || name == "maps.find-route" }

func TestFind(t *testing.T) {
	long := "<call get_weather city=\"" + strings.Repeat("ö", 300) + "\">"
	for text, want := range map[string]string{
		"<call_tool name=get_weather city=Oslo>":                               "<call_tool name=get_weather city=Oslo>",
		"I look.\n\n[[TOOL get_weather {\"city\":\"Oslo\"}]]\nWait.":           "[[TOOL get_weather {\"city\":\"Oslo\"}]]\nWait.",
		"{\"use_tool\": \"maps.find-route\", \"with\": {}}":                    "{\"use_tool\": \"maps.find-route\", \"with\": {}}",
		"```\n<invoke>get_weather</invoke>\n```":                               "<invoke>get_weather</invoke>\n",
		"【function】\nget_weather":                                              "【function】\nget_weather",
		"  <call get_weather>":                                                 "<call get_weather>",
		"For example:\n<call get_weather>\nNow in earnest.\n<call get_weather": "<call get_weather",
		long: long[:unread.MaxText],

		"":                               "",
		"<call get_weath>":               "",
		"<call get_weather_now>":         "",
		"<b>get_weather</b> is a tool":   "",
		"A <call get_weather> in a line": "",
		"[tool docs](https://a.test) get_weather":                                   "",
		"[the tool, get_weather]":                                                   "",
		"| tool | get_weather |":                                                    "",
		"< tool get_weather":                                                        "",
		"<tool_response>get_weather is down":                                        "",
		"The format is:\n<call>\n<tool name=get_weather>":                           "",
		"Look:\n```xml\n<call get_weather>\n```\nand\n~~~\n<call get_weather>\n~~~": "",
		"```xml\n<call get_weather>\n```\nis the form, ``` ends it":                 "",
		"<tool " + strings.Repeat("a ", 40) + "get_weather>":                        "",
	} {
		f, ok := unread.Find(text, isDeclared)
		if f.Text != want || ok != (want != "") || ok && !isDeclared(f.Tool) {
			t.Errorf("%q: got %+v, want %q", text, f, want)
		}
		if !utf8.ValidString(f.Text) {
			t.Errorf("%q: %q is cut in a character", text, f.Text)
		}
	}
}

// FuzzFind: what is found stands in the text and names a declared tool.
func FuzzFind(f *testing.F) {
	f.Add("<call_tool name=get_weather>")
	f.Add("```\n[tool: get_weather]\n```")
	f.Fuzz(func(t *testing.T, text string) {
		found, ok := unread.Find(text, isDeclared)
		if ok != (found.Tool != "") || !strings.Contains(text, found.Text) || ok && !isDeclared(found.Tool) || len(found.Text) > unread.MaxText {
			t.Fatalf("%+v", found)
		}
	})
}

func BenchmarkFind(b *testing.B) {
	text := strings.Repeat("<div class=\"tool\">words of a page, nothing is called</div>\n", 2000)
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		unread.Find(text, isDeclared)
	}
}
