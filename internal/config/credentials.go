package config

import (
	"os"
	"reflect"
	"slices"

	"github.com/callwright/callwright/internal/provider"
)

// Credentials returns the texts of all credentials that the configuration has, and those in the variables of providers
// of the table. Unreadable ones, such as a missing file, are left out. They serve to find credentials in shown texts.
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

// eachSecret visits the credentials in a value.
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
