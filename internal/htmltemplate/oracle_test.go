package htmltemplate_test

import (
	"html/template"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/callwright/callwright/internal/htmltemplate"
	"pgregory.net/rapid"
)

// A person is data of the templates of tests.
type person struct {
	Name, Link string
	Age        int
	Share      float64
	Known      bool
	Tags       []string
	Ranks      map[string]int
	Best       *person
	Friends    []*person
	Mark       any
	Born       time.Time
	Pet
}

// A Pet is embedded in a person.
type Pet struct{ Kind string }

func (p Pet) Call(times int) string     { return strings.Repeat(p.Kind+"! ", times) }
func (p *person) Initial() string       { return strings.ToUpper(p.Name[:min(1, len(p.Name))]) }
func twice(text string) string          { return text + text }
func join(parts ...string) string       { return strings.Join(parts, "+") }
func total(base int, of ...int) int     { return base + len(of) }
func half(n float64) float64            { return n / 2 }
func friendless(p *person) bool         { return len(p.Friends) == 0 }
func shout(text string) (string, error) { return strings.ToUpper(text), nil }

var functions = map[string]any{"twice": twice, "join": join, "total": total, "half": half, "friendless": friendless, "shout": shout}

var methods = []htmltemplate.Method{
	{Name: "Call", Expr: Pet.Call}, {Name: "Initial", Expr: (*person).Initial},
	{Name: "IsZero", Expr: time.Time.IsZero}, {Name: "Year", Expr: time.Time.Year},
}

// sources are templates that both packages execute.
var sources = []string{
	`<p>{{.Name}}, {{.Age}}, {{.Share}}, {{.Known}}, {{.Mark}}, {{.Tags}}, {{.Ranks}}</p>`,
	`<title>{{.Name}}</title><textarea rows="{{.Age}}">{{"\n"}}{{.Name}}</textarea>`,
	`<a href="{{.Link}}">{{.Name}}</a><a href="/at/{{.Link}}">x</a><a href="/at?q={{.Link}}&amp;r={{.Name}}#{{.Name}}">x</a><a href="#{{.Name}}">x</a><a href="{{.Link}}{{.Name}}">x</a>`,
	`<form action="{{.Link}}"><input name="a" value="{{.Name}}"{{if .Known}} checked{{end}}><option{{if gt .Age 3}} selected{{else}} disabled{{end}}>{{.Age}}</option></form>`,
	`<td class="tag {{if .Known}}yes{{else}}{{.Name}}{{end}}" data-label='{{.Name}}' title="{{.Name}}">{{with .Best}}{{.Name}}{{else}}–{{end}}</td>`,
	`<th scope="{{if gt .Age 1}}rowgroup" rowspan="{{.Age}}{{else}}row{{end}}">{{.Age}}</th>`,
	`{{range $i, $t := .Tags}}{{if $i}}, {{end}}<b id="t{{$i}}">{{$t}}</b>{{else}}none{{end}}{{range .Ranks}}{{.}} {{end}}{{range $k, $v := .Ranks}}{{$k}}={{$v}};{{end}}`,
	`{{$p := .}}{{range .Friends}}{{$q := .}}{{.Name}} and {{$p.Name}}{{range .Tags}} {{.}}/{{$q.Name}}{{end}}{{with .Best}}({{.Age}}){{end}}{{end}}{{len .Friends}}`,
	`{{.Call 2}}{{.Kind}}{{.Initial}}{{with .Best}}{{.Initial}}{{.Call 1}}{{.Kind}}{{end}}{{.Born.Year}}{{if .Born.IsZero}}never{{end}}`,
	`{{twice .Name}}{{.Name | twice | shout}}{{join "a" .Name .Kind}}{{total .Age 1 2}}{{half .Share}}{{half 3}}{{if friendless .}}alone{{end}}{{(index .Tags 0) | twice}}`,
	`{{if and .Known (gt .Age 2) (ne .Name "x")}}1{{else if or (not .Known) (eq .Age 1 2 3)}}2{{else}}3{{end}}{{or .Name "none"}}{{and .Known .Age}}`,
	`{{lt .Age 2}}{{le .Age 2}}{{ge .Age 2}}{{eq .Share 0.5}}{{eq .Name .Kind}}{{index .Ranks "a"}}{{index .Ranks "zz"}}{{print .Name 1 2 .Age}}{{printf "%q-%d" .Name .Age}}`,
	`{{define "leaf"}}<li>{{.Name}}{{range .Friends}}{{template "leaf" .}}{{end}}</li>{{end}}<ul>{{template "leaf" .}}</ul>{{define "none"}}{{end}}{{template "none"}}`,
	"<!doctype html>\n<svg viewBox=\"0 0 {{.Age}} 4\"><path d=\"M{{.Age}} 5H{{.Share}}\"/></svg><input required placeholder=\"{{.Name}}\" maxlength=9>{{- /* gone */ -}} <br/>",
	`{{with $x := .Age}}{{$x}}{{$x = 5}}{{$x}}{{end}}{{$y := 1}}{{if .Known}}{{$y = 2}}{{end}}{{$y}}{{$.Name}}{{true}}{{"<q>"}}{{1.5}}{{'a'}}`,
	`<img src="{{.Link}}" alt="{{.Name}}"><time datetime="{{.Name}}">{{.Name}}</time><div hx-get="/x/{{.Age}}" aria-label="{{.Name}}"></div>`,
}

