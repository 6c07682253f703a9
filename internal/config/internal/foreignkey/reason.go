package foreignkey

import "strings"

// A reason explains why a key of another program has no counterpart. keys is the key, or a prefix of keys with an
// asterisk at the end.
type reason struct{ keys, program, why string }

// These reasons apply to several keys.
const (
	whyShared    = "gateways share their state by state.nats"
	whyDatabase  = "callwright keeps its state in a folder or on NATS, and no database"
	whyOneByOne  = "answers are not cached; the prompt caches of providers are used"
	whyByTag     = "requests are not told apart by tags: ask for a model by its name"
	whyBatch     = "batches, files and fine-tuning go to the provider itself"
	whyAlert     = "alerts sends events to a webhook"
	whyTeam      = "keys and groups have limits; callwright keys new makes them"
	whyCheck     = "the contents of requests are not checked; call_rules refuse calls of tools"
	whyPrice     = "prices stand in prices_file"
	whyEveryone  = "a configuration with keys asks every client for one"
	whySimulated = "sim is a provider that misbehaves on demand"
)

// reasons are searched in order. The keys of LiteLLM are those of https://docs.litellm.ai/docs/proxy/config_settings
// and of published files. The keys of claude-code-router and Bifrost are those of published files.
var reasons = []reason{
	{"rpm", LiteLLM, "a provider that says 429 rests for as long as it says; keys have requests_per_minute"},
	{"tpm", LiteLLM, "a provider that says 429 rests for as long as it says; keys have tokens_per_minute"},
	{"stream_timeout", LiteLLM, "timeouts.first_byte holds for streams too: set it below providers.NAME"},
	{"region_name", LiteLLM, "requests are not told apart by regions: list an endpoint for each"},
	{"weight", LiteLLM, "a group asks the member that does best; keys and hosts of one provider take a weight"},
	{"order", LiteLLM, "prefer: order asks the members of a group in the order of any"},
	{"tags", LiteLLM, whyByTag},
	{"enable_tag_filtering", LiteLLM, whyByTag},
	{"mock_*", LiteLLM, whySimulated},
	{"input_cost_*", LiteLLM, whyPrice},
	{"output_cost_*", LiteLLM, whyPrice},
	{"guardrailConfig", LiteLLM, whyCheck},
	{"guardrails", LiteLLM, whyCheck},
	{"s3_*", LiteLLM, whyBatch},
	{"aws_batch_*", LiteLLM, whyBatch},
	{"finetune_settings", LiteLLM, whyBatch},
	{"files_settings", LiteLLM, whyBatch},
	{"aws_session_name", LiteLLM, "sessions of a role have a name of callwright's"},
	{"aws_external_id", LiteLLM, "a profile in the files of AWS has external_id: name it by auth.aws.profile"},
	{"aws_web_identity_token", LiteLLM, "AWS_WEB_IDENTITY_TOKEN_FILE names the file of the token"},
	{"aws_sts_endpoint", LiteLLM, "AWS_ENDPOINT_URL_STS names the address"},
	{"azure_username", LiteLLM, "auth.azure has a client with its secret or a token, and no person"},
	{"azure_password", LiteLLM, "auth.azure has a client with its secret or a token, and no person"},
	{"redis_*", LiteLLM, whyShared},
	{"use_redis_*", LiteLLM, whyShared},
	{"database_*", LiteLLM, whyDatabase},
	{"proxy_*", LiteLLM, whyDatabase},
	{"cache", LiteLLM, whyOneByOne},
	{"cache_params", LiteLLM, whyOneByOne},
	{"enable_pre_call_checks", LiteLLM, "a group leaves out members that a prompt does not fit into, always"},
	{"provider_budget_config", LiteLLM, "budgets are those of keys"},
	{"default_team_settings", LiteLLM, whyTeam},
	{"custom_team_*", LiteLLM, whyTeam},
	{"team_metadata_*", LiteLLM, whyTeam},
	{"custom_auth", LiteLLM, "keys are listed, or made by callwright keys: functions in Python are not called"},
	{"pass_through_endpoints", LiteLLM, "the gateway has no paths of other services: passthrough hands on kinds of requests to models"},
	{"alerting*", LiteLLM, whyAlert},
	{"alert_*", LiteLLM, whyAlert},
	{"key_management_system", LiteLLM, "api_key takes file:PATH, or the command that asks the vault"},
	{"key_management_settings", LiteLLM, "api_key takes file:PATH, or the command that asks the vault"},
	{"success_callback", LiteLLM, "telemetry sends spans of OpenTelemetry"},
	{"failure_callback", LiteLLM, "telemetry sends spans of OpenTelemetry"},
	{"callbacks", LiteLLM, "telemetry sends spans of OpenTelemetry"},
	{"websearch_interception_params", LiteLLM, "hosted_tools runs searches that a model's provider does not run"},
	{"search_tools", LiteLLM, "hosted_tools runs searches that a model's provider does not run"},
	{"mcp_servers", LiteLLM, "tools are those of the client; agent.mcp has servers for agents"},
	{"include", LiteLLM, "import these files one by one"},
	{"include_cost_in_streaming_usage", LiteLLM, "the report of a request has its cost"},

	{"server", Bifrost, "buffers and connections need no setting"},
	{"framework", Bifrost, whyPrice},
	{"plugins", Bifrost, "plugins are not loaded; keys, telemetry and transforms do such work"},
	{"allow_direct_keys", Bifrost, "clients have keys of the gateway"},
	{"enforce_auth_on_inference", Bifrost, whyEveryone},
	{"enforce_governance_header", Bifrost, whyEveryone},
	{"enable_litellm_fallbacks", Bifrost, "fallbacks of an alias are asked in their order"},
	{"enable_local_cache", Bifrost, whyOneByOne},
	{"local_cache", Bifrost, whyOneByOne},
	{"routing_rules", Bifrost, "names of models and patterns below models choose"},
	{"encryption_key", Bifrost, "secrets stand in variables and files, and in no database"},

	{"transformers", ClaudeCodeRouter, "functions in JavaScript are not called; transforms, dialect and mode say how a model is spoken with"},
}

// FindReason returns why a key in the file of a program has no counterpart. ok is false if reasons does not contain the
// key.
func FindReason(program, key string) (why string, ok bool) {
	for _, r := range reasons {
		begin, isPattern := strings.CutSuffix(r.keys, "*")
		if r.program == program && (r.keys == key || isPattern && strings.HasPrefix(key, begin)) {
			return r.why, true
		}
	}
	return "", false
}
