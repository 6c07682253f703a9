package gateway_test

import (
	"encoding/json"
	"log/slog"
	"slices"
	"strings"
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/archive"
	"github.com/callwright/callwright/internal/gateway"
	"github.com/callwright/callwright/internal/wire/codecs"
	"github.com/callwright/callwright/simulate"
)

// A claim that no call supports is noted for a client of every API in front of a provider of every API, whole and in a
// stream: in the report and in the line of the log. The answer has the model's words, and over one API it counts as
// passed on.
func TestClaimsOfEveryWire(t *testing.T) {
	const said = "I have sent the email to Ann."
	log := &logged{}
	up := simulate.New(func(simulate.Seen) simulate.Turn { return simulate.Turn{Text: said} })
	srv := serve(t, gateway.Config{Models: models(t, up), Reports: archive.NewMemoryReports(nil, archive.Limits{}), Logger: slog.New(slog.NewJSONHandler(log, nil))})
	for _, client := range codecs.All() {
		for _, far := range codecs.All() {
			for _, stream := range []bool{false, true} {
				a := askers[client.Name()]
				path, body := a.ask(string(far.Name())+"/m", stream)
				got := post(t, srv.URL+path, body)
				name := path + " in front of " + string(far.Name())
				if got.status != 200 || !stream && !strings.Contains(got.body, said) {
					t.Fatalf("%s: %d %s", name, got.status, got.body)
				}
				var rep struct {
					Outcome string
					Notes   []callwright.Note
				}
				if err := json.Unmarshal([]byte(get(t, srv.URL+"/callwright/reports/"+reportID(got)).body), &rep); err != nil {
					t.Fatal(err)
				}
				at := slices.IndexFunc(rep.Notes, func(n callwright.Note) bool { return n.Rule == "claim.without_call" })
				if at < 0 || rep.Notes[at].Was != said || rep.Notes[at].Why != "done: nothing was called" || rep.Notes[at].Risk != "" {
					t.Errorf("%s, stream %t: %+v", name, stream, rep.Notes)
				}
				if client.Name() == far.Name() && rep.Outcome != "passed" {
					t.Errorf("%s, stream %t: the outcome is %s", name, stream, rep.Outcome)
				}
				if rules, _ := log.one(t, name)["rules"].([]any); !slices.Contains(rules, any("claim.without_call")) {
					t.Errorf("%s, stream %t: the log has the rules %v", name, stream, rules)
				}
			}
		}
	}
}
