package reliable

import (
	"github.com/callwright/callwright"
	"github.com/callwright/callwright/reliable/internal/correction"
	"github.com/callwright/callwright/reliable/internal/judge"
	"github.com/callwright/callwright/schema"
)

// ValidateOptions configure [Validate]. The zero value is ready for use.
type ValidateOptions struct {
	Policy  callwright.Policy          // "" is PolicyHeal
	Rules   map[string]bool            // enables or disables rules by exact ID, overriding the policy
	Schemas *schema.Cache              // cache of compiled schemas; nil means no cache
	MintID  func(prefix string) string // returns the ID for a call that has none; nil means prefix and a time-ordered UUID
}

// Validate validates one native call against the declared tools. It resolves the name, repairs and coerces the
// arguments, and validates them against the schema. Errors are *Error and concern the tools, not the call.
func Validate(call callwright.Call, tools []callwright.Tool, o ValidateOptions) (callwright.Verdict, error) {
	s, err := judge.NewToolset(tools, schemasOr(o.Schemas))
	if err != nil {
		return callwright.Verdict{}, asError(err)
	}
	j := &judge.Judge{Toolset: s, Ledger: judge.NewLedger(o.Policy, o.Rules), Mint: mintOr(o.MintID)}
	return j.Verdict(judge.NativeCandidate(call)), nil
}

// CorrectionMessage returns the message that tells the model the violations of an invalid call. Append it after the
// message with the call. It has the form of the call's result, or of a user message if the call has no ID. For a
// verdict that is OK the message is empty.
func CorrectionMessage(v callwright.Verdict) callwright.Message { return correction.Message(v, nil) }
