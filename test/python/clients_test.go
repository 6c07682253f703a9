package python_test

import "github.com/callwright/callwright/simulate"

// A client is one way to use a package.
type client struct {
	name        string
	environment string
	run         string // the function of the driver
	wire        string // the API that it speaks
	// wants is what the client wants of its provider that the simulated one does not have: it is not tested without the gateway.
	wants string
}

// The environments, each named after its list of packages.
const (
	latest  = "latest"
	earlier = "earlier"
)

// mistral is what clients of Mistral's API want: it is OpenAI's, but for calls of the history without a type and streams whose calls are in one piece.
const mistral = "Mistral's form of OpenAI's API"

var clients = []client{
	{name: "openai chat", environment: latest, run: "with_openai:chat", wire: simulate.OpenAI},
	{name: "openai responses", environment: latest, run: "with_openai:responses", wire: simulate.Responses},
	{name: "openai responses stored", environment: latest, run: "with_openai:stored", wire: simulate.Responses, wants: "answers that are kept"},
	{name: "anthropic messages", environment: latest, run: "with_anthropic:messages", wire: simulate.Anthropic},
	{name: "anthropic tool runner", environment: latest, run: "with_anthropic:runner", wire: simulate.Anthropic, wants: "threads"},
	{name: "google-genai", environment: latest, run: "with_google_genai:chat", wire: simulate.Gemini},
	{name: "ollama", environment: latest, run: "with_ollama:chat", wire: simulate.Ollama},
	{name: "mistralai", environment: latest, run: "with_mistral:chat", wire: simulate.OpenAI, wants: mistral},
	{name: "langchain openai", environment: latest, run: "with_langchain:openai", wire: simulate.OpenAI},
	{name: "langchain responses", environment: latest, run: "with_langchain:responses", wire: simulate.Responses},
	{name: "langchain anthropic", environment: latest, run: "with_langchain:anthropic", wire: simulate.Anthropic},
	{name: "langchain google-genai", environment: latest, run: "with_langchain:google", wire: simulate.Gemini},
	{name: "langchain ollama", environment: latest, run: "with_langchain:ollama", wire: simulate.Ollama},
	{name: "langchain mistralai", environment: latest, run: "with_langchain:mistral", wire: simulate.OpenAI, wants: mistral},
	{name: "pydantic-ai openai", environment: latest, run: "with_pydantic_ai:openai", wire: simulate.OpenAI},
	{name: "pydantic-ai responses", environment: latest, run: "with_pydantic_ai:responses", wire: simulate.Responses},
	{name: "pydantic-ai anthropic", environment: latest, run: "with_pydantic_ai:anthropic", wire: simulate.Anthropic},
	{name: "pydantic-ai mistral", environment: latest, run: "with_pydantic_ai:mistral", wire: simulate.OpenAI, wants: mistral},
	{name: "pydantic-ai google", environment: earlier, run: "with_pydantic_ai:google", wire: simulate.Gemini},
	{name: "openai-agents chat", environment: latest, run: "with_openai_agents:chat", wire: simulate.OpenAI},
	{name: "openai-agents responses", environment: latest, run: "with_openai_agents:responses", wire: simulate.Responses},
	{name: "agno openai", environment: latest, run: "with_agno:openai", wire: simulate.OpenAI},
	{name: "agno responses", environment: latest, run: "with_agno:responses", wire: simulate.Responses},
	{name: "agno anthropic", environment: latest, run: "with_agno:anthropic", wire: simulate.Anthropic},
	{name: "agno google", environment: latest, run: "with_agno:google", wire: simulate.Gemini},
	{name: "agno ollama", environment: latest, run: "with_agno:ollama", wire: simulate.Ollama},
	{name: "agno mistral", environment: latest, run: "with_agno:mistral", wire: simulate.OpenAI, wants: mistral},
	{name: "litellm openai", environment: earlier, run: "with_litellm:openai", wire: simulate.OpenAI},
	{name: "litellm responses", environment: earlier, run: "with_litellm:responses", wire: simulate.Responses},
	{name: "litellm anthropic", environment: earlier, run: "with_litellm:anthropic", wire: simulate.Anthropic},
	{name: "litellm gemini", environment: earlier, run: "with_litellm:google", wire: simulate.Gemini},
	{name: "litellm ollama", environment: earlier, run: "with_litellm:ollama", wire: simulate.Ollama},
	{name: "litellm mistral", environment: earlier, run: "with_litellm:mistral", wire: simulate.OpenAI, wants: mistral},
	{name: "instructor openai", environment: earlier, run: "with_instructor:openai", wire: simulate.OpenAI},
	{name: "instructor anthropic", environment: earlier, run: "with_instructor:anthropic", wire: simulate.Anthropic},
	{name: "strands openai", environment: earlier, run: "with_strands:openai", wire: simulate.OpenAI},
	{name: "strands responses", environment: earlier, run: "with_strands:responses", wire: simulate.Responses},
	{name: "strands anthropic", environment: earlier, run: "with_strands:anthropic", wire: simulate.Anthropic},
	{name: "strands ollama", environment: earlier, run: "with_strands:ollama", wire: simulate.Ollama},
	{name: "llama-index openai", environment: earlier, run: "with_llama_index:openai", wire: simulate.OpenAI},
	{name: "llama-index responses", environment: earlier, run: "with_llama_index:responses", wire: simulate.Responses},
	{name: "llama-index anthropic", environment: earlier, run: "with_llama_index:anthropic", wire: simulate.Anthropic},
	{name: "llama-index google-genai", environment: earlier, run: "with_llama_index:google", wire: simulate.Gemini},
	{name: "llama-index ollama", environment: earlier, run: "with_llama_index:ollama", wire: simulate.Ollama},
	{name: "google-adk", environment: earlier, run: "with_google_adk:google", wire: simulate.Gemini},
	{name: "google-adk litellm", environment: earlier, run: "with_google_adk:litellm", wire: simulate.OpenAI},
}

// A model is a simulated model behind the gateway, over the API of its provider.
type model struct {
	wire, name string
	native     bool // it calls natively and does nothing wrong, so its text streams as it comes
}

var models = []model{
	{wire: simulate.OpenAI, name: "native", native: true},
	{wire: simulate.Responses, name: "native", native: true},
	{wire: simulate.Anthropic, name: "native", native: true},
	{wire: simulate.Gemini, name: "native", native: true},
	{wire: simulate.Ollama, name: "native", native: true},
	{wire: simulate.OpenAI, name: "hermes"},
	{wire: simulate.Anthropic, name: "anthropic_invoke"},
	{wire: simulate.OpenAI, name: "text_json-fence"},
	{wire: simulate.Ollama, name: "no_tools_400"},
	{wire: simulate.OpenAI, name: "harmony"},
	{wire: simulate.OpenAI, name: "json_damage-single_quotes"},
	{wire: simulate.OpenAI, name: "finish-stop_with_calls"},
	{wire: simulate.OpenAI, name: "id-missing"},
	{wire: simulate.Gemini, name: "gemini_malformed-call"},
}

// Forms of an answer.
var forms = []string{"whole", "streamed"}
