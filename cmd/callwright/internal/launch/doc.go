// Package launch starts coding agents with the models of a gateway: it configures an agent for a URL, a key and models,
// and runs its process.
//
// An Agent is data with one function, Setup, from a Target (the gateway and the models of the roles) to a Setup:
// variables, arguments and files. The table Agents lists all agents. The user's own configuration does not change:
// agents are configured by variables, arguments, and files in a folder that is removed after the session. If a session
// is killed, the next one removes its files.
package launch
