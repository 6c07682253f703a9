package evalcmd

import (
	"errors"
	"fmt"
	"math"
	"net/url"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/spelling"
)

func setSeed(s *settings, text string) error {
	n, err := strconv.ParseUint(text, 10, 64)
	if err != nil {
		return fmt.Errorf("expected a whole number from 0 to %d, got %q", uint64(math.MaxUint64), callwright.Excerpt(text))
	}
	s.seed = n
	return nil
}

// setComparison parses the value of --compare: an axis and its values, such as "policy=heal,off".
func setComparison(s *settings, text string) error {
	axis, list, ok := strings.Cut(text, "=")
	var values []string
	for _, v := range split(list) {
		if !slices.Contains(values, v) {
			values = append(values, v)
		}
	}
	if axis = strings.TrimSpace(axis); !ok || !slices.Contains(axes, axis) {
		return fmt.Errorf("expected AXIS=A,B with %s for the axis, got %q", spelling.Or(axes), callwright.Excerpt(text))
	}
	if len(values) < 2 {
		return fmt.Errorf("expected two values of %s or more, got %q", axis, callwright.Excerpt(list))
	}
	check := map[string]func(string) error{"policy": checkPolicy, "mode": checkMode}[axis]
	for _, v := range values {
		if check == nil {
			break
		}
		if err := check(v); err != nil {
			return err
		}
	}
	s.compare = comparison{axis, values}
	return nil
}

// setAllowed parses comma-separated patterns of tool names.
func setAllowed(s *settings, text string) error {
	list := split(text)
	for _, p := range list {
		if _, err := path.Match(p, ""); err != nil {
			return fmt.Errorf("%q is no pattern for names of tools", callwright.Excerpt(p))
		}
	}
	if len(list) == 0 {
		return errors.New("expected patterns separated by commas, got none: to offer no tools, set --tool-use-mode disabled")
	}
	if slices.ContainsFunc(list, func(p string) bool { return p == "all" || p == "full" || p == "*" }) {
		list = nil
	}
	s.agent.allow = list
	return nil
}

// setBase parses the base URL of OpenRouter or of a replacement server.
func setBase(s *settings, text string) error {
	if strings.ContainsAny(text, "@?#") { // may contain a key, so do not print it
		return errors.New("expected an address without a password, a query or a fragment: set the key with --api-key")
	}
	u, err := url.Parse(text)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
		return fmt.Errorf("expected an address such as https://openrouter.ai/api, got %q", callwright.Excerpt(text))
	}
	s.remote.base = text
	return nil
}

func setPrefix(s *settings, text string) error {
	if strings.ContainsAny(text, "?#") || strings.Contains(text, "://") {
		return fmt.Errorf("expected a path such as /v1, got %q", callwright.Excerpt(text))
	}
	s.remote.prefix = text
	return nil
}

// url returns the base URL of requests: base joined with prefix. If the end of base equals the start of prefix, this
// part occurs once.
func (r *remote) url() string {
	base, prefix := strings.TrimRight(r.base, "/"), strings.Trim(r.prefix, "/")
	u, err := url.Parse(base)
	if prefix == "" || err != nil {
		return base
	}
	parts := strings.Split(prefix, "/")
	for n := len(parts); n > 0; n-- {
		if strings.HasSuffix(u.Path, "/"+strings.Join(parts[:n], "/")) {
			parts = parts[n:]
			break
		}
	}
	return strings.TrimRight(base+"/"+strings.Join(parts, "/"), "/")
}

// setTransforms parses the names of OpenRouter's prompt transforms.
func setTransforms(s *settings, text string) error {
	s.remote.transforms, s.remote.noTransforms = nil, false
	switch strings.ToLower(text) {
	case "auto", "":
	case "none", "off", "0", "false":
		s.remote.noTransforms = true
	default:
		s.remote.transforms = split(text)
	}
	return nil
}

// setAdapter accepts the names of HTTP adapters in existing scripts. They have no effect.
func setAdapter(s *settings, text string) error {
	switch strings.ReplaceAll(strings.ToLower(text), "-", "_") {
	case "httpx", "default", "net_http", "nethttp":
		s.note("http-adapter: %s has no effect: there is one HTTP client", text)
		s.remote.adapter = text
		return nil
	}
	return fmt.Errorf("expected httpx or default, got %q", callwright.Excerpt(text))
}
