// Package clients drives the official SDKs of OpenAI, Anthropic, Google and Ollama, those for Node, against the gateway
// in front of simulated models: models that call tools natively, and models that write their calls as text.
// TestFrameworks does so with the SDKs of OpenRouter, Mistral and Groq and with agent frameworks, which frameworks/
// lists: each runs the loop of tools by itself.
//
// TestConformance runs the client half of MCP's conformance suite on mcptool, with what is expected of each scenario.
//
// It is a module of its own, so that the library does not depend on its dependencies. Its tests need Node and npm. They
// are skipped without them, and fail where CALLWRIGHT_REQUIRE is set. The SDKs are installed once into the user's cache
// folder, in the versions of package-lock.json. The other list has some 550 packages, 600 MB.
//
//	cd test/clients && go test ./...
//
// TestAgents starts coding agents by callwright launch. It is skipped unless a variable names a folder in which npm
// installed some of them, and is no part of .ci/run: the agents are large and their versions are not pinned.
//
//	npm install @anthropic-ai/claude-code @openai/codex @google/gemini-cli @qwen-code/qwen-code opencode-ai cline @mariozechner/pi-coding-agent @github/copilot
//	CALLWRIGHT_AGENTS=$PWD go test ./... -run TestAgents
//
// TestLongCall has the SDKs wait for a call that is held, and Claude Code, Codex and opencode where CALLWRIGHT_AGENTS
// names a folder with them. CALLWRIGHT_HOLD says for how long; from 10 minutes on all limits of time are the clients' own.
//
//	CALLWRIGHT_HOLD=620s CALLWRIGHT_AGENTS=$PWD go test ./... -run TestLongCall -timeout 30m -v
//
// Some of these packages need their install scripts, or a newer version of Node than the SDKs need; without them npm
// takes older versions.
package clients
