package layout

// A Level is the color class of a range of success rates.
type Level struct {
	Name, Text string
	is         func(ok, n int) bool
}

// Levels are tried in order. The colors go from blue over gray to orange, which people with red-green color blindness
// can distinguish.
var Levels = []Level{
	{"none", "none counts", func(_, n int) bool { return n == 0 }},
	{"l5", "100%", func(ok, n int) bool { return ok == n }},
	{"l4", "96% and more", func(ok, n int) bool { return ok*100 >= n*96 }},
	{"l3", "80% and more", func(ok, n int) bool { return ok*100 >= n*80 }},
	{"l2", "50% and more", func(ok, n int) bool { return ok*100 >= n*50 }},
	{"l1", "less", func(ok, _ int) bool { return ok > 0 }},
	{"l0", "0%", func(int, int) bool { return true }},
}

// LevelOf returns the CSS class for ok successes in n trials.
func LevelOf(ok, n int) string {
	for _, l := range Levels {
		if l.is(ok, n) {
			return l.Name
		}
	}
	return ""
}
