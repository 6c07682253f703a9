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
	Model              callwright.ModelID  `json:"model,omitempty" default:"none" jsonschema:"the model, unless the command line names one"`
	System             string              `json:"system,omitempty" default:"none" jsonschema:"the system prompt"`
	ToolUseMode        agent.ToolUseMode   `json:"tool_use_mode,omitempty" default:"relaxed" jsonschema:"whether the model must use tools: enforced (at least one call before the answer), relaxed (the model decides) or disabled (no tools are offered)"`
	AllowUnreliable    bool                `json:"allow_unreliable,omitempty" default:"false" jsonschema:"whether tool_use_mode enforced accepts models that are known to make bad calls"`
	FallbackRetries    int                 `json:"fallback_retry_count,omitempty" default:"0" jsonschema:"how often a failed request with tools is retried, before it is sent without tools"`
	Failures           agent.FailurePolicy `json:"tool_failure_policy,omitempty" default:"fatal" jsonschema:"whether failed tools make the run fail: fatal (if the last call of any tool failed), tolerated (if tools failed and no call succeeded) or told (never: the model learns of the failures and may report them in its answer)"`
	ToolChoice         callwright.Choice   `json:"tool_choice,omitempty" default:"auto" jsonschema:"the tool choice of the first request: auto, none, required or the name of a tool"`
	Request            Members             `json:"request_overrides,omitempty" default:"none" jsonschema:"members merged into the request body for the provider, by the names of its API. They take precedence over request of the model; null removes a member"`
	FixEmptyFinal      *bool               `json:"fix_empty_final,omitempty" default:"true" jsonschema:"whether the model is asked once more after an empty answer"`
	EmptyFinalText     string              `json:"fix_empty_final_user_text,omitempty" default:"a request for the answer" jsonschema:"the message to the model after an empty answer"`
	EmptyFinalBare     *bool               `json:"fix_empty_final_disable_tools,omitempty" default:"true" jsonschema:"whether the request after an empty answer allows no tool calls"`
	AskAboutClaims     bool                `json:"ask_about_claims,omitempty" default:"false" jsonschema:"whether the model is asked once to do the work, or to correct its answer, if the answer claims work that no call did"`
	Verifier           agent.VerifyWhen    `json:"verifier,omitempty" default:"never" jsonschema:"when a verifier checks the final answer: always, auto (if its confidence is below verifier_confidence) or never"`
	VerifierModel      callwright.ModelID  `json:"verifier_model,omitempty" default:"the model of the run" jsonschema:"the model of the verifier"`
	VerifierConfidence float64             `json:"verifier_confidence,omitempty" default:"0.9" jsonschema:"with verifier auto, an answer with at least this confidence is not checked; above 0 and up to 1"`
	NextModels         ModelNames          `json:"next_models,omitempty" default:"none" jsonschema:"more capable models, the least capable first. The next one is suggested if the model keeps making calls that cannot be run"`
	NextModelAfter     int                 `json:"next_model_after,omitempty" default:"3" jsonschema:"the number of successive answers with bad calls, after which the next of next_models is suggested"`
	MoveToNextModel    bool                `json:"move_to_next_model,omitempty" default:"false" jsonschema:"whether the run changes to the next of next_models, instead of only suggesting it"`
	AgentTools
	AgentLimits
}

// AgentTools select the tools of an agent.
type AgentTools struct {
	ToolFiles    Files        `json:"tools,omitempty" default:"none" jsonschema:"tool files, one or a list. Relative paths start at the folder of the configuration, ~/ at the home folder"`
	MCP          MCPServers   `json:"mcp,omitempty" default:"none" jsonschema:"MCP servers by name. The names of their tools begin with the name of the server"`
	Allow        ToolPatterns `json:"tool_allowlist,omitempty" default:"all" jsonschema:"patterns of the names of offered tools, a list or one string with commas; an asterisk matches any characters"`
	Deny         ToolPatterns `json:"tool_denylist,omitempty" default:"none" jsonschema:"patterns of the names of tools that are never offered. They take precedence over allowlists"`
	ToolProfiles ToolProfiles `json:"tool_profiles,omitempty" default:"none" jsonschema:"named profiles: each a mapping with tool_allowlist and tool_denylist, or a list of allowed tools"`
	ToolProfile  ProfileNames `json:"tool_profile,omitempty" default:"none" jsonschema:"the active profiles, a list or one string with commas. Their lists are joined with tool_allowlist and tool_denylist"`
	Approve      Approvals    `json:"approve,omitempty" default:"set by each tool" jsonschema:"when a person must approve a call, by patterns of tool names: never, once (per tool and run) or always. The last matching pattern applies"`
}

