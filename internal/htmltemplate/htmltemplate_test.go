package htmltemplate_test

import (
	"errors"
	"reflect"
	"strings"
	"testing"

	"github.com/callwright/callwright/internal/htmltemplate"
)

// TestRefused has templates in which a value would stand where no escaping makes it safe, or whose markup cannot be followed.
func TestRefused(t *testing.T) {
	for source, want := range map[string]string{
		`<script>let a = {{.}}</script>`:               "a value in <script>",
		`<style>p { color: {{.}} }</style>`:            "a value in <style>",
		`<p onclick="f({{.}})">`:                       "in no list",
		`<p style="color: {{.}}">`:                     "in no list",
		`<p hx-on:click="{{.}}">`:                      "in no list",
		`<iframe srcdoc="{{.}}">`:                      "in no list",
		`<img srcset="{{.}}">`:                         "in no list",
		`<meta content="{{.}}">`:                       "in no list",
		`<base href="{{.}}">`:                          "in no list",
		`<object data="{{.}}">`:                        "in no list",
		`<a ping="{{.}}">`:                             "in no list",
		`<p class={{.}}>`:                              "without quotation marks",
		`<p class=a{{.}}>`:                             "in the tag",
		`<p {{.}}>`:                                    "in the tag",
		`<p {{.}}="x">`:                                "in the tag",
		`<p cl{{.}}="x">`:                              "in the tag",
		`<{{.}}>`:                                      "comments are written",
		`</{{.}}>`:                                     "comments are written",
		`<p{{.}}>`:                                     "in the tag",
		`<!-- {{.}} -->`:                               "comments are written",
		`<!doctype {{.}}>`:                             "in the tag",
		`1 < 2 {{.}}`:                                  "comments are written",
		`<scr{{if .}}{{end}}ipt>{{.}}</script>`:        "continues a name",
		`<p titl{{if .}}{{end}}e="{{.}}">`:             "continues a name",
		`<p{{if .}} on{{end}}click="{{.}}">`:           "continues a name",
		`<p{{if .}} class{{end}}="{{.}}">`:             "continues a name",
		`<p class="{{if .}}">{{end}}`:                  "different points",
		`{{if .}}<p {{end}}class="a">`:                 "different points",
		`<p class="{{range .}}"{{end}}">`:              "different points",
		`{{range .}}<b {{end}}`:                        "different points",
		`<title>{{if .}}</title>{{end}}`:               "different points",
		`<title>a</ti{{.}}`:                            "may begin the end",
		`<textarea>{{template "a" .}}</textarea>`:      "is called in the text of <textarea>",
		`<p title="{{template "a" .}}">`:               "is called in a value of <p>",
		`<a href="{{if .}}/a{{else}}?b={{end}}{{.}}">`: "different parts",
		`<p class="a`:                                  "it ends in a value",
		`<p`:                                           "it ends in the tag",
		`<script>`:                                     "it ends in the text of <script>",
		`<p class='a'"b">{{.}}`:                        "in the tag",
		`<p "a">`:                                      "in the tag",
		`<p class=>`:                                   "expected a value",
		`<p class= "a">`:                               "expected a value",
		"<p class=a`b>":                                "without quotation marks",
		"<p a`b>":                                      "in the name of an attribute",
		`<p<b>`:                                        "in the name of a tag",
		`{{range .}}{{break}}{{end}}`:                  "not supported",
		`{{template "none" .}}`:                        "no template",
		`{{none .}}`:                                   "not defined",
		`{{define "a"}}{{end}}`:                        "defined twice",
	} {
		_, err := htmltemplate.Parse(nil, nil, htmltemplate.Text{Name: "page", Source: source}, htmltemplate.Text{Name: "other", Source: `{{define "a"}}a{{end}}`})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", source, err, want)
		}
	}
}

// TestURLs has what becomes of URLs that could run a script, and of those that would load one from elsewhere.
func TestURLs(t *testing.T) {
	set := htmltemplate.MustParse(nil, nil, htmltemplate.Text{Name: "a", Source: `<a href="{{.}}">`}, htmltemplate.Text{Name: "script", Source: `<script src="{{.}}"></script>`},
		htmltemplate.Text{Name: "link", Source: `<link href="{{.}}">`})
	for url, kept := range map[string][2]bool{ // in a link, and in the URL of a script
		"/ui/a.js": {true, true}, "../a.css": {true, true}, "a": {true, true}, "": {true, true}, "a?b=c#d": {true, true},
		"https://a.example/": {true, false}, "HTTP://a.example": {true, false}, "mailto:a@b.example": {true, false}, "//a.example/a.js": {true, false}, `\\a.example`: {true, false}, "/\t/a.example": {true, false},
		"a:b": {false, false}, "javascript:alert(1)": {false, false}, "JAVASCRIPT:alert(1)": {false, false}, " javascript:alert(1)": {false, false}, "java\nscript:alert(1)": {false, false},
		"data:text/html,a": {false, false}, "vbscript:a": {false, false}, "\x01javascript:a": {false, false}, "a/b:c": {true, false},
	} {
		for name, want := range map[string]bool{"a": kept[0], "script": kept[1], "link": kept[1]} {
			var out strings.Builder
			if err := set.Execute(&out, name, url); err != nil {
				t.Fatal(err)
			}
			if got := !strings.Contains(out.String(), `"`+htmltemplate.BlockedURL+`"`); got != want {
				t.Errorf("%s of %q: %s", name, url, out.String())
			}
		}
	}
}

