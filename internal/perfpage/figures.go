package main

import (
	"bufio"
	"fmt"
	"runtime"
	"slices"
	"strconv"
	"strings"
)

// figures contains the results of benchmarks.
type figures struct {
	byName  map[string]map[string][]float64 // keyed by benchmark and unit; one result for each run
	about   map[string]string               // goos, goarch and cpu
	missing []string                        // requested results that do not exist
}

// parse parses the output of go test -bench. cores is the number at the end of benchmark names.
func parse(out string, cores int) *figures {
	f := &figures{byName: map[string]map[string][]float64{}, about: map[string]string{}}
	for lines := bufio.NewScanner(strings.NewReader(out)); lines.Scan(); {
		if key, value, ok := strings.Cut(lines.Text(), ": "); ok && !strings.Contains(key, " ") {
			f.about[key] = value
			continue
		}
		words := strings.Fields(lines.Text())
		if len(words) < 4 || !strings.HasPrefix(words[0], "Benchmark") {
			continue
		}
		name := strings.TrimPrefix(words[0], "Benchmark")
		if cores > 1 {
			name = strings.TrimSuffix(name, "-"+strconv.Itoa(cores))
		}
		if f.byName[name] == nil {
			f.byName[name] = map[string][]float64{}
		}
		for i := 2; i+1 < len(words); i += 2 {
			if v, err := strconv.ParseFloat(words[i], 64); err == nil {
				f.byName[name][words[i+1]] = append(f.byName[name][words[i+1]], v)
			}
		}
	}
	return f
}

// sortResults returns the results of a benchmark in a unit, in ascending order. Without results it returns 0 and adds
// the name to missing.
func (f *figures) sortResults(name, unit string) []float64 {
	all := slices.Sorted(slices.Values(f.byName[name][unit]))
	if len(all) == 0 {
		f.missing = append(f.missing, name+" "+unit)
		return []float64{0}
	}
	return all
}

// median returns the median result of a benchmark.
func (f *figures) median(name, unit string) float64 {
	all := f.sortResults(name, unit)
	return all[len(all)/2]
}

// best returns the best result of a benchmark: the lowest time or the highest rate. Other load on the machine only
// makes results worse.
func (f *figures) best(name, unit string) float64 {
	all := f.sortResults(name, unit)
	if unit == "MB/s" {
		return all[len(all)-1]
	}
	return all[0]
}

// machine returns a line that describes the machine and the Go version.
func (f *figures) machine() string {
	cpu := ""
	if f.about["cpu"] != "" {
		cpu = " of " + f.about["cpu"]
	}
	return fmt.Sprintf("On %s/%s, %d cores%s, %s:", f.about["goos"], f.about["goarch"], runtime.NumCPU(), cpu, runtime.Version())
}

// short formats a number with about two significant digits.
func short(v float64) string {
	switch {
	case v >= 20:
		return strconv.FormatFloat(v, 'f', 0, 64)
	case v >= 1:
		return strconv.FormatFloat(v, 'f', 1, 64)
	}
	return strconv.FormatFloat(v, 'f', 2, 64)
}
