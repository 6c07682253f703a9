package trace

import "testing"

// A line that was cut, or of which a byte was changed, is read as far as it goes or not at all.
func TestDamagedLines(t *testing.T) {
	for _, line := range []string{
		`{"id":"a","kind":"answer","data":"x","report":{}}`, `{"id":"a","kind":"answer","body_text":"x"}`, `{"data":"x"}`, `{"body":"x"}`, `{"kind":"model","id":"","model":"m"}`,
	} {
		for cut := range len(line) {
			for _, c := range []string{"", "x", `"`, ":", ",", `\`, "{", "}"} {
				for _, text := range []string{line[:cut] + c, line[:cut] + c + line[cut+1:], line[:cut] + c + line[cut:]} {
					kindOf([]byte(text))
					headOf([]byte(text))
				}
			}
		}
	}
}
