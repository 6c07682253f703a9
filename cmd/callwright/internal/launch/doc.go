// Package launch starts coding agents on the models of a gateway: what each agent reads to be led to an address, a key and a model, and the process itself.
//
// An Agent is data with one function, Setup, from a Target (where the gateway is, which models fill which roles) to a Setup: variables, arguments and files.
// All agents are in one table, Agents. Nothing of a user's own configuration is changed: agents are led by variables and arguments, and by files in a folder of the
// session alone, which ends with it. What a session leaves when its process is killed, the next one removes.
package launch
