package config

import (
	"time"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/agent"
	"github.com/callwright/callwright/internal/provider"
)

// An Agent holds the settings of agent runs (the key agent of a configuration). The zero Agent has the defaults of
// package agent.
type Agent struct {
	Model              callwright.ModelID  `json:"model,omitempty" default:"none" jsonschema:"the model that is asked where the command line names none"`
	System             string              `json:"system,omitempty" default:"none" jsonschema:"instructions before the conversation"`
	ToolUseMode        agent.ToolUseMode   `json:"tool_use_mode,omitempty" default:"relaxed" jsonschema:"how much a run needs its tools: enforced (an answer needs a call before it), relaxed (as the model likes) or disabled (none is offered)"`
	AllowUnreliable    bool                `json:"allow_unreliable,omitempty" default:"false" jsonschema:"whether tool_use_mode enforced takes models that are known to make calls badly"`
	FallbackRetries    int                 `json:"fallback_retry_count,omitempty" default:"0" jsonschema:"how often a model that fails with tools, or whose provider fails, is asked again before it is asked without"`
	Failures           agent.FailurePolicy `json:"tool_failure_policy,omitempty" default:"fatal" jsonschema:"what tools that fail make of a run: fatal (one whose last call failed fails the run at its end), tolerated (one success is enough) or told (the answer counts, in which the model says what did not work)"`
	ToolChoice         callwright.Choice   `json:"tool_choice,omitempty" default:"auto" jsonschema:"whether tools are to be called in the first answer: auto, none, required or the name of a tool"`
	Request            Members             `json:"request_overrides,omitempty" default:"none" jsonschema:"members merged into the body that the provider gets, by the names of its API, over those of the model's request; null removes a member"`
	FixEmptyFinal      *bool               `json:"fix_empty_final,omitempty" default:"true" jsonschema:"whether a model that ends with an empty answer is asked once more"`
	EmptyFinalText     string              `json:"fix_empty_final_user_text,omitempty" default:"a sentence that asks for the answer" jsonschema:"what a model is told whose answer was empty"`
	EmptyFinalBare     *bool               `json:"fix_empty_final_disable_tools,omitempty" default:"true" jsonschema:"whether a model may call no tools after an empty answer"`
	AskAboutClaims     bool                `json:"ask_about_claims,omitempty" default:"false" jsonschema:"whether a model whose answer claims work that no call did is asked once to do it, or to say that it did not"`
	Verifier           agent.VerifyWhen    `json:"verifier,omitempty" default:"never" jsonschema:"whether a second look is taken at an answer before a run ends with it: always, auto (below a confidence) or never"`
	VerifierModel      callwright.ModelID  `json:"verifier_model,omitempty" default:"the run's own" jsonschema:"the model that takes a second look"`
	VerifierConfidence float64             `json:"verifier_confidence,omitempty" default:"0.9" jsonschema:"with verifier auto, the confidence from which an answer needs none, up to 1"`
	NextModels         ModelNames          `json:"next_models,omitempty" default:"none" jsonschema:"more capable models, the least first, one of which is suggested when a run's model keeps making calls that cannot be run"`
	NextModelAfter     int                 `json:"next_model_after,omitempty" default:"3" jsonschema:"after how many bad calls on end one of next_models is suggested"`
	MoveToNextModel    bool                `json:"move_to_next_model,omitempty" default:"false" jsonschema:"whether a run moves to the next of next_models, instead of only suggesting it"`
	AgentTools
	AgentLimits
}

// AgentTools select the tools of an agent.
type AgentTools struct {
	ToolFiles    Files        `json:"tools,omitempty" default:"none" jsonschema:"files with tools, one or a list: from the folder of the configuration, or below your own with ~/"`
	MCP          MCPServers   `json:"mcp,omitempty" default:"none" jsonschema:"servers of the Model Context Protocol by name, which stands before the names of their tools"`
	Allow        ToolPatterns `json:"tool_allowlist,omitempty" default:"all" jsonschema:"patterns of the names of tools that are offered, a list or one text with commas; an asterisk stands for any characters"`
	Deny         ToolPatterns `json:"tool_denylist,omitempty" default:"none" jsonschema:"patterns of the names of tools that are not offered, whatever else allows them"`
	ToolProfiles ToolProfiles `json:"tool_profiles,omitempty" default:"none" jsonschema:"lists of tools by name: a mapping with tool_allowlist and tool_denylist, or a list of what is allowed"`
	ToolProfile  ProfileNames `json:"tool_profile,omitempty" default:"none" jsonschema:"which of the profiles apply, a list or one text with commas; their lists are joined with tool_allowlist and tool_denylist"`
	Approve      Approvals    `json:"approve,omitempty" default:"what the tools say" jsonschema:"when a person is asked before a call is run, by patterns of names: never, once (of a tool, in a run) or always; of several that match the last holds"`
}

