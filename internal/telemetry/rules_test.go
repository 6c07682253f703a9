package telemetry_test

import (
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/callwright/callwright/internal/prerequisite"
)

// The files for Prometheus and Grafana.
const (
	rulesFile  = "../../deploy/prometheus/alerts.yaml"
	rulesTests = "../../deploy/prometheus/alerts_test.yaml"
	boardFile  = "../../deploy/grafana/callwright.json"
)

// Rules and board ask for metrics that there are.
func TestDeployedNames(t *testing.T) {
	there := figuresIn(t, "metrics.go", "requests.go", "attempts.go", "keys.go", "problems.go")
	for _, name := range figuresIn(t, rulesFile, rulesTests, boardFile) {
		if base := regexp.MustCompile(`_(count|bucket|sum)$`).ReplaceAllString(name, ""); !slices.Contains(there, base) {
			t.Errorf("there is no metric %s", name)
		}
	}
}

// Each rule has a remedy, a link to a page, and unit tests in which it fires and does not fire.
func TestRulesAreTested(t *testing.T) {
	rules, err := os.ReadFile(rulesFile)
	if err != nil {
		t.Fatal(err)
	}
	tests, err := os.ReadFile(rulesTests)
	if err != nil {
		t.Fatal(err)
	}
	names := regexp.MustCompile(`- alert: (\w+)`).FindAllStringSubmatch(string(rules), -1)
	if len(names) < 8 {
		t.Errorf("%d rules", len(names))
	}
	for i, part := range strings.Split(string(rules), "- alert: ")[1:] {
		for _, want := range []string{"summary: ", "remedy: ", "runbook_url: ", "severity: "} {
			if !strings.Contains(part, want) {
				t.Errorf("%s has no %s", names[i][1], want)
			}
		}
		fires, silent := 0, 0
		for _, one := range strings.Split(string(tests), "alertname: "+names[i][1]+"\n")[1:] {
			if list, _, _ := strings.Cut(one, "\n"); strings.HasSuffix(list, "[]") {
				silent++
			} else {
				fires++
			}
		}
		if fires == 0 || silent == 0 {
			t.Errorf("%s fires in %d tests, and does not in %d", names[i][1], fires, silent)
		}
	}
}

// The rules are valid, and their unit tests pass.
func TestRules(t *testing.T) {
	promtool := prerequisite.Program(t, "promtool")
	for _, args := range [][]string{{"check", "rules", rulesFile}, {"test", "rules", rulesTests}} {
		if out, err := exec.CommandContext(t.Context(), promtool, args...).CombinedOutput(); err != nil {
			t.Errorf("promtool %s: %v\n%s", strings.Join(args, " "), err, out)
		}
	}
}
