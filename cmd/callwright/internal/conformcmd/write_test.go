package conformcmd

import (
	"encoding/xml"
	"reflect"
	"strings"
	"testing"

	"github.com/callwright/callwright/internal/conformance"
)

// card has a check of each result, with markup in all texts.
func card() *conformance.Card {
	return &conformance.Card{
		API: conformance.Chat, URL: "http://lab/v1/chat/completions", Model: "<b>one</b>", Requests: 7,
		Areas: []conformance.Score{{Area: "ids", Passed: 1, Failed: 1, NotTested: 1}},
		Checks: []conformance.Check{
			{Area: "ids", Name: "id_present", Kind: conformance.OfProtocol, About: "Each call has an id", Result: conformance.Passed, Why: "in 3 answers"},
			{Area: "ids", Name: "id_form", Kind: conformance.OfProtocol, About: "Ids are taken back", Result: conformance.Failed, Why: `the id "<i>" & more`, Sent: `curl -d '{"a":"<b>"}'`,
				Got: "HTTP 200\n<script>", Documentation: "https://example.org/ids", Breaks: []string{"a client stops"}},
			{Area: "ids", Name: "id_echo", Kind: conformance.OfModel, About: "Ids come back", Result: conformance.NotTested, Why: "the model did not call a tool"},
		},
	}
}

// The page has everything of a failure, escaped, and its fields are those of a card.
func TestPage(t *testing.T) {
	if err := page.CheckFields("page", reflect.TypeFor[[]shownCard]()); err != nil {
		t.Error(err)
	}
	var b strings.Builder
	if err := writePage(&b, []*conformance.Card{card()}); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"<h1>OpenAI Chat Completions</h1>", "&lt;b&gt;one&lt;/b&gt; at http://lab/v1/chat/completions", `<dd class="fail">1</dd>`, "the id &#34;&lt;i&gt;&#34; &amp; more",
		`<a href="https://example.org/ids">`, "<p>a client stops</p>", "<pre>curl -d &#39;{&#34;a&#34;:&#34;&lt;b&gt;&#34;}&#39;</pre>", "&lt;script&gt;", "<h2>not tested</h2>",
	} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("the page lacks %s:\n%s", want, b.String())
		}
	}
	if strings.Contains(b.String(), "<script") {
		t.Error("the page has markup of the answer")
	}
}

// The report has a suite for each card: a failure with its request, a skipped case with its reason.
func TestJUnit(t *testing.T) {
	var b strings.Builder
	if err := writeJUnit(&b, []*conformance.Card{card(), card()}); err != nil {
		t.Fatal(err)
	}
	var got junitReport
	if err := xml.Unmarshal([]byte(b.String()), &got); err != nil {
		t.Fatal(err)
	}
	if len(got.Suites) != 2 {
		t.Fatalf("%d suites", len(got.Suites))
	}
	s := got.Suites[0]
	if s.Name != "conformance openai" || s.Tests != 3 || s.Failures != 1 || s.Skipped != 1 || len(s.Cases) != 3 {
		t.Errorf("got %+v", s)
	}
	failed, skipped := s.Cases[1].Failure, s.Cases[2].Skipped
	if failed == nil || !strings.Contains(failed.Text, "curl -d") || failed.Message != `the id "<i>" & more` || skipped == nil || s.Cases[0].Failure != nil {
		t.Errorf("got %+v", s.Cases)
	}
}