// hostile are pieces of texts that mean something in markup and URLs.
var hostile = []string{
	"<script>alert(1)</script>", `"`, "'", "<", ">", "&", "&amp;", "+", "\x00", "javascript:", "JaVaScRiPt:alert(1)", "data:text/html,", "https://a.example/", "//", "/", "\\", "?", "#", "%", "%41", "%zz",
	" ", "\t", "\n", "</title>", "</textarea>", "--", "]]>", "ü", "\u2028", "=", "(", ")", "a", "mailto:", "vbscript:", ":", "{{", "`", "onload=", "\xff",
}

func texts() *rapid.Generator[string] {
	return rapid.Custom(func(t *rapid.T) string {
		return strings.Join(rapid.SliceOfN(rapid.SampledFrom(hostile), 0, 5).Draw(t, "pieces"), "")
	})
}

func people(depth int) *rapid.Generator[*person] {
	return rapid.Custom(func(t *rapid.T) *person {
		p := &person{
			Name: texts().Draw(t, "name"), Link: texts().Draw(t, "link"), Age: rapid.IntRange(-2, 5).Draw(t, "age"), Share: rapid.SampledFrom([]float64{0, 0.5, 1e21, -3.25}).Draw(t, "share"),
			Known: rapid.Bool().Draw(t, "known"), Tags: rapid.SliceOfN(texts(), 0, 3).Draw(t, "tags"), Ranks: map[string]int{}, Pet: Pet{texts().Draw(t, "kind")},
		}
		for _, k := range rapid.SliceOfN(rapid.SampledFrom([]string{"a", "b", "<c>", "Z"}), 0, 3).Draw(t, "keys") {
			p.Ranks[k] = len(k)
		}
		if rapid.Bool().Draw(t, "born") {
			p.Born = time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC)
		}
		name := p.Name
		p.Mark = rapid.SampledFrom([]any{nil, 1, "<b>", &name, time.Second, []string{"<"}, Pet{"x"}}).Draw(t, "mark")
		if depth > 0 {
			p.Friends = rapid.SliceOfN(people(depth-1), 0, 2).Draw(t, "friends")
			if rapid.Bool().Draw(t, "best") {
				p.Best = people(depth-1).Draw(t, "friend")
			}
		}
		return p
	})
}

// TestAgainstStandard compares pages with those of html/template, byte for byte.
func TestAgainstStandard(t *testing.T) {
	for i, source := range sources {
		t.Run(strconv.Itoa(i), func(t *testing.T) {
			theirs, err := template.New("page").Funcs(functions).Parse(source)
			if err != nil {
				t.Fatal(err)
			}
			ours, err := htmltemplate.Parse(functions, methods, htmltemplate.Text{Name: "page", Source: source})
			if err != nil {
				t.Fatal(err)
			}
			rapid.Check(t, func(t *rapid.T) {
				data := people(2).Draw(t, "data")
				var got, want strings.Builder
				err, theirError := ours.Execute(&got, "page", data), theirs.Execute(&want, data)
				if (err == nil) != (theirError == nil) {
					t.Fatalf("%v, but html/template %v", err, theirError)
				}
				if expected := strings.ReplaceAll(want.String(), "#ZgotmplZ", htmltemplate.BlockedURL); err == nil && got.String() != expected {
					t.Fatalf("\n got %q\nwant %q", got.String(), expected)
				}
			})
		})
	}
}
