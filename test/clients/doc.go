// Package clients drives the official SDKs of OpenAI, Anthropic, Google and Ollama, those for Node, against the gateway in front of
// simulated models: models that call tools natively, and models that write their calls as text.
//
// It is a module of its own, so that users of the library never see what it needs. Its tests want Node and npm and skip
// without them; the SDKs are installed once into the user's cache folder, in the versions of package-lock.json.
//
//	cd test/clients && go test ./...
package clients
