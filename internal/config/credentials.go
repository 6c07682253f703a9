package config

import (
	"os"
	"reflect"
	"slices"

	"github.com/callwright/callwright/internal/provider"
)

// Credentials returns the texts of all credentials in the configuration, and the API keys in the environment variables
// of built-in providers. It omits credentials that cannot be read, such as those in a missing file. Callers use them to
// mask credentials in texts. A nil env means os.LookupEnv.
func (c *Config) Credentials(env func(name string) (value string, ok bool)) []string {
	if env == nil {
		env = os.LookupEnv
	}
	var out []string
	add := func(text string) {
		if text != "" && !slices.Contains(out, text) {
			out = append(out, text)
		}
	}
	eachSecret(reflect.ValueOf(c), func(s provider.Secret) {
		if text, err := resolveSecret(s, env); err == nil {
			add(text)
		}
	})
	for _, row := range provider.Rows() {
		if row.Key != "" {
			value, _ := env(row.Key)
			add(value)
		}
	}
	return out
}

// eachSecret calls visit for each provider.Secret in v, through exported fields, pointers, slices and maps.
func eachSecret(v reflect.Value, visit func(provider.Secret)) {
	if s, ok := reflect.TypeAssert[provider.Secret](v); ok && v.CanInterface() {
		visit(s)
		return
	}
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		if !v.IsNil() {
			eachSecret(v.Elem(), visit)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				eachSecret(v.Field(i), visit)
			}
		}
	case reflect.Slice:
		for i := range v.Len() {
			eachSecret(v.Index(i), visit)
		}
	case reflect.Map:
		for _, key := range v.MapKeys() {
			eachSecret(v.MapIndex(key), visit)
		}
	}
}