// TestMarkup has the place where markup may stand, and those where it is an error.
func TestMarkup(t *testing.T) {
	for source, want := range map[string]string{
		`<p>{{.}}</p>`:            "<p><b>1</b></p>",
		`<title>{{.}}</title>`:    "",
		`<p title="{{.}}"></p>`:   "",
		`<a href="/{{.}}"></a>`:   "",
		`<a href="?a={{.}}"></a>`: "",
	} {
		var out strings.Builder
		err := htmltemplate.MustParse(nil, nil, htmltemplate.Text{Name: "page", Source: source}).Execute(&out, "page", htmltemplate.HTML("<b>1</b>"))
		if want == "" && err == nil || want != "" && out.String() != want {
			t.Errorf("%s: %q, %v", source, out.String(), err)
		}
	}
}

// TestErrors has what fails when a template is executed: the error names the template, the line and the action.
func TestErrors(t *testing.T) {
	funcs := htmltemplate.Funcs{
		"fail":  func() (string, error) { return "", errors.New("no luck") },
		"panic": func() string { panic("a hole") },
		"upper": strings.ToUpper,
	}
	for source, want := range map[string]string{
		"a\n{{.None}}":          "page:2:2: .None: htmltemplate_test.person has no field and no method None",
		`{{.Best.Name}}`:        "a nil *htmltemplate_test.person has no Name",
		`{{.Mark.Name}}`:        "nothing has no Name",
		`{{.Initial}}`:          "no field and no method Initial",
		`{{fail}}`:              "no luck",
		`{{panic}}`:             "panic: a hole",
		`{{upper 1}}`:           "argument 1: int, where string is expected",
		`{{upper "a" "b"}}`:     "2 arguments for func(string) string",
		`{{range .Age}}{{end}}`: "range over int",
		`{{index .Tags 3}}`:     "no entry 3 in a list of 0",
		`{{lt .Age .Name}}`:     "not comparable: int and string",
		`{{.Name 1}}`:           "Name is a field and has arguments",
		`{{define "a"}}{{template "a" .}}{{end}}{{template "a" .}}`: "more than 1000 deep",
	} {
		set, err := htmltemplate.Parse(funcs, nil, htmltemplate.Text{Name: "page", Source: source})
		if err == nil {
			err = set.Execute(&strings.Builder{}, "page", &person{})
		}
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", source, err, want)
		}
	}
	for name, funcs := range map[string]htmltemplate.Funcs{"none": {"a": 1}, "results": {"a": func() {}}, "second": {"a": func() (int, int) { return 1, 2 }}} {
		if _, err := htmltemplate.Parse(funcs, nil); err == nil {
			t.Errorf("%s: the function was taken", name)
		}
	}
	if _, err := htmltemplate.Parse(nil, []htmltemplate.Method{{Name: "a", Expr: func() int { return 1 }}}); err == nil {
		t.Error("a function without a receiver was taken")
	}
}

// TestCheckFields finds fields that are not there in branches that data does not reach.
func TestCheckFields(t *testing.T) {
	for source, want := range map[string]string{
		`{{range .Friends}}{{.Best.Name}}{{.Best.Call 1}}{{range $i, $t := .Tags}}{{$t}}{{end}}{{end}}{{.Mark.Any}}{{.Born.Year}}{{.Initial}}{{(index .Friends 0).Age}}`: "",
		`{{if .Known}}{{.Nme}}{{end}}`:                                         "has no field and no method Nme",
		`{{range .Friends}}{{else}}{{.Nme}}{{end}}`:                            "has no field and no method Nme",
		`{{range .Friends}}{{.Best.Nme}}{{end}}`:                               "has no field and no method Nme",
		`{{range $i, $f := .Friends}}{{$f.Nme}}{{end}}`:                        "has no field and no method Nme",
		`{{with .Best}}{{template "a" .}}{{end}}{{define "a"}}{{.Nme}}{{end}}`: "has no field and no method Nme",
		`{{$p := .Best}}{{with .Age}}{{twice $p.Nme}}{{end}}`:                  "has no field and no method Nme",
		`{{(index .Friends 0).Nme}}`:                                           "has no field and no method Nme",
		`{{.Born.Month}}`:                                                      "has no field and no method Month",
		`{{with twice "a"}}{{.Nme}}{{end}}`:                                    "has no field and no method Nme",
	} {
		set, err := htmltemplate.Parse(functions, methods, htmltemplate.Text{Name: "page", Source: source})
		if err == nil {
			err = set.CheckFields("page", reflect.TypeFor[*person]())
		}
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%s: %v, want %q", source, err, want)
		}
	}
}