// AgentLimits limit the runs of an agent. A field that is zero or nil has the default in its tag.
type AgentLimits struct {
	MaxSteps      *int          `json:"max_steps,omitempty" default:"50" jsonschema:"answers of the model in a run; 0 means no limit"`
	MaxTokens     int           `json:"max_tokens,omitempty" default:"no limit" jsonschema:"input and output tokens of a run"`
	MaxTime       time.Duration `json:"max_time,omitempty" default:"no limit" jsonschema:"the duration of a run, without the time it waits for a person"`
	MaxCost       float64       `json:"max_cost,omitempty" default:"no limit" jsonschema:"the cost of a run, in the currency of cost"`
	Cost          *Prices       `json:"cost,omitempty" default:"not counted" jsonschema:"the prices of tokens"`
	MaxArguments  int           `json:"max_tool_args_bytes,omitempty" default:"200000" jsonschema:"bytes of the arguments of a call"`
	MaxOutput     int           `json:"max_tool_output_bytes,omitempty" default:"200000" jsonschema:"bytes of a tool result. A longer result is replaced by an error for the model"`
	CutToolOutput bool          `json:"cut_tool_output,omitempty" default:"false" jsonschema:"whether the model gets the start and the end of a result that is too long, instead of the error"`
	Parallel      int           `json:"parallel,omitempty" default:"8" jsonschema:"concurrent calls"`
	ToolTimeout   time.Duration `json:"tool_timeout,omitempty" default:"2m" jsonschema:"the time limit of a call, unless the tool has its own"`
}

// Prices are the prices in one currency, any currency, for a million tokens.
type Prices struct {
	Input  float64  `json:"input_per_million,omitempty" default:"0" jsonschema:"input tokens"`
	Output float64  `json:"output_per_million,omitempty" default:"0" jsonschema:"output tokens"`
	Cached *float64 `json:"cached_per_million,omitempty" default:"the input price" jsonschema:"input tokens read from a prompt cache"`
}

// ToolPatterns are patterns of tool names, such as read_*. In a file they are a list, or one string with commas.
type ToolPatterns []string

// ToolProfiles maps the name of a tool profile to the profile.
type ToolProfiles map[string]ToolProfile

// A ToolProfile selects the tools that an agent offers to the model. In a file it is a mapping with tool_allowlist and
// tool_denylist, or a list, which is the tool_allowlist.
type ToolProfile struct {
	Allow ToolPatterns `json:"tool_allowlist,omitempty" default:"all" jsonschema:"patterns of the names of offered tools"`
	Deny  ToolPatterns `json:"tool_denylist,omitempty" default:"none" jsonschema:"patterns of the names of tools that are not offered"`
}

// ProfileNames are names of tool profiles. In a file they are a list, or one string with commas.
type ProfileNames []string

// ModelNames are names of models. In a file they are a list, or one string with one name.
type ModelNames []callwright.ModelID

// Approvals are the rules that decide before which tool calls a person is asked, by patterns of tool names, in the
// order of the file.
type Approvals []agent.ApprovalRule

// Files are paths of files. The configuration has them as a list, or as one string with one path. Relative paths start
// at the folder of the configuration file.
type Files []string

// A Path is the path of a file or a folder. A relative path in a configuration file starts at the folder of that file.
type Path string

// MCPServers are MCP servers in the order of the file. In a file they are a mapping from names to servers.
type MCPServers []MCPServer

// An MCPServer is a server of the Model Context Protocol. Either Command starts the server as a program, or URL is its
// HTTP address.
type MCPServer struct {
	Name    string                     `json:"-"`
	Command Command                    `json:"command,omitempty" default:"none" jsonschema:"the program and its arguments: a list, or one string as in a shell"`
	Env     map[string]provider.Secret `json:"env,omitempty" default:"none" jsonschema:"environment variables of the program; a value may be env:NAME. It inherits only PATH and the variables of the home and temporary folders"`
	Dir     Path                       `json:"dir,omitempty" default:"the current directory" jsonschema:"the working directory of the program"`
	URL     string                     `json:"url,omitempty" default:"none" jsonschema:"the URL of a server that is reached by HTTP, instead of a command"`
	Headers map[string]provider.Secret `json:"headers,omitempty" default:"none" jsonschema:"headers of every request to the server; a value may be env:NAME"`
}

// A Command is a program with its arguments: a list in Words, or one string in Line, which is split and unquoted as in
// a POSIX shell.
type Command struct {
	Words []string
	Line  string
}
