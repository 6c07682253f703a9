package conformcmd

import (
	"encoding/xml"
	"fmt"
	"io"
	"strings"

	"github.com/callwright/callwright/internal/conformance"
)

// XML elements of a JUnit report: https://github.com/testmoapp/junitxml
type (
	junitReport struct {
		XMLName xml.Name     `xml:"testsuites"`
		Suites  []junitSuite `xml:"testsuite"`
	}
	junitSuite struct {
		Name     string      `xml:"name,attr"`
		Tests    int         `xml:"tests,attr"`
		Failures int         `xml:"failures,attr"`
		Skipped  int         `xml:"skipped,attr"`
		Cases    []junitCase `xml:"testcase"`
	}
	junitCase struct {
		Class   string      `xml:"classname,attr"`
		Name    string      `xml:"name,attr"`
		Failure *junitCause `xml:"failure"`
		Skipped *junitCause `xml:"skipped"`
	}
	junitCause struct {
		Message string `xml:"message,attr"`
		Text    string `xml:",chardata"`
	}
)

// writeJUnit writes a JUnit report with a suite per card and a case per check. An untested check is a skipped case.
func writeJUnit(w io.Writer, cards []*conformance.Card) error {
	var report junitReport
	for _, card := range cards {
		suite := junitSuite{Name: "conformance " + card.API, Tests: len(card.Checks), Failures: card.Count(conformance.Failed),
			Skipped: card.Count(conformance.NotTested)}
		for i := range card.Checks {
			c := &card.Checks[i]
			one := junitCase{Class: card.API + "." + c.Area, Name: c.Name}
			switch c.Result {
			case conformance.Failed:
				text := []string{c.About, c.Documentation}
				text = append(text, c.Breaks...)
				one.Failure = &junitCause{Message: c.Why, Text: strings.Join(append(text, c.Sent, c.Got), "\n")}
			case conformance.NotTested:
				one.Skipped = &junitCause{Message: c.Why}
			case conformance.Passed:
			}
			suite.Cases = append(suite.Cases, one)
		}
		report.Suites = append(report.Suites, suite)
	}
	text, err := xml.MarshalIndent(report, "", "  ")
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(w, "%s%s\n", xml.Header, text)
	return err
}
