package config_test

import (
	"testing"

	"github.com/callwright/callwright/internal/config"
	"github.com/callwright/callwright/internal/wire/codecs"
)

// A provider can be configured with every wire that there is a codec for.
func TestEveryWireCanBeConfigured(t *testing.T) {
	for _, c := range codecs.All() {
		text := "providers: {lab: {wire: " + string(c.Name()) + ", base_url: 'http://127.0.0.1:1', api_key: k}}"
		if _, err := config.Parse([]byte(text), env()); err != nil {
			t.Error(err)
		}
	}
}
