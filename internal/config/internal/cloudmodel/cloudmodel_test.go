package cloudmodel_test

import (
	"testing"

	"github.com/callwright/callwright/internal/config/internal/cloudmodel"
)

// TestBedrock: names of models as they stand in published files of LiteLLM, below docs/my-website/docs/providers/bedrock.md,
// cookbook/anthropic_agent_sdk and litellm/proxy/example_config_yaml there.
func TestBedrock(t *testing.T) {
	const profile = "arn:aws:bedrock:us-east-1:123456789012:application-inference-profile/abc123"
	const shared = "arn:aws:bedrock:eu-west-1:123456789012:inference-profile/eu.anthropic.claude-sonnet-4-20250514-v1:0"
	for _, c := range []struct {
		name, base string
		want       cloudmodel.Model
		why        string
	}{
		{"anthropic.claude-instant-v1", "", cloudmodel.Model{Provider: "bedrock-anthropic", Name: "anthropic.claude-instant-v1"}, ""},
		{"us.anthropic.claude-sonnet-4-20250514-v1:0", "", cloudmodel.Model{Provider: "bedrock-anthropic", Name: "us.anthropic.claude-sonnet-4-20250514-v1:0"}, ""},
		{"converse/us.anthropic.claude-3-5-haiku-20241022-v1:0", "", cloudmodel.Model{Provider: "bedrock-anthropic", Name: "us.anthropic.claude-3-5-haiku-20241022-v1:0"}, ""},
		{"invoke/global.anthropic.claude-haiku-4-5-20251001-v1:0", "", cloudmodel.Model{Provider: "bedrock-anthropic", Name: "global.anthropic.claude-haiku-4-5-20251001-v1:0"}, ""},
		{"us-west-2/anthropic.claude-v2", "", cloudmodel.Model{Provider: "bedrock-anthropic", Name: "anthropic.claude-v2", Region: "us-west-2"}, ""},
		{"converse/us-gov-west-1/anthropic.claude-v2", "", cloudmodel.Model{Provider: "bedrock-anthropic", Name: "anthropic.claude-v2", Region: "us-gov-west-1"}, ""},
		{"openai.gpt-oss-20b-1:0", "", cloudmodel.Model{Provider: "bedrock", Name: "openai.gpt-oss-20b-1:0"}, ""},
		{"qwen.qwen3-coder-480b-a35b-v1:0", "", cloudmodel.Model{Provider: "bedrock", Name: "qwen.qwen3-coder-480b-a35b-v1:0"}, ""},
		{shared, "", cloudmodel.Model{Provider: "bedrock-anthropic", Name: shared, Region: "eu-west-1"}, ""},
		{"converse/" + profile, "bedrock/us.anthropic.claude-3-7-sonnet-20250219-v1:0", cloudmodel.Model{Provider: "bedrock-anthropic", Name: profile, Region: "us-east-1"}, ""},
		{profile, "", cloudmodel.Model{}, cloudmodel.WhyProfile},
		{"amazon.nova-premier-v1:0", "", cloudmodel.Model{}, cloudmodel.WhyConverse},
		{"us.meta.llama3-3-70b-instruct-v1:0", "", cloudmodel.Model{}, cloudmodel.WhyConverse},
		{"cohere.command-text-v14", "", cloudmodel.Model{}, cloudmodel.WhyConverse},
		{"agent/L1RT58GYRW/MFPSBCXYTW", "", cloudmodel.Model{}, cloudmodel.WhyAgent},
	} {
		if got, why := cloudmodel.FindBedrock(c.name, c.base); got != c.want || why != c.why {
			t.Errorf("%s: got %+v %q, want %+v %q", c.name, got, why, c.want, c.why)
		}
	}
}

// TestVertex: names of models as they stand in docs/my-website/docs/providers/vertex.md and vertex_partner.md of LiteLLM.
func TestVertex(t *testing.T) {
	for _, c := range []struct {
		name string
		want cloudmodel.Model
		why  string
	}{
		{"gemini-1.5-pro", cloudmodel.Model{Provider: "vertex", Name: "gemini-1.5-pro"}, ""},
		{"claude-3-sonnet@20240229", cloudmodel.Model{Provider: "vertex-anthropic", Name: "claude-3-sonnet@20240229"}, ""},
		{"google/gemini-2.5-pro", cloudmodel.Model{Provider: "vertex", Name: "gemini-2.5-pro"}, ""},
		{"meta/llama-3.2-90b-vision-instruct-maas", cloudmodel.Model{Provider: "vertex-openai", Name: "meta/llama-3.2-90b-vision-instruct-maas"}, ""},
		{"openai/gpt-oss-120b-maas", cloudmodel.Model{Provider: "vertex-openai", Name: "openai/gpt-oss-120b-maas"}, ""},
		{"mistral-large@2407", cloudmodel.Model{}, cloudmodel.WhyPublish},
		{"jamba-1.5-mini@001", cloudmodel.Model{}, cloudmodel.WhyPublish},
		{"openai/5464397967697903616", cloudmodel.Model{}, cloudmodel.WhyDeployed},
	} {
		if got, why := cloudmodel.FindVertex(c.name); got != c.want || why != c.why {
			t.Errorf("%s: got %+v %q, want %+v %q", c.name, got, why, c.want, c.why)
		}
	}
}
