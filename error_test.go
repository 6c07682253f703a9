package callwright_test

import (
	"context"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"regexp"
	"slices"
	"strconv"
	"testing"

	"github.com/callwright/callwright"
)

// kindsOf are the constants of Kind with the HTTP statuses that their comments give.
func kindsOf(t *testing.T) map[callwright.Kind]int {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), "error.go", nil, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	status := regexp.MustCompile(`\b[45]\d\d\b`)
	out := map[callwright.Kind]int{}
	ast.Inspect(file, func(n ast.Node) bool {
		v, ok := n.(*ast.ValueSpec)
		if !ok || len(v.Values) != 1 || v.Comment == nil {
			return true
		}
		if id, ok := v.Type.(*ast.Ident); ok && id.Name == "Kind" {
			name, _ := strconv.Unquote(v.Values[0].(*ast.BasicLit).Value)
			out[callwright.Kind(name)], _ = strconv.Atoi(status.FindString(v.Comment.Text()))
		}
		return true
	})
	return out
}

// Every kind has the status that its comment promises, and only those are tried again that may succeed.
func TestKinds(t *testing.T) {
	transient := []callwright.Kind{
		callwright.KindTimeout, callwright.KindRateLimited, callwright.KindBadAnswer, callwright.KindTruncated, callwright.KindServer,
		callwright.KindUnavailable, callwright.KindOverloaded, callwright.KindDraining,
	}
	kinds := kindsOf(t)
	if len(kinds) < 20 {
		t.Fatalf("found %d kinds", len(kinds))
	}
	for kind, status := range kinds {
		if kind.Status() == 0 || kind.Status() != status {
			t.Errorf("%s: status %d, its comment says %d", kind, kind.Status(), status)
		}
		if got := kind.Transient(); got != slices.Contains(transient, kind) {
			t.Errorf("%s: transient %t", kind, got)
		}
	}
	if k := callwright.Kind("unheard_of"); k.Status() != 0 || k.Transient() {
		t.Error("an unknown kind has a row")
	}
}

func TestErrorText(t *testing.T) {
	for _, tc := range []struct {
		err  callwright.Error
		want string
	}{
		{callwright.Error{}, ""},
		{callwright.Error{Kind: callwright.KindTimeout}, "timeout"},
		{callwright.Error{Op: "provider.send", Kind: callwright.KindTimeout}, "provider.send"},
		{callwright.Error{Op: "anthropic.decode", Kind: callwright.KindInvalid, Path: "/messages/0", Message: "expected a list, got 3"}, "anthropic.decode: /messages/0: expected a list, got 3"},
		{callwright.Error{Op: "provider.send", Model: "groq/x", Message: "no answer", Err: context.Canceled, Status: 400, Code: "c", Body: []byte("b")}, "provider.send: groq/x: no answer: context canceled"},
		{callwright.Error{Err: context.Canceled}, "context canceled"},
	} {
		if got := tc.err.Error(); got != tc.want {
			t.Errorf("%q, want %q", got, tc.want)
		}
	}
}

func TestErrorf(t *testing.T) {
	err := callwright.Errorf("openai.decode", callwright.KindInvalid, "/tools/1", "expected %s, got %d", "an object", 3)
	if err.Op != "openai.decode" || err.Kind != callwright.KindInvalid || err.Path != "/tools/1" || err.Message != "expected an object, got 3" || err.Err != nil {
		t.Errorf("%+v", err)
	}
}

func TestHTTPStatus(t *testing.T) {
	for _, tc := range []struct {
		about string
		err   callwright.Error
		want  int
	}{
		{"the kind's", callwright.Error{Kind: callwright.KindAuth}, 401},
		{"the provider's", callwright.Error{Kind: callwright.KindServer, Status: 521}, 521},
		{"one more exact than the kind's", callwright.Error{Kind: callwright.KindInvalid, Status: 422}, 422},
		{"a success is no status of an error", callwright.Error{Kind: callwright.KindBadAnswer, Status: 200}, 502},
		{"out of range", callwright.Error{Kind: callwright.KindBadAnswer, Status: 600}, 502},
		{"an internal error says no more", callwright.Error{Kind: callwright.KindInternal, Status: 404}, 500},
		{"an unknown kind", callwright.Error{Kind: "unheard_of"}, 500},
		{"no kind", callwright.Error{}, 500},
		{"no kind, but a status", callwright.Error{Status: 404}, 404},
	} {
		if got := tc.err.HTTPStatus(); got != tc.want {
			t.Errorf("%s: %d, want %d", tc.about, got, tc.want)
		}
	}
}

func TestKindOf(t *testing.T) {
	inner := &callwright.Error{Kind: callwright.KindRateLimited, Err: context.Canceled}
	outer := &callwright.Error{Kind: callwright.KindUnavailable, Err: inner}
	for _, tc := range []struct {
		err  error
		want callwright.Kind
	}{
		{nil, ""},
		{errors.New("other"), callwright.KindInternal},
		{inner, callwright.KindRateLimited},
		{fmt.Errorf("sending: %w", inner), callwright.KindRateLimited},
		{outer, callwright.KindUnavailable},
		{errors.Join(errors.New("other"), inner), callwright.KindRateLimited},
	} {
		if got := callwright.KindOf(tc.err); got != tc.want {
			t.Errorf("%v: %q, want %q", tc.err, got, tc.want)
		}
	}
	if !errors.Is(outer, context.Canceled) {
		t.Error("the cause is not reached")
	}
}
