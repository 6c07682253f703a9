// Command live asks real small models questions about tools, directly and through Callwright, and counts the right
// answers.
//
//	.ci/live                                  # the default models, arms and questions
//	.ci/live -models qwen0.5b -per 4 -arms direct,auto,text:qwen3_coder,auto/anthropic/stream,auto@ollama
//	.ci/live -update                          # and keeps answers and tables in the repository
//
// The script builds the inference servers. The command fetches the models, starts the servers and a gateway for each
// arm, and asks one question after the other, at temperature 0. An arm is
// KIND[:DIALECT][/CLIENT][/stream][/free][/words][@ollama]: the kind is direct (no gateway), off (the policy off), auto
// (no settings) or a mode; the client is an API, OpenAI's Chat Completions by default; the server is llama-server by
// default. free leaves out the grammars of llama-server, as for engines that take none, and words the changes of
// self-corrections beside their words. The words modes, dialects, clients and streams stand for several arms.
//
// Questions are in testdata: of the Berkeley Function Calling Leaderboard, and of our own with a call and its result
// before the answer. An answer of a server is kept in a file of the cache folder as soon as it is there. The same
// request is never sent twice: a run that was killed goes on, and arms that send the same request share its answer.
//
// What -update keeps is played again by go test, without a server: testdata/answers.jsonl.gz has what servers answered,
// testdata/trials.jsonl.gz what came of it, testdata/causes.tsv the causes of wrong answers. The column cause is for a
// person to fill in: model, prompt, reading or engine. Then go test -run TestPage -update writes the page.
//
// It is a module of its own, so that users of the library never see what it needs.
package main
