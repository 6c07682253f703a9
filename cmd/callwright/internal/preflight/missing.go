package preflight

import (
	"fmt"
	"strings"

	"github.com/callwright/callwright/internal/config"
)

// shownModels is the maximum number of model names in an error message.
const shownModels = 3

// missing returns the problem that the model list of a provider lacks the model local, a name without the provider. It
// returns "" if the list contains the model or is incomplete, or if the provider did not respond.
func missing(r reached, local string) string {
	if r.err != nil || !r.Complete {
		return ""
	}
	var names []string
	for _, l := range r.Models {
		_, name := l.Model.Split()
		if same(name, local) || r.endpoint.Row().HostsPath != "" && same(name, withoutVariant(local)) {
			return ""
		}
		names = append(names, name)
	}
	text := fmt.Sprintf("model %s is not known", local)
	if strings.Contains(r.address, "://") {
		text += " at " + r.address
	}
	switch near := config.Nearest(local, names); {
	case near != "":
		return fmt.Sprintf("%s: did you mean %s/%s?", text, r.name, near)
	case r.endpoint.Server().Pull != "":
		return fmt.Sprintf("%s: get it with `%s`", text, strings.ReplaceAll(r.endpoint.Server().Pull, "{model}", local))
	}
	shown := strings.Join(names[:min(len(names), shownModels)], ", ")
	if more := len(names) - shownModels; more > 0 {
		shown += fmt.Sprintf(" and %d more", more)
	}
	return text + ": it has " + shown
}

// same reports whether a name refers to a listed model: by equality, with the tag ":latest" that Ollama adds, or as an
// alias without the date or version at the end, such as claude-sonnet-4-5 for claude-sonnet-4-5-20250929.
func same(listed, name string) bool {
	stem := strings.TrimSuffix(name, "-latest")
	return listed == name || listed == name+":latest" || strings.HasPrefix(listed, stem+"-")
}

// withoutVariant removes the suffix that selects a host: "MODEL:HOST" becomes "MODEL".
func withoutVariant(name string) string {
	if at := strings.LastIndexByte(name, ':'); at >= 0 {
		return name[:at]
	}
	return name
}
