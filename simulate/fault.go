package simulate

import (
	"fmt"
	"slices"
	"strings"
)

// A Fault selects rows of the table [Faults]: by their Name, and by the variants in Options, which are applied in
// order. Without Options it is the first row with the name. The zero Fault is no fault.
type Fault struct {
	Name    string
	Options []string
}

// FaultInfo describes one fault, which is a row of the table of faults.
type FaultInfo struct {
	Name    string // common name of related faults, such as "text_json"
	Variant string // variant of the fault, such as "bare"; may be empty
	Class   string // failure class F01 to F60; empty for none
	Doc     string
	Wires   []string // the wires that can show it; on other wires it may do nothing
	// StreamOnly faults affect only streamed responses.
	StreamOnly bool
	// Steady faults continue after a correction by the client.
	Steady bool
	// Provoked faults need particular requests: requests with the rejected content, or repeated requests.
	Provoked bool
	// Stalls is set if the response never ends: a client without a timeout waits forever.
	Stalls bool
}

// Model returns the model name that selects the fault, without a provider, such as "text_json-bare".
func (f FaultInfo) Model() string {
	if f.Variant == "" {
		return f.Name
	}
	return f.Name + "-" + f.Variant
}

// Faults returns the table of faults in order. The caller may modify the slice, but not the Wires of its elements.
func Faults() []FaultInfo {
	out := make([]FaultInfo, len(table))
	for i, r := range table {
		out[i] = r.FaultInfo
	}
	return out
}

// ParseFault parses the fault in a model name: the part after the last slash is a fault name and variants, joined by
// hyphens, such as "sim/text_json-bare". ok is false for any other name.
func ParseFault(model string) (Fault, bool) {
	f := faultIn(model)
	if _, err := f.rows(); err != nil {
		return Fault{}, false
	}
	return f, f.Name != ""
}

// checkFaultName returns an error for a model name that begins with the name of a fault and has an unknown variant. It
// returns nil for all other names, and for real models such as kimi-k2.5 and z-ai/glm-5.
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

// isReal reports whether a model name without a valid fault looks like a real model: it has a provider path other than
// "sim/", or a version number.
func isReal(model string, f Fault) bool {
	path, _, ok := strings.Cut(model, "/")
	return ok && path != "sim" || strings.ContainsAny(strings.Join(f.Options, ""), "0123456789")
}

// faultIn splits a model name into a fault name and variants. It does not check whether the fault exists.
func faultIn(model string) Fault {
	parts := strings.Split(model[strings.LastIndexByte(model, '/')+1:], "-")
	return Fault{Name: parts[0], Options: parts[1:]}
}

// rows returns the rows of the table that the fault selects. An unknown name or variant is an error.
func (f Fault) rows() ([]row, error) {
	if f.Name == "" {
		return nil, nil
	}
	if !slices.ContainsFunc(table, func(r row) bool { return r.Name == f.Name }) {
		return nil, fmt.Errorf("unknown fault %q", f.Name)
	}
	find := func(variant string, any bool) (row, error) {
		i := slices.IndexFunc(table, func(r row) bool { return r.Name == f.Name && (any || r.Variant == variant) })
		if i < 0 {
			return row{}, fmt.Errorf("the fault %q has no variant %q%s", f.Name, variant, variantsOf(f.Name))
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

// variantsOf returns the variants of a fault for an error message.
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
	return "; its variants are " + strings.Join(out, ", ")
}

// apply applies the fault to a simulated response. An unknown fault is an error.
func (f Fault) apply(a *response) error {
	rows, err := f.rows()
	for _, r := range rows {
		r.apply(a)
	}
	return err
}

// steady reports whether the fault continues after a correction by the client.
func (f Fault) steady() bool {
	rows, _ := f.rows()
	return slices.ContainsFunc(rows, func(r row) bool { return r.Steady })
}

// A row is a fault with its implementation. If a Fault selects several rows, they are applied to a response in order.
type row struct {
	FaultInfo
	apply  func(*response)
	checks []string // names of checks (see CheckHeader) that reject requests
}

// text writes calls as text instead of natively, with the given changes of the format. The format is that of an earlier
// row of the same fault if there is one, otherwise base.
func text(base callFormat, changes ...func(*callFormat)) func(*response) {
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

// each returns a change that calls act for every tool call of a response.
func each(act func(*response, *call)) func(*response) {
	return func(a *response) {
		for i := range a.calls {
			act(a, &a.calls[i])
		}
	}
}

// args replaces the arguments of every call by the result of the function to.
func args(to func(string) string) func(*response) {
	return each(func(_ *response, c *call) { c.args = to(c.args) })
}

// rename replaces the tool name of every call by the result of the function to.
func rename(to func(string) string) func(*response) {
	return each(func(_ *response, c *call) { c.name = to(c.name) })
}

// refuse returns a change that replaces a response by an HTTP error.
func refuse(f failure) func(*response) {
	return func(a *response) { a.failure = &f }
}

// replaceCallsByText replaces the calls of a response by text. A response without calls does not change.
func replaceCallsByText(text string) func(*response) {
	return func(a *response) {
		if len(a.calls) > 0 {
			a.text, a.calls = text, nil
		}
	}
}
