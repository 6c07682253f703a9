// Package eval measures how well models use tools: it plays scenarios through the agent loop, many times, on every combination of models and
// settings that is asked for, and says of each trial whether it held and why not.
//
// A Plan is the axes: models, modes, policies, profiles of sampling parameters, scenarios, and the number of trials. Its Cells are the
// combinations, each with an id of its own that is the same in every run of the plan. A Queue keeps which of them are done, so that a run
// that was killed goes on where it ended. A Runner takes cells and makes a Result of each.
package eval
