package caps

// HistoryRules say which shapes of a conversation a provider refuses.
type HistoryRules struct {
	Alternate        bool          // user and assistant must alternate
	NoUserAfterTool  bool          // a user turn right after tool results is refused; an assistant turn goes between
	OneSystem        bool          // only one system message, at the beginning
	ResultName       bool          // tool results must repeat the tool's name
	ReasoningBack    ReasoningBack // whether reasoning must return
	ToolsForCalls    bool          // history with calls is refused when no tools are declared
	NoEmptyAssistant bool          // an assistant turn without content and calls is refused
	NoBlankText      bool          // texts that are empty or only white space are refused
	StringContent    bool          // content must be a string, not a list of parts
	NoNullContent    bool          // content null beside calls is refused: an empty text takes its place
	NoItemIDs        bool          // items that the model gave are refused by their ids where the reasoning before them is missing
	SystemRole       SystemRole    // the role of instructions where others are refused
	Prefill          Prefill       // what becomes of an answer begun by the client
	SignedCalls      bool          // the first call of each turn must have its opaque state
	SignedReasoning  bool          // reasoning of the API's own form is refused without its signature
	NullContent      bool          // content beside calls is wanted as null where it is empty or only white space
	EmptyReasoning   bool          // a turn with calls is wanted with a reasoning_content, an empty one where nothing is known
}

// ReasoningBack says whether the reasoning of earlier turns goes back to the model. The list is closed; the zero
// ReasoningBack leaves it optional.
type ReasoningBack string

// Whether reasoning goes back.
const (
	ReasoningBackNever  ReasoningBack = "never"  // it is refused
	ReasoningBackAlways ReasoningBack = "always" // every turn of the model must have it
	ReasoningBackCalls  ReasoningBack = "calls"  // turns with calls must have it, others must not

	ReasoningBackOptional ReasoningBack = "optional" // it may return, where other models of the provider take none
)

// IsRequired reports whether a turn of the model must have its reasoning, by whether the turn calls tools.
func (b ReasoningBack) IsRequired(calls bool) bool {
	return b == ReasoningBackAlways || b == ReasoningBackCalls && calls
}

// IsRefused reports whether a turn of the model must go without its reasoning, by whether the turn calls tools.
func (b ReasoningBack) IsRefused(calls bool) bool {
	return b == ReasoningBackNever || b == ReasoningBackCalls && !calls
}

// SystemRole is the role of instructions. The list is closed; the zero SystemRole takes them by the role they have.
type SystemRole string

// The roles of instructions.
const (
	SystemRoleSystem    SystemRole = "system"
	SystemRoleDeveloper SystemRole = "developer"
	SystemRoleUser      SystemRole = "user"
)

// Prefill says how a provider reads an assistant's turn at the end of a request, whose answer continues it. The list is
// open: a value other than PrefillRefused is the member that marks such a turn. The zero Prefill accepts it without a
// mark.
type Prefill string

// The known ones.
const (
	PrefillRefused Prefill = "no"
	PrefillPrefix  Prefill = "prefix" // the turn has the member prefix, which is true
)

// Mark is the member that must be true in an answer begun by the client, "" where none is needed or none is taken.
func (p Prefill) Mark() string {
	if p == PrefillRefused {
		return ""
	}
	return string(p)
}
