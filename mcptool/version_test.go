package mcptool_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/agent"
	"github.com/callwright/callwright/mcptool"
)

// versions are servers by what they answer to the requests with which a connection begins, and a part of the error where none comes about.
var versions = []struct {
	about   string
	fixture fixture
	err     []string
}{
	{"the first one", fixture{Versions: []string{"2024-11-05"}}, nil},
	{"an old one", fixture{Versions: []string{"2025-06-18", "2025-03-26"}}, nil},
	{"a later one beside", fixture{Versions: []string{"2026-07-28", "2025-11-25"}}, nil},
	{"a later one that does not know initialize", fixture{Versions: []string{"2026-07-28"}, Refuse: map[string]string{"initialize": `{"code": -32601, "message": "Method not found"}`}}, nil},
	{"a later one that says so", fixture{Versions: []string{"2026-07-28"},
		Refuse: map[string]string{"initialize": `{"code": -32022, "message": "unsupported protocol version", "data": {"supported": ["2026-07-28"], "requested": "2025-11-25"}}`}}, nil},
	{"one that is not spoken here", fixture{Refuse: map[string]string{
		"initialize":      `{"code": -32022, "message": "unsupported protocol version", "data": {"supported": ["2031-01-01", "2030-01-01"]}}`,
		"server/discover": `{"code": -32022, "message": "unsupported protocol version", "data": {"supported": ["2031-01-01", "2030-01-01"]}}`}},
		[]string{"tried the protocol versions 2025-11-25 and 2026-07-28 (the server speaks 2031-01-01, 2030-01-01)", `calling "initialize"`, "unsupported protocol version"}},
	{"one that nobody has asked for", fixture{Answer: map[string]string{
		"initialize": `{"protocolVersion": "2031-01-01", "capabilities": {}, "serverInfo": {"name": "x", "version": "1"}}`}, Refuse: map[string]string{"server/discover": `{"code": -32601, "message": "Method not found"}`}},
		[]string{"tried the protocol versions 2025-11-25", `unsupported protocol version: "2031-01-01"`}},
	{"a server that refuses everything", fixture{Refuse: map[string]string{"initialize": `{"code": -32603, "message": "out of order"}`, "server/discover": `{"code": -32603, "message": "out of order"}`}},
		[]string{"out of order"}},
}

// Every version of the protocol that the SDK has is spoken, whichever request it begins with; the error names the versions of both sides otherwise.
func TestVersions(t *testing.T) {
	each(t, func(t *testing.T, _ func(fixture, mcptool.Config) *mcptool.Server) {
		_, transport, _ := strings.Cut(t.Name(), "/")
		for _, c := range versions {
			t.Run(c.about, func(t *testing.T) {
				conf := mcptool.Config{Name: "one"}
				transports[strings.ReplaceAll(transport, "_", " ")](t, c.fixture, &conf)
				if c.err == nil {
					speaks(t, open(t, conf))
					return
				}
				_, err := mcptool.Open(t.Context(), conf)
				for _, part := range c.err {
					if kindOf(err) != callwright.KindUnavailable || !strings.Contains(err.Error(), part) {
						t.Errorf("expected %q, got %v", part, err)
					}
				}
			})
		}
	})
}

// speaks checks that calls, progress, cancellation and changes of the list work.
func speaks(t *testing.T, s *mcptool.Server) {
	t.Helper()
	if got := names(tools(t, s)); len(got) != 9 || got[0] != "one:cancelled" {
		t.Errorf("got %v", got)
	}
	if got := said(t, s, "echo", `{"z":1,"a":2}`); got != `{"z":1,"a":2}` {
		t.Errorf("got %s", got)
	}
	if _, err := call(t.Context(), t, s, "raw", `{"result":{"isError":true,"content":[{"type":"text","text":"no such file"}]}}`); codeOf(err) != agent.CodeToolFailed {
		t.Errorf("got %v", err)
	}
	if !strings.Contains(t.Name(), "json") { // which has no place for progress
		if got := said(t, s, "progress", "{}"); got != "done" {
			t.Errorf("got %s", got)
		}
	}
	said(t, s, "change", "{}")
	eventually(t, "another list", func() bool { return slices.Contains(names(tools(t, s)), "one:new") })
}
