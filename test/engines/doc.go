// Package engines runs one conversation of the agent, with its calls and results, through real inference servers:
// Ollama and llama-server of llama.cpp. It must come to the same answer over every API that they serve, and in text. An
// evaluation of the same models, by the program itself, has to report every trial, and one that is killed has to go on
// without playing a trial again.
//
// The checks of callwright conformance have to fail at the servers themselves exactly where faults_test.go says so,
// with the cause, and to pass through the gateway before them.
//
// No weights are needed. WriteModel makes a model of some megabytes whose answers are known beforehand: a table of what
// follows what, which real tokenizers, templates, samplers, grammars and parsers of calls work on. The tests are
// skipped for servers that no variable names. The script .ci/engines starts both servers, which .ci/build-engines
// builds, and runs the tests. With servers of your own:
//
//	ollama serve
//	cd test/engines && CALLWRIGHT_OLLAMA=http://127.0.0.1:11434 go test ./...
//
// The models are put into Ollama by its API, under names that begin with callwright-test, and are deleted at the end.
// llama-server has to be started with the model:
//
//	cd test/engines && go run ./write /tmp/tiny.gguf
//	llama-server -m /tmp/tiny.gguf --alias tiny --jinja -c 4096 --port 8080
//	cd test/engines && CALLWRIGHT_LLAMA_SERVER=http://127.0.0.1:8080 go test ./...
//
// It is a module of its own, so that users of the library never see what it needs.
package engines
