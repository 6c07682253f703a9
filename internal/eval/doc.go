// Package eval measures how well models use tools: it plays scenarios through the agent loop, many times, on every
// combination of models and settings that is asked for, and says of each trial whether it held and why not.
//
// A Plan is the axes: models, modes, policies, profiles of sampling parameters, scenarios, and the number of trials.
// Its Cells are the combinations, each with an id of its own that is the same in every run of the plan. A Queue keeps
// which of them are done, so that a run that was killed goes on where it ended: [NewMemory] in memory, package
// filequeue in a folder. A Runner takes cells and makes a Result of each:
//
//	list, err := eval.SelectScenarios([]string{"smoke"}, nil)
//	plan := eval.Plan{Models: []callwright.ModelID{"groq/llama-3.3-70b"}, Scenarios: list, Trials: 10, Seed: 1}
//	r := &eval.Runner{Plan: &plan, Header: plan.Header("v1.0.0", true), Open: open}
//	results, err := r.Run(ctx)
//
// Open gives the model of a cell. Without a network that is a simulated one, behind the transport that [Offline] makes:
// a model that does what the scenario's offline lines say, and misbehaves as a mix of package simulate has it. Whatever
// is played at a time and in whatever order, the results of one plan with one seed are then the same, but for times, if
// the client of the model makes its ids by [Cell.IDs].
//
// # Scenarios of one's own
//
// A scenario is data. ParseScenarios reads a file of them, which ScenarioSchema describes for editors;
// testdata/example.json is one. A scenario has
//
//	id, summary, tags  its name, what is tried, and what it is selected by
//	prompt             what the user says; system and history stand before it
//	tools              each with a schema and recorded results: the first whose "when" stands in the arguments is given, "times" times at most
//	workspace          a document, with state_get and state_patch as tools
//	directives         types of directives to the app beside the text
//	approvals          what the person says who is asked about calls
//	stream, tool_choice, parallel, limits, tool_failure_policy
//	offline            what a simulated model says, line by line
//	expect             what has to come of it
//
// A line of offline is said until the client's messages since the prompt have the "until" of each of its calls, or
// until it was said "times" times; the last line is said again and again. So a line is said again where a call did not
// come through, as a model would.
//
// # What is expected
//
// Of expect, what is not said is not looked at, but for two things: the run ends with an answer unless "stop" or
// "errors" say otherwise, and no other calls reach a tool than those in "calls" unless "others" is true. A call that
// its tool refuses does no harm and is not counted, if other calls of that tool are expected. Arguments are compared as
// JSON, whatever the order of members, and numbers by all of their digits; with "subset" there may be more members. The
// final text is compared without case, and without white space, quotes and marks around it, unless the Runner is
// Strict.
//
// The Class of a failure says what went wrong:
//
//	invented_call     a tool was called that was not to be called at all
//	wrong_arguments   a call that is expected has other arguments
//	extra_call        a tool was called more often than expected
//	wrong_order       calls came in another order
//	missing_call      a call was not made
//	error:KIND        an error ended the run, of the kind of callwright.Error
//	stop:REASON       the agent ended the run, such as for its loop guard or a budget
//	wrong_document, wrong_directives, wrong_approvals, missing_result
//	no_answer         there is no final text
//	wrong_text        there is another one
//	too_many_requests it took more than it may
//	refused:KIND      the provider did not let the request through
//	timeout, panic, harness, not_applicable
//
// Of several the one that stands first here counts.
package eval
