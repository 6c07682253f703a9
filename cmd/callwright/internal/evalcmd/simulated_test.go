package evalcmd_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/callwright/callwright/internal/eval/catalog"
	"github.com/callwright/callwright/simulate"
)

// A simulated server takes every model of the catalogue, so that a live run can be tried at it.
func TestSimulatorServesTheCatalogue(t *testing.T) {
	server := simulate.New(simulate.AnyTools())
	for _, m := range catalog.Models() {
		w := httptest.NewRecorder()
		body := strings.NewReader(`{"model":"` + m.ID + `","messages":[{"role":"user","content":"Hi"}]}`)
		server.ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/v1/chat/completions", body))
		if w.Code != http.StatusOK {
			t.Errorf("%s: %d %s", m.ID, w.Code, w.Body)
		}
	}
}
