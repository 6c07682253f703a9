package provider_test

import (
	"context"
	"strings"
	"testing"
)

func TestRandomSeed(t *testing.T) {
	for name, want := range map[string]string{"mistral": `"random_seed":7`, "openai": `"seed":7`} {
		m, s := scripted(t, name, good)
		req := ask()
		req.Params.Seed = "7"
		resp, err := m.Generate(context.Background(), req)
		if err != nil {
			t.Fatal(err)
		}
		if sent := s.bodies[0]; !strings.Contains(sent, want) || strings.Count(sent, "seed") != 1 {
			t.Errorf("%s: sent %s", name, sent)
		}
		if noted := len(resp.Report.Notes) == 1 && resp.Report.Notes[0].Rule == "provider.random_seed"; noted != (name == "mistral") {
			t.Errorf("%s: notes %+v", name, resp.Report.Notes)
		}
	}
	m, s := scripted(t, "mistral", good)
	if resp, err := m.Generate(context.Background(), ask()); err != nil || len(resp.Report.Notes) != 0 || strings.Contains(s.bodies[0], "seed") {
		t.Errorf("%v, sent %s", err, s.bodies[0])
	}
}
