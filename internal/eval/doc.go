// Package eval measures how well models use tools. It runs scenarios through the agent loop, many times, on every
// requested combination of models and settings. Each trial has a result: whether it held and, if not, the reason.
//
// A Plan is the axes: models, modes, policies, profiles of sampling parameters, scenarios, and the number of trials.
// Its Cells are the combinations, each with an id of its own that is the same in every run of the plan. A Queue keeps
// the results of the finished cells, so that a run that was killed can be continued: [NewMemory] in memory, package
// filequeue in a folder. A Runner runs cells and makes a Result of each:
//
//	list, err := eval.SelectScenarios([]string{"smoke"}, nil)
//	plan := eval.Plan{Models: []callwright.ModelID{"groq/llama-3.3-70b"}, Scenarios: list, Trials: 10, Seed: 1}
//	r := &eval.Runner{Plan: &plan, Header: plan.Header("v1.0.0", true), Open: open}
//	results, err := r.Run(ctx)
//
// Open returns the model of a cell. Without a network that is a simulated one, behind the transport of [Offline]: a
// model that follows the offline lines of the scenario and misbehaves by a mix of package simulate. The results of one
// plan with one seed are then the same, but for times, for any concurrency and any order of the cells, if the client of
// the model makes its ids by [Cell.IDs].
//
// # Scenarios of one's own
//
// A scenario is data. ParseScenarios reads a file of them, which ScenarioSchema describes for editors;
// testdata/example.json is one. A scenario has
//
//	id, summary, tags  its name, its purpose, and the words by which it is selected
//	prompt             the text of the user; system and history stand before it
//	tools              each with a schema and recorded results: the first whose "when" stands in the arguments is given, "times" times at most
//	workspace          a document, with state_get and state_patch as tools
//	directives         types of directives to the app beside the text
//	approvals          the decisions of the person who is asked about calls
//	stream, tool_choice, parallel, limits, tool_failure_policy
//	offline            the turns of a simulated model, line by line
//	expect             the expected outcome
//
// A line of offline is said until the client's messages since the prompt have the "until" of each of its calls, or
// until it was said "times" times; the last line is said again and again. So a line is said again where a call did not
// come through, as a model would.
//
// # Expectations
//
// A member that expect does not have is not checked, but for two things: the run ends with an answer unless "stop" or
// "errors" say otherwise, and no other calls reach a tool than those in "calls" unless "others" is true. A call that
// its tool refuses does no harm and is not counted, if other calls of that tool are expected. Arguments are compared as
// JSON, whatever the order of members, and numbers by all of their digits; with "subset" there may be more members. The
// final text is compared without case, and without white space, quotes and marks around it, unless the Runner is
// Strict.
//
// The Class of a failure is one of these:
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
// Where several apply, the first of this list is the Class.
package eval
