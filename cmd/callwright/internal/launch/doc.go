// Package launch starts coding agents on the models of a gateway: the settings that point each agent at an address, a
// key and a model, and the process itself.
//
// An Agent is data with one function, Setup, from a Target (the place of the gateway, the models of the roles) to a
// Setup: variables, arguments and files. All agents are in one table, Agents. A user's own configuration is not
// changed: agents are configured by variables and arguments, and by files in a folder of the session alone, which ends
// with it. The next session removes the files of one whose process was killed.
package launch