// AgentLimits limit the runs of an agent. A field that is zero or nil has the default in its tag.
type AgentLimits struct {
	MaxSteps      *int          `json:"max_steps,omitempty" default:"50" jsonschema:"answers of the model in a run; 0 is no bound"`
	MaxTokens     int           `json:"max_tokens,omitempty" default:"no bound" jsonschema:"tokens of a run, read and written"`
	MaxTime       time.Duration `json:"max_time,omitempty" default:"no bound" jsonschema:"time of a run, without that for which it waited for a person"`
	MaxCost       float64       `json:"max_cost,omitempty" default:"no bound" jsonschema:"cost of a run, in the money of cost"`
	Cost          *Prices       `json:"cost,omitempty" default:"not counted" jsonschema:"what tokens cost"`
	MaxArguments  int           `json:"max_tool_args_bytes,omitempty" default:"200000" jsonschema:"bytes of the arguments of a call"`
	MaxOutput     int           `json:"max_tool_output_bytes,omitempty" default:"200000" jsonschema:"bytes of what a tool gives back; more is an error that the model reads"`
	CutToolOutput bool          `json:"cut_tool_output,omitempty" default:"false" jsonschema:"whether the head and the tail of what is too long take its place instead"`
	Parallel      int           `json:"parallel,omitempty" default:"8" jsonschema:"calls that run at a time"`
	ToolTimeout   time.Duration `json:"tool_timeout,omitempty" default:"2m" jsonschema:"time of one call of a tool that has no limit of its own"`
}

// Prices are the prices in one currency, any currency, for a million tokens.
type Prices struct {
	Input  float64  `json:"input_per_million,omitempty" default:"0" jsonschema:"of tokens that are read"`
	Output float64  `json:"output_per_million,omitempty" default:"0" jsonschema:"of tokens that are written"`
	Cached *float64 `json:"cached_per_million,omitempty" default:"that of input" jsonschema:"of tokens that are read out of a prompt cache"`
}

// ToolPatterns are patterns of tool names, such as read_*. In a file they are a list, or one string with commas.
type ToolPatterns []string

// ToolProfiles maps the name of a tool profile to the profile.
type ToolProfiles map[string]ToolProfile

// A ToolProfile selects the tools that an agent offers to the model. In a file it is a mapping with tool_allowlist and
// tool_denylist, or a list, which is the tool_allowlist.
type ToolProfile struct {
	Allow ToolPatterns `json:"tool_allowlist,omitempty" default:"all" jsonschema:"patterns of the names of tools that are offered"`
	Deny  ToolPatterns `json:"tool_denylist,omitempty" default:"none" jsonschema:"patterns of those that are not"`
}

// ProfileNames are names of tool profiles. In a file they are a list, or one string with commas.
type ProfileNames []string

// ModelNames are names of models. In a file they are a list, or one string with one name.
type ModelNames []callwright.ModelID

// Approvals are the rules that decide before which tool calls a person is asked, by patterns of tool names, in the
// order of the file.
type Approvals []agent.ApprovalRule

// Files are paths of files. In a file they are a list, or one string with one path. Relative paths in a configuration
// file start at the folder of that file.
type Files []string

// A Path is the path of a file or a folder. A relative path in a configuration file starts at the folder of that file.
type Path string

// MCPServers are MCP servers in the order of the file. In a file they are a mapping from names to servers.
type MCPServers []MCPServer

// An MCPServer is a server of the Model Context Protocol. Either Command starts the server as a program, or URL is its
// HTTP address.
type MCPServer struct {
	Name    string                     `json:"-"`
	Command Command                    `json:"command,omitempty" default:"none" jsonschema:"the program and its arguments: a list, or one text as in a shell"`
	Env     map[string]provider.Secret `json:"env,omitempty" default:"none" jsonschema:"variables of the program; a value may be env:NAME. Of others it gets PATH and the folders of the user and of temporary files alone"`
	Dir     Path                       `json:"dir,omitempty" default:"where callwright runs" jsonschema:"the folder in which the program runs"`
	URL     string                     `json:"url,omitempty" default:"none" jsonschema:"the address of a server that is reached by HTTP, instead of a command"`
	Headers map[string]provider.Secret `json:"headers,omitempty" default:"none" jsonschema:"headers of every request to it; a value may be env:NAME"`
}

// A Command is a program with its arguments: a list in Words, or one string in Line, which is split and unquoted as in
// a POSIX shell.
type Command struct {
	Words []string
	Line  string
}
