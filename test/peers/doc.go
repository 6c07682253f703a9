// Command peers asks the misbehaving models of callwright simulate directly, through Callwright and through other
// gateways, and prints how many answers hold the call that was meant:
//
//	go run . litellm
//
// It builds Callwright, starts all servers on free ports of the loopback interface, and ends them. uv installs LiteLLM.
// Without a name the first two rows alone are measured. The table is in docs/compared.md.
//
// Each fault that a provider with OpenAI's API can have is asked for one call, once whole and once streamed. An answer
// is
//
//   - right: one call of the declared tool with the arguments that were meant, of the declared types. Where an answer only quotes a call, no call;
//   - lost: no call;
//   - wrong: another call, or another count of calls;
//   - an error: a status other than 200, an error in the stream, or no answer.
package main
