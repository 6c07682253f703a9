package main

import "github.com/spf13/cobra"

// commands returns all commands in the order of the help text.
func commands(a *app) []*cobra.Command {
	return []*cobra.Command{
		newDemo(a),
		newParse(a),
		newServe(a),
		newStatus(a),
		newLaunch(a),
		newSimulate(a),
		newRun(a),
		newRuns(a),
		newEdit(a),
		newTrace(a),
		newReplay(a),
		newModels(a),
		newCheck(a),
		newProbe(a),
		newConformance(a),
		newEval(a),
		newExplain(a),
		newDoctor(a),
		newSchema(a),
		newMCP(a),
		newKeys(a),
		newConfig(a),
		newDocs(a),
		newVersion(a),
	}
}
