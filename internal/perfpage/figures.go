package main

import (
	"bufio"
	"fmt"
	"runtime"
	"slices"
	"strconv"
	"strings"
)

// figures are the printed results of benchmarks.
type figures struct {
	byName  map[string]map[string][]float64 // by benchmark and unit: one for each time it was run
	about   map[string]string               // goos, goarch, cpu
	missing []string                        // what was asked for and is not there
}

// parse reads the output of go test -bench on so many cores, which stand at the end of the names of benchmarks.
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

// sortResults returns the results of a benchmark in a unit.
func (f *figures) sortResults(name, unit string) []float64 {
	all := slices.Sorted(slices.Values(f.byName[name][unit]))
	if len(all) == 0 {
		f.missing = append(f.missing, name+" "+unit)
		return []float64{0}
	}
	return all
}

// median returns the median of a benchmark's results in a unit.
func (f *figures) median(name, unit string) float64 {
	all := f.sortResults(name, unit)
	return all[len(all)/2]
}

// best returns the least time, or the highest rate: other work on the machine makes figures only worse.
func (f *figures) best(name, unit string) float64 {
	all := f.sortResults(name, unit)
	if unit == "MB/s" {
		return all[len(all)-1]
	}
	return all[0]
}

// machine is a line about where the figures come from.
func (f *figures) machine() string {
	cpu := ""
	if f.about["cpu"] != "" {
		cpu = " of " + f.about["cpu"]
	}
	return fmt.Sprintf("On %s/%s, %d cores%s, %s:", f.about["goos"], f.about["goarch"], runtime.NumCPU(), cpu, runtime.Version())
}

// short writes a figure with about two digits that count.
func short(v float64) string {
	switch {
	case v >= 20:
		return strconv.FormatFloat(v, 'f', 0, 64)
	case v >= 1:
		return strconv.FormatFloat(v, 'f', 1, 64)
	}
	return strconv.FormatFloat(v, 'f', 2, 64)
}
