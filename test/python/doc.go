// Package python drives clients for Python against the gateway in front of simulated models: the SDKs of OpenAI,
// Anthropic, Google, Ollama and Mistral, and the libraries for agents that are built on them. Each holds a conversation
// of two turns, whole and streamed: the model calls a tool, the client runs it, the model answers with its result.
//
//	cd test/python && go test -v ./...
//	cd test/python && go test -v ./... -clients langchain # those whose names begin so
//
// With -v it prints a table of clients and models. The tests need uv and Python 3.11 or newer. They are skipped without
// them, and fail where CALLWRIGHT_REQUIRE is set. Packages are installed once into the user's cache folder, some 700
// MB, in the versions of latest.txt and of earlier.txt, which holds the clients that need earlier versions of the SDKs.
// latest.in and earlier.in name the clients; after a change:
//
//	uv pip compile --universal --python-version 3.11 --no-header --no-annotate latest.in -o latest.txt
//
// A client is a function in a module named with_NAME.py and a row of the table in clients_test.go. It is a Go module of
// its own, so that the library's own tests do not need Python.
package python
