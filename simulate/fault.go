package simulate

import (
	"fmt"
	"slices"
	"strings"
)

// A Fault names a way to misbehave, by the name of a row of [Faults], with the variants to apply, in order; none: the
// first row of that name. The zero Fault behaves well.
type Fault struct {
	Name    string
	Options []string
}

// FaultInfo is a row of the table of faults.
type FaultInfo struct {
	Name    string // of the class of faults
	Variant string // empty where the name is enough
	Class   string // F01 to F60; empty where a fault is in no class
	Doc     string
	Wires   []string // on which it can be shown; on another it may change nothing
	// StreamOnly says that whole answers show nothing of the fault.
	StreamOnly bool
	// Steady says that the fault stays after a correction.
	Steady bool
	// Provoked says that only some requests show the fault: requests with the refused content, or requests that come a
	// second time.
	Provoked bool
	// Stalls says that the answer never ends: a client without a timeout waits for ever.
	Stalls bool
}

// Model returns the model's name, without a provider, that makes [Weather] use this fault.
func (f FaultInfo) Model() string {
	if f.Variant == "" {
		return f.Name
	}
	return f.Name + "-" + f.Variant
}

// Faults returns all faults, in the order of the table. The slice is the caller's, but for the lists of wires in it.
func Faults() []FaultInfo {
	out := make([]FaultInfo, len(table))
	for i, r := range table {
		out[i] = r.FaultInfo
	}
	return out
}

// ParseFault reads a fault out of a model's name: the part after the last slash is a name of the table and the variants
// to apply, joined by hyphens. It is false for every other name.
func ParseFault(model string) (Fault, bool) {
	f := faultIn(model)
	if _, err := f.rows(); err != nil {
		return Fault{}, false
	}
	return f, f.Name != ""
}

// checkFaultName returns the error of a model's name that begins as a fault does and continues as none; nil for all
// other names. Some families of real models begin so, too: kimi-k2.5 and z-ai/glm-5 are no faults.
func checkFaultName(model string) error {
	if _, ok := familyOf(model); ok {
		return nil
	}
	f := faultIn(model)
	_, err := f.rows()
	if err == nil || isReal(model, f) || !slices.ContainsFunc(table, func(r row) bool { return r.Name == f.Name }) {
		return nil
	}
	return err
}

// isReal reports whether a name that is no fault is the name of a real model, with the path of a maker or a version.
func isReal(model string, f Fault) bool {
	path, _, ok := strings.Cut(model, "/")
	return ok && path != "sim" || strings.ContainsAny(strings.Join(f.Options, ""), "0123456789")
}

// faultIn returns the fault that a model's name asks for, whether there is one or not.
func faultIn(model string) Fault {
	parts := strings.Split(model[strings.LastIndexByte(model, '/')+1:], "-")
	return Fault{Name: parts[0], Options: parts[1:]}
}

// rows returns the rows of the table that a fault asks for.
func (f Fault) rows() ([]row, error) {
	if f.Name == "" {
		return nil, nil
	}
	find := func(variant string, any bool) (row, error) {
		i := slices.IndexFunc(table, func(r row) bool { return r.Name == f.Name && (any || r.Variant == variant) })
		if i < 0 {
			return row{}, fmt.Errorf("no fault %q with variant %q%s", f.Name, variant, variantsOf(f.Name))
		}
		return table[i], nil
	}
	if len(f.Options) == 0 {
		r, err := find("", true)
		if err != nil {
			return nil, err
		}
		return []row{r}, nil
	}
	var out []row
	for _, o := range f.Options {
		r, err := find(o, false)
		if err != nil {
			return nil, err
		}
		out = append(out, r)
	}
	return out, nil
}

// variantsOf lists the variants of a fault, for the error about an unknown one.
func variantsOf(name string) string {
	var out []string
	for _, r := range table {
		if r.Name == name && r.Variant != "" {
			out = append(out, r.Variant)
		}
	}
	if out == nil {
		return ""
	}
	return "; there are " + strings.Join(out, ", ")
}

// bend lets the fault act on an answer.
func (f Fault) bend(a *response) error {
	rows, err := f.rows()
	for _, r := range rows {
		r.bend(a)
	}
	return err
}

// steady reports whether the fault stays after a correction.
func (f Fault) steady() bool {
	rows, _ := f.rows()
	return slices.ContainsFunc(rows, func(r row) bool { return r.Steady })
}

// A row is a fault and its effect. Several rows of a name may act on one answer one after the other.
type row struct {
	FaultInfo
	bend   func(*response)
	checks []string // that refuse requests before they are read
}

// text writes calls as text, in the form that an earlier row chose or in base, after the changes.
func text(base callForm, changes ...func(*callForm)) func(*response) {
	return func(a *response) {
		if a.form == nil {
			f := base
			a.form = &f
		}
		for _, change := range changes {
			change(a.form)
		}
	}
}

// each acts on every call.
func each(act func(*response, *call)) func(*response) {
	return func(a *response) {
		for i := range a.calls {
			act(a, &a.calls[i])
		}
	}
}

// args replaces the arguments of every call.
func args(to func(string) string) func(*response) {
	return each(func(_ *response, c *call) { c.args = to(c.args) })
}

// rename replaces the name of every call.
func rename(to func(string) string) func(*response) {
	return each(func(_ *response, c *call) { c.name = to(c.name) })
}

// refuse answers with an HTTP error in place of calls.
func refuse(f failure) func(*response) {
	return func(a *response) { a.failure = &f }
}

// say replaces the calls of an answer by text.
func say(text string) func(*response) {
	return func(a *response) {
		if len(a.calls) > 0 {
			a.text, a.calls = text, nil
		}
	}
}
