package main

import "strings"

// A section is a part of the page that is generated from the output of one shell command.
type section struct {
	name, command string
	tables        func(*figures) []table
}

// sections lists the sections in the order of the page.
var sections = []section{
	{"gateway", `go test ./internal/gateway -run '^$' -bench Ratio -benchtime 300x`, gatewayTables},
	{"pairs", `go test ./internal/gateway -run '^$' -bench Pairs -benchtime 50ms -count 5`, pairTables},
	{"endurance", `go test ./cmd/callwright -run '^$' -bench Endurance -benchtime 1x`, enduranceTables},
	{"speed", `go test ./reliable ./dialect -run '^$' -bench '^BenchmarkSpeed' -benchtime 100ms -count 10`, speedTables},
	{"beside", `cd test/compare && CGO_ENABLED=0 go test -run '^$' -bench . -benchtime 100ms -count 8`, besideTables},
	{"large", `cd test/compare && export CGO_ENABLED=0
go test -run '^$' -bench '(Arguments|Mend)/.*/callwright' -size 262144 -benchtime 100ms -count 8
go test -run '^$' -bench '(Arguments|Mend)/.*/(ollama|jsonrepair)' -size 262144 -benchtime 1x -timeout 30m`, largeTables},
}

func sectionNames() string {
	var names []string
	for _, s := range sections {
		names = append(names, s.name)
	}
	return strings.Join(names, ", ")
}

// text returns the Markdown of the section: the command, the machine and the tables.
func (s section) text(f *figures) string {
	parts := []string{"```sh\n" + s.command + "\n```\n", f.machine() + "\n"}
	for _, t := range s.tables(f) {
		parts = append(parts, t.String())
	}
	return strings.Join(parts, "\n")
}

func gatewayTables(f *figures) []table {
	t := table{{"path", "gateway, µs", "bare proxy, µs", "times"}}
	for _, row := range []struct{ what, bench string }{
		{"OpenAI to OpenAI, 15 KB, 10 tools, whole", "pass-through/whole/15KB"},
		{"the same, streamed: 60 argument deltas in one write", "pass-through/stream/60"},
		{"the same, 60 deltas 1 ms apart", "pass-through/paced/60"},
		{"Anthropic client to OpenAI provider, 15 KB, whole", "anthropic-to-openai/whole/15KB"},
		{"the same, streamed: 60 argument deltas in one write", "anthropic-to-openai/stream/60"},
		{"OpenAI client to Anthropic provider, 15 KB, whole", "openai-to-anthropic/whole/15KB"},
		{"the same, streamed: 60 argument deltas in one write", "openai-to-anthropic/stream/60"},
		{"OpenAI to OpenAI, 300 messages, 381 KB, whole", "pass-through/whole/400KB"},
		{"Anthropic client to OpenAI provider, 300 messages, whole", "anthropic-to-openai/whole/400KB"},
	} {
		name := "Ratio/" + row.bench
		t.add(row.what, short(f.median(name, "gateway-µs")), short(f.median(name, "proxy-µs")), short(f.median(name, "x-proxy")))
	}
	return []table{t}
}

func pairTables(f *figures) []table {
	wires := []string{"openai", "responses", "anthropic", "gemini", "ollama"}
	var out []table
	for _, way := range []string{"whole", "streamed"} {
		t := table{append([]string{way + ", µs; row: API of the client; column: API of the provider"}, wires...)}
		for _, client := range wires {
			row := []string{client}
			for _, far := range wires {
				row = append(row, short(f.best("Pairs/"+way+"/"+client+"-"+far, "cpu-µs")))
			}
			t.add(row...)
		}
		out = append(out, t)
	}
	return out
}

func enduranceTables(f *figures) []table {
	t := table{{"measurement", "result"}}
	t.add("CPU time per request, first five thousand", short(f.median("Endurance", "first-µs/request"))+" µs")
	t.add("CPU time per request, last five thousand, with open streams", short(f.median("Endurance", "last-µs/request"))+" µs")
	t.add("peak memory of the process", short(f.median("Endurance", "peak-MiB"))+" MiB")
	return []table{t}
}

func speedTables(f *figures) []table {
	t := table{{"measurement", "result"}}
	t.add("scanning prose and code, in chunks of 4 KB", short(f.best("SpeedProse/4KB", "MB/s"))+" MB/s")
	t.add("scanning prose and code, in chunks of four bytes", short(f.best("SpeedProse/token", "MB/s"))+" MB/s, "+
		short(f.median("SpeedProse/token", "allocs/op")/max(f.median("SpeedProse/token", "pieces"), 1))+" allocations a chunk")
	for _, shape := range []struct{ what, bench string }{{"JSON", "json"}, {"tags", "tags"}} {
		name := "SpeedArguments/" + shape.bench
		t.add("1 MB of arguments in "+shape.what+", four bytes at a time",
			short(f.best(name, "ms/MB"))+" ms; "+short(f.median(name, "ratio"))+" times the time for 0.5 MB")
	}
	t.add("repairing 1 MB of broken JSON, with an error on every line", short(f.best("SpeedMend", "ms/doc"))+" ms")
	t.add("validating a valid call, with known tools", short(f.best("SpeedJudge/valid", "ns/op")/1e3)+" µs")
	t.add("validating a call with three values to coerce", short(f.best("SpeedJudge/coerced", "ns/op")/1e3)+" µs")
	return []table{t}
}

func besideTables(f *figures) []table {
	t := table{{"prose", "in chunks of four bytes", "in chunks of 4 KB"}}
	for _, side := range []struct{ what, bench string }{
		{"Callwright", "callwright"}, {"Ollama, qwen3", "ollama-qwen3"}, {"Ollama, qwen3-coder", "ollama-qwen3-coder"},
		{"Ollama, glm-4.7", "ollama-glm-4.7"},
	} {
		t.add(side.what, short(f.best("Prose/"+side.bench+"/token", "MB/s"))+" MB/s", short(f.best("Prose/"+side.bench+"/4KB", "MB/s"))+" MB/s")
	}
	return []table{argumentTable(f, "64 KB"), mendTable(f, "64 KB"), t}
}

func largeTables(f *figures) []table {
	return []table{argumentTable(f, "256 KB"), mendTable(f, "256 KB")}
}

func argumentTable(f *figures, size string) table {
	t := table{{size + " of arguments", "Callwright", "Callwright, twice the size", "Ollama", "Ollama, twice the size"}}
	for _, format := range []string{"hermes", "qwen3_coder", "glm47", "deepseek_v31", "mistral_args", "lfm2"} {
		row := []string{format}
		for _, side := range []string{"callwright", "ollama"} {
			name := "Arguments/" + format + "/" + side
			row = append(row, short(f.best(name, "ms"))+" ms", "× "+short(f.median(name, "ratio")))
		}
		t.add(row...)
	}
	return t
}

func mendTable(f *figures, size string) table {
	t := table{{size + " of JSON", "Callwright", "jsonrepair"}}
	for _, shape := range []string{"commas and quotes", "keys and literals", "valid"} {
		row := []string{shape}
		for _, side := range []string{"callwright", "jsonrepair"} {
			row = append(row, short(f.best("Mend/"+strings.ReplaceAll(shape, " ", "_")+"/"+side, "ns/op")/1e6)+" ms")
		}
		t.add(row...)
	}
	return t
}
