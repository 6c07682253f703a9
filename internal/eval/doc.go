// Package eval measures how well models use tools. It runs scenarios through the agent loop, many times, on every
// requested combination of models and settings. The result of each trial says whether it succeeded and, if not, why.
//
// A Plan has the axes of a run: models, modes, policies, profiles of sampling parameters, scenarios, and the number of
// trials. Its Cells are all combinations. The id of a cell is the same in every run of the plan. A Queue stores the
// results of finished cells, so that an interrupted run can be continued: [NewMemory] in memory, package filequeue in a
// directory. A Runner plays the cells and produces a Result for each:
//
//	list, err := eval.SelectScenarios([]string{"smoke"}, nil)
//	plan := eval.Plan{Models: []callwright.ModelID{"groq/llama-3.3-70b"}, Scenarios: list, Trials: 10, Seed: 1}
//	r := &eval.Runner{Plan: &plan, Header: plan.Header("v1.0.0", true), Open: open}
//	results, err := r.Run(ctx)
//
// Open returns the model of a cell. Without a network it is a simulated model behind the transport of [Offline], which
// answers with the offline lines of the scenario and misbehaves by a mix of package simulate. The results of a plan
// with one seed are then reproducible except for times, with any concurrency and order of the cells, if the client of
// the model gets its ids from [Cell.IDs].
//
// # Custom scenarios
//
// A scenario is JSON. ParseScenarios reads a scenario file, such as testdata/example.json. ScenarioSchema returns its
// JSON Schema for editors. A scenario has these members:
//
//	id, summary, tags  its name, its purpose, and the tags for its selection
//	prompt             the user message; system and history precede it
//	tools              tools with schemas and recorded results: a call gets the first result whose "when" is contained
//	                   in its arguments and that was used less than "times" times
//	workspace          a document, with the tools state_get and state_patch
//	directives         types of directives to the app in addition to the text
//	approvals          decisions of the person who is asked about calls
//	stream, tool_choice, parallel, limits, tool_failure_policy
//	offline            the answers of a simulated model, called lines
//	expect             the expected outcome
//
// The simulated model repeats a line until the client's messages since the prompt contain the "until" of each of its
// calls, or until it was used "times" times. It thus repeats calls that did not reach their tools, as a real model
// would. The last line is repeated without limit.
//
// # Expectations
//
// Absent members of expect are not checked, with two exceptions: the run must end with an answer unless "stop" or
// "errors" is set, and only the calls in "calls" may reach a tool unless "others" is true. A call that its tool rejects
// has no effect and is ignored if other calls of that tool are expected. Arguments are compared as JSON: the order of
// members is ignored, and numbers are compared exactly. With "subset", additional members are allowed. The comparison
// of the final text ignores case and surrounding white space, quotes and punctuation, unless Runner.Strict is set.
//
// The Class of a failure is one of these:
//
//	invented_call     a tool was called that must not be called at all
//	wrong_arguments   an expected call has other arguments
//	extra_call        a tool was called more often than expected
//	wrong_order       calls were made in another order
//	missing_call      an expected call was not made
//	error:KIND        an error ended the run; KIND is that of callwright.Error
//	stop:REASON       the agent stopped the run, such as by its loop guard or a budget
//	wrong_document, wrong_directives, wrong_approvals, missing_result
//	no_answer         there is no final text
//	wrong_text        the final text differs
//	too_many_requests the run made more requests or steps than allowed
//	refused:KIND      the provider rejected the request
//	timeout, panic, harness, not_applicable
//
// If several apply, the Class is the first one in this list.
package eval
