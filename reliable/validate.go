package reliable

import (
	"github.com/callwright/callwright"
	"github.com/callwright/callwright/reliable/internal/correction"
	"github.com/callwright/callwright/reliable/internal/judge"
	"github.com/callwright/callwright/schema"
)

// ValidateOptions change how [Validate] works. The zero value is ready for use.
type ValidateOptions struct {
	Policy  callwright.Policy          // "" is PolicyHeal
	Rules   map[string]bool            // rules switched by their exact ids, whatever the policy says
	Schemas *schema.Cache              // compiled schemas; nil: the schemas are compiled anew
	MintID  func(prefix string) string // makes the id of a call that has none; nil: a time-ordered UUID after the prefix
}

// Validate judges one native call against the declared tools: its name is resolved, its arguments are repaired, coerced
// and validated against the schema. The verdict does not change afterwards. Errors are *Error and concern the tools.
func Validate(call callwright.Call, tools []callwright.Tool, o ValidateOptions) (callwright.Verdict, error) {
	s, err := judge.NewToolset(tools, schemasOr(o.Schemas))
	if err != nil {
		return callwright.Verdict{}, asError(err)
	}
	j := &judge.Judge{Toolset: s, Ledger: judge.NewLedger(o.Policy, o.Rules), Mint: mintOr(o.MintID)}
	return j.Verdict(judge.NativeCandidate(call)), nil
}

// CorrectionMessage returns the message that asks the model to correct a call. It is sent after the message with the
// call, as the call's result, and names the violations in the words of the schema. A call without an id is answered by
// the user. The message is empty after a verdict that is OK.
func CorrectionMessage(v callwright.Verdict) callwright.Message { return correction.Message(v, nil) }
