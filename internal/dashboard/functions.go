package dashboard

import (
	"fmt"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/callwright/callwright/internal/access"
	"github.com/callwright/callwright/internal/dashboard/internal/figures"
	"github.com/callwright/callwright/internal/dashboard/internal/humane"
	"github.com/callwright/callwright/internal/dashboard/internal/keyform"
	"github.com/callwright/callwright/internal/dashboard/internal/runlist"
	"github.com/callwright/callwright/internal/dashboard/internal/tracelist"
	"github.com/callwright/callwright/internal/health"
	"github.com/callwright/callwright/internal/htmltemplate"
	"github.com/callwright/callwright/internal/keyapi"
	"github.com/callwright/callwright/internal/keyring"
	"github.com/callwright/callwright/internal/ledger"
)

// functions are the functions that templates can call.
var functions = htmltemplate.Funcs{
	"ago":   humane.Ago,
	"clock": func(t time.Time) string { return t.UTC().Format("2006-01-02 15:04:05") },
	"stamp": func(t time.Time) string { return t.UTC().Format(time.RFC3339Nano) },
	"took":  humane.Took,
	"span":  span,
	"millis": func(d time.Duration) string {
		return strconv.FormatFloat(float64(d)/float64(time.Millisecond), 'f', 3, 64)
	},
	"number":   func(n any) string { return humane.Number(fmt.Sprint(n)) },
	"short":    humane.Short,
	"percent":  humane.Percent,
	"usd":      humane.USD,
	"figure":   func(n float64) string { return strconv.FormatFloat(n, 'f', -1, 64) },
	"pathOf":   func(name any) string { return strings.ReplaceAll(url.PathEscape(fmt.Sprint(name)), "%2F", "/") },
	"barChart": figures.Bars,
	"add":      func(a, b int) int { return a + b },
	"plural":   humane.Plural,
	"runState": runlist.StateOf,
	"visible":  runlist.Visible,
	"named":    splitNames,
	"pair":     func(a, b any) pair { return pair{a, b} },
	"newKey":   func() keyform.Form { return keyform.Form{Per: access.Month} },
	"groupForm": func(g keyapi.Group) keyform.Form {
		return keyform.Of(&keyring.Settings{Bounds: g.Bounds})
	},
}

// methods are the methods of values that templates can call.
var methods = []htmltemplate.Method{
	{Name: "Address", Expr: tracelist.Filter.Address},
	{Name: "Answered", Expr: (*figures.Outcomes).AnsweredCount},
	{Name: "Fresh", Expr: (*figures.Tokens).Fresh},
	{Name: "IsZero", Expr: time.Time.IsZero},
	{Name: "Name", Expr: (*shownKey).Name},
	{Name: "Own", Expr: (*shownKey).Own},
	{Name: "Requests", Expr: (*figures.Use).Requests},
	{Name: "Text", Expr: (*ledger.Line).Text},
	{Name: "Total", Expr: (*figures.Outcomes).Total},
	{Name: "Total", Expr: health.Requests.Total},
	{Name: "Words", Expr: (*figures.Fault).Words},
}

// A pair passes two values to a template that takes one.
type pair struct{ One, Two any }

// A word is a part of a sentence: a name, or the text between names.
type word struct {
	Text   string
	IsName bool
}

// splitNames splits a sentence at the backticks around names.
func splitNames(sentence string) (out []word) {
	for i, piece := range strings.Split(sentence, "`") {
		if piece != "" {
			out = append(out, word{piece, i%2 == 1})
		}
	}
	return out
}

// span formats a duration in whole hours or minutes.
func span(d time.Duration) string {
	if d >= time.Hour && d%time.Hour == 0 {
		return humane.Plural(int(d/time.Hour), "hour", "hours")
	}
	return humane.Plural(int(d/time.Minute), "minute", "minutes")
}
