package caps

// HistoryRules are restrictions of a provider on the messages of a conversation.
type HistoryRules struct {
	Alternate bool // user and assistant messages must alternate
	// a user message directly after tool results is rejected; an assistant message is inserted
	NoUserAfterTool  bool
	OneSystem        bool          // only one system message is accepted, as the first message
	ResultName       bool          // tool results must have the tool's name
	ReasoningBack    ReasoningBack // whether earlier reasoning must be sent back
	ToolsForCalls    bool          // calls in the history require declared tools
	NoEmptyAssistant bool          // an assistant message without content and calls is rejected
	NoBlankText      bool          // empty and white-space texts are rejected
	StringContent    bool          // content must be a string, not an array of parts
	NoNullContent    bool          // content null beside calls is rejected; "" is sent
	NoItemIDs        bool          // item IDs are rejected if the preceding reasoning item is missing
	SystemRole       SystemRole    // the only accepted role for instructions, "" if all are
	Prefill          Prefill       // handling of a trailing assistant message (prefill)
	SignedCalls      bool          // the first call of each turn must have its signature
	SignedReasoning  bool          // reasoning in the API's own format is rejected without its signature
	NullContent      bool          // empty content beside calls must be null
	EmptyReasoning   bool          // an assistant message with calls must have reasoning_content, empty if unknown
}

// ReasoningBack describes whether the reasoning of earlier turns is sent back to the model. The constants are the only
// values; "" means optional.
type ReasoningBack string

// Values of [ReasoningBack].
const (
	ReasoningBackNever  ReasoningBack = "never"  // the provider rejects reasoning
	ReasoningBackAlways ReasoningBack = "always" // every assistant message must have it
	ReasoningBackCalls  ReasoningBack = "calls"  // assistant messages with calls must have it, others must not

	ReasoningBackOptional ReasoningBack = "optional" // it may be sent, even if other models of the provider reject it
)

// IsRequired reports whether an assistant message must have its reasoning. calls reports whether the message has tool
// calls.
func (b ReasoningBack) IsRequired(calls bool) bool {
	return b == ReasoningBackAlways || b == ReasoningBackCalls && calls
}

// IsRefused reports whether an assistant message must not have reasoning. calls reports whether the message has tool
// calls.
func (b ReasoningBack) IsRefused(calls bool) bool {
	return b == ReasoningBackNever || b == ReasoningBackCalls && !calls
}

// SystemRole is the role of messages with instructions. The constants are the only values; "" keeps the client's role.
type SystemRole string

// Values of [SystemRole].
const (
	SystemRoleSystem    SystemRole = "system"
	SystemRoleDeveloper SystemRole = "developer"
	SystemRoleUser      SystemRole = "user"
)

// Prefill describes how a provider handles an assistant message at the end of a request, which the response should
// continue. Values other than PrefillRefused are the name of a member that marks the message. "" means that no marker
// is needed.
type Prefill string

// Known values of [Prefill]. A provider may have another marker name.
const (
	PrefillRefused Prefill = "no"
	PrefillPrefix  Prefill = "prefix" // the message needs the member "prefix": true
)

// Mark returns the name of the member that must be true in a prefill message, "" if none is needed or the provider
// rejects prefills.
func (p Prefill) Mark() string {
	if p == PrefillRefused {
		return ""
	}
	return string(p)
}
